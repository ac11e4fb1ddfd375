//! Chooses the format of a result by the extension of its file.

use crate::args::{FleetArgs, FleetVerb, Format, OF_A_COMPARISON, OF_EVENTS, Verb};
use Format::{Csv, Json, Junit, Markdown, Ndjson, Table};
use clap::ArgMatches;
use clap::parser::ValueSource;
use derny_engine::discover::pattern::closest;
use derny_model::{Problem, problem};
use std::ffi::OsStr;
use std::path::Path;

/// Extensions of result files, and their formats.
const EXTENSIONS: &[(&str, Format)] = &[
    ("txt", Table),
    ("json", Json),
    ("csv", Csv),
    ("md", Markdown),
    ("markdown", Markdown),
    ("xml", Junit),
    ("ndjson", Ndjson),
    ("jsonl", Ndjson),
];

/// Returns the format that the name of a result file implies, or `None` if the name has no extension.
///
/// # Errors
/// Fails if the extension is unknown, or implies a format that the command does not write.
fn of_file(file: &Path, forms: &[Format]) -> Result<Option<Format>, Problem> {
    let Some(extension) = file.extension().and_then(OsStr::to_str) else { return Ok(None) };
    let extension = extension.to_ascii_lowercase();
    let known = || EXTENSIONS.iter().filter(|(_, format)| forms.contains(format));
    if let Some((_, format)) = known().find(|(own, _)| *own == extension) {
        return Ok(Some(*format));
    }
    let names: Vec<&str> = known().map(|(name, _)| *name).collect();
    let near = closest(&extension, names.iter().copied()).into_iter().next();
    let remedy = match (extension.as_str(), near) {
        ("html" | "htm", _) => format!("use `derny report -o {}`", file.display()),
        ("svg" | "png", _) => format!("use `derny plot -o {}`", file.display()),
        (_, Some(near)) => format!("use -o {}", file.with_extension(near).display()),
        _ => "use one of these extensions, or state the format with -f".to_owned(),
    };
    let what = problem!("no result format has the extension `.{extension}`");
    Err(what.place(format_args!("-o {}", file.display())).known(names.join(", ")).remedy(remedy))
}

/// Sets the format by the extension of the output file, unless the command line states one.
///
/// # Errors
/// Fails if the extension is unknown, or implies a format that the command does not write.
pub fn settle(verb: &mut Verb, matches: &ArgMatches) -> Result<(), Problem> {
    let mut own = matches;
    while let Some((_, below)) = own.subcommand() {
        own = below;
    }
    let (format, output, forms) = match verb {
        Verb::Run(args) => (&mut args.how.format, &args.how.output, OF_EVENTS),
        Verb::Diff(args) => (&mut args.how.format, &args.how.output, OF_EVENTS),
        Verb::Show(args) => (&mut args.format, &args.output, OF_A_COMPARISON),
        Verb::Compare(args) => (&mut args.verdict.format, &args.verdict.output, OF_A_COMPARISON),
        Verb::Fleet(FleetArgs { verb: FleetVerb::Merge(args) }) => {
            (&mut args.format, &args.output, OF_A_COMPARISON)
        }
        _ => return Ok(()),
    };
    if own.value_source("format") == Some(ValueSource::DefaultValue)
        && let Some(output) = output
        && let Some(meant) = of_file(output, forms)?
    {
        *format = meant;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_format_of_its_name() {
        let of =
            |name: &str| of_file(Path::new(name), OF_A_COMPARISON).map_err(|problem| problem.to_string());
        assert_eq!(of("a/result"), Ok(None));
        assert_eq!(of("-"), Ok(None));
        assert_eq!(of("a.b/r.JSON"), Ok(Some(Json)));
        assert_eq!(of("r.xml"), Ok(Some(Junit)));
        assert!(of("r.jsno").unwrap_err().contains("-o r.json"));
        assert!(of("r.html").unwrap_err().contains("derny report -o r.html"));
        assert!(of("r.docx").unwrap_err().contains("txt, json, csv, md"));
        assert!(of("r.ndjson").is_err(), "a comparison is no stream of events");
    }
}
