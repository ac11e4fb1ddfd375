//! Attached mode: the harness is there already, in a session where somebody works, and has started the engine. Its one
//! process stands in for all that a run would launch: every block takes it, opens its case anew, and gives it back.
//!
//! What is repeated is the visit of a case, set-up and warm-up included. Intervals hold for this process only: what differs
//! between processes cannot be seen from one.

use crate::discover::catalogue::{self, Catalogue};
use crate::discover::{self, Source};
use crate::launch::fault::{self, Place};
use crate::launch::link::{Fault, Link, Starting};
pub use crate::launch::transport::Streams;
use crate::os;
use derny_model::{Failure, Variant};
use derny_protocol::{Answer, Command};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The session at the other end.
#[derive(Debug)]
pub struct Attachment {
    /// None while a block has it, and once the conversation is over.
    link: Option<Link>,
    /// Where its thread could run before the engine moved it.
    processors: Vec<u32>,
    source: Source,
}

impl Attachment {
    /// Waits for its first line. `suite` is what its cases are shown and stored under.
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
        let place = Place::source(&source);
        match Starting::attach(streams, trace).hello(timeout, stop) {
            Ok(link) => {
                let processors = os::affinity(link.thread());
                Ok(Attachment { link: Some(link), processors, source })
            }
            Err((fault, _)) => Err(fault::failure(&place, "launch", &fault, &[])),
        }
    }

    /// What its cases are shown under where nobody has said anything: its language.
    pub fn language(&self) -> &str {
        self.link.as_ref().map_or("", |link| &link.hello.language)
    }

    /// Asks for its cases.
    pub fn list(
        &mut self,
        params: Vec<(String, Vec<String>)>,
        timeout: Duration,
        stop: &AtomicBool,
    ) -> Result<Catalogue, Failure> {
        let failed = |source: &Source, fault: &Fault| {
            fault::listing(&Place::source(source), source, &Variant::default(), fault, &[])
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

    /// The conversation, for one block.
    pub(crate) fn take(&mut self) -> Option<Link> {
        self.link.take()
    }

    /// The block is done with it: its thread may run again where it could before.
    pub(crate) fn give_back(&mut self, link: Link) {
        if !self.processors.is_empty() {
            os::set_affinity(link.thread(), &self.processors);
        }
        self.link = Some(link);
    }

    /// Tells the text for the user and the result for the program, and ends the conversation. False if there is nobody
    /// to tell.
    pub fn end(&mut self, text: &str, json: &str) -> bool {
        let Some(mut link) = self.link.take() else { return false };
        let commands = Command::report(text).into_iter().chain(Command::result(json)).chain([Command::Quit]);
        commands.into_iter().all(|command| link.say(&command).is_ok())
    }
}
