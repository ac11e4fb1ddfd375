//! Attached mode: a running session of the user starts the engine and is itself the harness. All blocks
//! of a run use this one process, and each block opens its case again.
//!
//! Only the visit of a case is repeated, including set-up and warm-up. The intervals are valid for this
//! process only, because one process cannot show differences between processes.

use crate::discover::catalogue::{self, Catalogue};
use crate::discover::{self, Source};
use crate::launch::fault::{self, FaultSite};
use crate::launch::link::{Fault, Link, Starting};
pub use crate::launch::transport::Streams;
use crate::os;
use derny_model::{Failure, Variant};
use derny_protocol::{Answer, Command};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The session that started the engine.
#[derive(Debug)]
pub struct Attachment {
    /// The conversation. `None` while a block uses it, and after it has ended.
    link: Option<Link>,
    /// The processors on which the session's thread could run before the engine pinned it.
    processors: Vec<u32>,
    source: Source,
}

impl Attachment {
    /// Waits for the hello of the session. Its cases are shown and stored under the suite `suite`.
    pub fn begin(
        streams: Streams,
        root: &Path,
        suite: &str,
        timeout: Duration,
        trace: bool,
        stop: &AtomicBool,
    ) -> Result<Attachment, Failure> {
        let words = ["attach".to_string()];
        let source = Source { suite: suite.to_string(), ..discover::command(root, &words) };
        let place = FaultSite::source(&source);
        match Starting::attach(streams, trace).hello(timeout, stop) {
            Ok(link) => {
                let processors = os::affinity(link.thread());
                Ok(Attachment { link: Some(link), processors, source })
            }
            Err((fault, _)) => Err(fault::failure(&place, "launch", &fault, &[])),
        }
    }

    /// Returns the language of the session, which is the default name of its suite.
    pub fn language(&self) -> &str {
        self.link.as_ref().map_or("", |link| &link.hello.language)
    }

    /// Lists the cases of the session.
    pub fn list(
        &mut self,
        params: Vec<(String, Vec<String>)>,
        timeout: Duration,
        stop: &AtomicBool,
    ) -> Result<Catalogue, Failure> {
        let failed = |source: &Source, fault: &Fault| {
            fault::listing(&FaultSite::source(source), source, &Variant::default(), fault, &[])
        };
        let Some(link) = &mut self.link else {
            return Err(failed(&self.source, &Fault::Ended(os::Ended::UNKNOWN)));
        };
        match link.ask(&Command::List { params, test: false, prepare: None, file: None }, timeout, stop) {
            Ok(Answer::Cases(cases)) => catalogue::of_one(self.source.clone(), cases),
            Ok(_) => Err(failed(&self.source, &Fault::Unsupported("list".into()))),
            Err(fault) => Err(failed(&self.source, &fault)),
        }
    }

    /// Takes the conversation for one block. Returns `None` if it is in use or has ended.
    pub(crate) fn take(&mut self) -> Option<Link> {
        self.link.take()
    }

    /// Puts the conversation back after a block. Restores the original affinity of the session's
    /// thread.
    pub(crate) fn give_back(&mut self, link: Link) {
        if !self.processors.is_empty() {
            os::set_affinity(link.thread(), &self.processors);
        }
        self.link = Some(link);
    }

    /// Sends the report for the user and the result for the program, and ends the conversation. Returns false
    /// if the session has already ended, or if a line cannot be sent.
    pub fn end(&mut self, text: &str, json: &str) -> bool {
        let Some(mut link) = self.link.take() else { return false };
        let commands = Command::report(text).into_iter().chain(Command::result(json)).chain([Command::Quit]);
        commands.into_iter().all(|command| link.say(&command).is_ok())
    }
}
