//! Preparers: processes that have prepared something for a whole run, files that its benchmarks read say, and stay alive
//! until its end.
//!
//! The first launch of a case that declares itself `prepared` starts one, in every variant that runs it; nothing is being measured
//! then. What it has prepared ends with it, as the temporary directory of a test suite does.

use crate::context::Context;
use crate::discover::Source;
use crate::fault::{self, Place};
use crate::launch::LaunchSpec;
use crate::link::{Fault, Link, Starting};
use derny_model::{Case, Failure};
use derny_protocol::Answer;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The environment variable in which a process that measures finds the number of its preparer.
pub const PREPARER: &str = "DERNY_PREPARER";
/// How long one may take to put away what it has made.
const GRACE: Duration = Duration::from_secs(10);

/// Launch line, folder and environment.
type Way = (Vec<String>, PathBuf, Vec<(String, String)>);

/// One for each way in which its file is launched; or why there is none, which then holds for all cases.
#[derive(Debug, Default)]
pub struct Preparers {
    known: BTreeMap<Way, Result<Link, Failure>>,
}

impl Preparers {
    /// Ends all: at the end of the run.
    pub fn end(&mut self) {
        for (_, preparer) in std::mem::take(&mut self.known) {
            if let Ok(link) = preparer {
                link.quit(GRACE);
            }
        }
    }
}

/// The number of the process that has prepared what a case needs, started now if it is the first; none where nothing is prepared.
pub fn number(cx: &mut Context<'_>, case: u32, variant: u32) -> Result<Option<u32>, Failure> {
    let (declared, source) = cx.catalogue.opened(case, variant);
    if !declared.prepared {
        return Ok(None);
    }
    let variant = &cx.variants[variant as usize];
    let directory = source.root_for(variant).join(&source.directory);
    let env = source.env.iter().chain(&variant.env).cloned().collect();
    let way: Way = (source.words(variant, 0, &[]), directory, env);
    if !cx.preparers.known.contains_key(&way) {
        let started = start(cx, source, &way);
        cx.preparers.known.insert(way.clone(), started);
    }
    match &cx.preparers.known[&way] {
        Ok(link) => Ok(Some(link.hello.pid)),
        Err(failure) => Err(Failure { case: Some(case), place: place(declared), ..failure.clone() }),
    }
}

fn place(case: &Case) -> Vec<String> {
    [case.id.to_string()].into_iter().chain(case.file.clone()).collect()
}

fn start(cx: &Context<'_>, source: &Source, (words, directory, env): &Way) -> Result<Link, Failure> {
    let (command, directory, env) = (words.clone(), directory.clone(), env.clone());
    let spec = LaunchSpec { command, env, directory, padding: 0, echo: cx.echo, capture: None };
    let place = Place::source(source);
    let failed = |fault: &Fault, words: &[String]| fault::failure(&place, "prepare", fault, words);
    let starting = Starting::launch(&spec, cx.reaper, cx.trace).map_err(|fault| failed(&fault, &[]))?;
    let mut link =
        starting.hello(cx.timeout(), cx.stop).map_err(|(fault, link)| failed(&fault, &link.last_words()))?;
    match link.ask(&cx.catalogue.asked.command(source, true), cx.timeout(), cx.stop) {
        Ok(Answer::Cases(_)) => Ok(link),
        Ok(_) => Err(failed(&Fault::Unsupported("list".into()), &link.last_words())),
        Err(fault) => Err(failed(&fault, &link.last_words())),
    }
}
