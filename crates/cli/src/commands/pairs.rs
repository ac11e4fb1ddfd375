//! Measures pairs of commits, for `derny bisect` and `derny history`.

use crate::args::{Global, PairArgs, Selection};
use crate::news::Listener;
use crate::session;
use derny_history::pair::{Measured, Request};
use derny_model::{Problem, problem};
use derny_workbench::config::options::Stated;
use derny_workbench::config::settings::{Mode, Origin};
use derny_workbench::config::units;
use derny_workbench::pipeline::{self, News, Occasion, Planned, Ready, RunOptions};
use derny_workbench::project::session::Bench;
use derny_workbench::{Error, Notice, Outcome, Result};
use std::io;
use std::time::{Duration, Instant};

/// Wall time of a comparison, if no setting limits it.
const USUAL_NS: u64 = 30_000_000_000;
/// Maximum number of pairs, if no setting limits it.
const USUAL_PAIRS: u64 = 40;
/// Maximum number of pairs of a measurement that is repeated with more effort.
const MOST_PAIRS: u64 = 200;

/// How pairs of commits are measured.
pub struct Pairs<'a> {
    pub global: &'a Global,
    pub bench: Bench<'a>,
    pub select: &'a Selection,
    pub how: &'a PairArgs,
    /// Metric that the caller judges by, if it is not typical time.
    pub metric: Option<&'a str>,
    /// True if many pairs follow each other, so that each reports only problems.
    pub is_one_of_many: bool,
}

/// Returns the time at which all measurements together must end, or `None` without a limit. `place` names the
/// origin of `total` in error messages.
pub fn until(total: Option<&str>, place: &str) -> Result<Option<Instant>> {
    let Some(text) = total else { return Ok(None) };
    let ns =
        units::duration_ns(text).map_err(|why| problem!("{why}").place(format_args!("{place} {text}")))?;
    Ok(Instant::now().checked_add(Duration::from_nanos(ns)))
}

/// Notices that explain why nothing was measured.
#[derive(Default)]
struct Heard {
    is_one_of_many: bool,
    nothing: Option<Problem>,
    left_out: Option<(String, String)>,
}

impl Pairs<'_> {
    /// Measures two commits by the ordinary pipeline.
    pub fn measured(&self, request: &mut Request<'_>) -> Result<Measured> {
        let Pairs { global, bench, .. } = *self;
        let options = self.options(request)?.checked(bench)?;
        let mut listener = Listener::new(global, None);
        if self.is_one_of_many {
            listener = listener.without_failures();
        }
        let mut heard = Heard { is_one_of_many: self.is_one_of_many, ..Heard::default() };
        let tell = &mut |news: News<'_>| heard.hear(news, &mut listener);
        let planned = match pipeline::plan(bench, &options, &Occasion::default(), tell)? {
            Ready::Planned(planned) => planned,
            Ready::Early(Outcome::Interrupted) => return Err(Error::Interrupted),
            Ready::Early(_) => return Ok(Measured::Nothing(heard.why())),
        };
        let Planned { catalogue, failures, .. } = &*planned;
        match failures.first().filter(|_| catalogue.cases.is_empty()) {
            Some(failure) => return Ok(Measured::Nothing(Problem::from(failure))),
            None => (request.before)(catalogue)?,
        }
        let _turn = session::turn(global, bench, self.how.no_queue)?;
        Ok(Measured::Done(Box::new(pipeline::run(bench, &options, *planned, tell)?)))
    }

    fn options(&self, request: &Request<'_>) -> Result<RunOptions> {
        let mut stated: Stated = (&self.how.settings).into();
        if let Some(confidence) = request.confidence {
            stated.values.push(("confidence", confidence.to_string()));
        }
        if request.effort > 1 {
            self.extend(&mut stated, request.effort.into())?;
        }
        if self.metric == Some("mean") {
            stated.values.push(("mean", "always".to_owned()));
        }
        let mut select = self.how.passed.on(self.select);
        if let Some(patterns) = &request.patterns {
            select.patterns.clone_from(patterns);
        }
        Ok(RunOptions {
            select,
            stated,
            mode: Mode { quick: self.how.settings.quick, ..Mode::default() },
            variants: request.sides.to_vec(),
            note: Some(request.note.clone()),
            margin: Some(request.margin.to_string()),
            fail_on: request.fail_on.clone(),
            judged: true,
            ..RunOptions::default()
        })
    }

    /// Multiplies the limits of one measurement, its time and its number of pairs, by `effort`.
    fn extend(&self, stated: &mut Stated, effort: u64) -> Result<()> {
        let layers = self.bench.session.layers(stated)?;
        let ns = match &layers["budget"] {
            (_, Origin::Default) => USUAL_NS,
            (text, _) => units::duration_ns(text).map_err(|why| problem!("`budget`: {why}"))?,
        };
        let pairs: u64 = layers["processes"].0.parse().unwrap_or(USUAL_PAIRS);
        let limits = [
            ("budget", format!("{}ms", ns.saturating_mul(effort) / 1_000_000)),
            ("processes", (pairs * effort).min(MOST_PAIRS.max(pairs)).to_string()),
        ];
        for (name, value) in limits {
            stated.values.retain(|(own, _)| *own != name);
            stated.set.retain(|text| text.split_once('=').is_none_or(|(own, _)| own != name));
            stated.values.push((name, value));
        }
        Ok(())
    }
}

impl Heard {
    /// Passes news on to the listener, except for notices that every measurement would repeat. Keeps the
    /// reasons why nothing was measured.
    fn hear(&mut self, news: News<'_>, listener: &mut Listener<'_>) -> io::Result<()> {
        match news {
            News::Notice(Notice::Nothing(why)) => self.nothing = Some(why),
            News::Notice(Notice::LeftOut { case, why }) => {
                self.left_out.get_or_insert((case, why));
            }
            News::Notice(Notice::Selected { .. } | Notice::Package { .. }) | News::Planned(_)
                if self.is_one_of_many => {}
            news => return listener.hear(news),
        }
        Ok(())
    }

    /// Returns the reason why nothing was measured.
    fn why(self) -> Problem {
        match (self.left_out, self.nothing) {
            (Some((case, why)), _) => problem!("`{case}` is not on both sides").why(why),
            (None, Some(why)) => why,
            (None, None) => problem!("nothing was measured"),
        }
    }
}
