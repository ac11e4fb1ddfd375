//! `derny dev explain`: the meaning of a warning or failure, and its remedies.

use crate::args::{ExplainArgs, Global};
use crate::explain;
use crate::output::{self, Destination};
use derny_engine::discover::pattern;
use derny_model::problem;
use derny_report as report;
use derny_workbench::{Outcome, Result};

pub fn explain(global: &Global, args: &ExplainArgs) -> Result<Outcome> {
    let style = output::style(global, &std::io::stdout(), false);
    let all = explain::all();
    let Some(wanted) = &args.code else {
        Destination::stdout().write(&report::explain::list(all.iter().map(|t| (t.code, t.title)), &style))?;
        return Ok(Outcome::Done);
    };
    // `dy204` and `204` are accepted too.
    let mut code = wanted.trim().to_ascii_uppercase();
    if !code.starts_with("DY") {
        code.insert_str(0, "DY");
    }
    let Some(text) = all.iter().find(|text| text.code == code) else {
        let near = pattern::closest(&code, all.iter().map(|text| text.code));
        let hint = near.first().map_or(String::new(), |near| format!("run `derny dev explain {near}`, or "));
        return Err(problem!("there is no code `{wanted}`")
            .remedy(format_args!("{hint}`derny dev explain` for all codes"))
            .into());
    };
    Destination::stdout().write(&report::explain::one(text.code, text.title, text.text, &style))?;
    Ok(Outcome::Done)
}
