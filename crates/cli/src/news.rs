//! Sends events of the workbench to the terminal and to the event stream.

use crate::args::Global;
use crate::output::{self, Destination, Form};
use crate::progress::Progress;
use derny_json::ToJson;
use derny_model::Event;
use derny_report as report;
use derny_workbench::pipeline::{News, Planned};
use std::io;

/// Shows the events of a run on the terminal, and writes them to the event stream if there is one.
pub struct Listener<'a> {
    global: &'a Global,
    progress: Progress,
    events: Option<&'a mut Destination>,
    failures: bool,
}

impl<'a> Listener<'a> {
    /// Returns a listener that also writes events to `events`, one JSON object per line.
    pub fn new(global: &'a Global, events: Option<&'a mut Destination>) -> Listener<'a> {
        let progress = Progress::new(global, output::error_style(global));
        Listener { global, progress, events, failures: true }
    }

    /// Returns this listener, changed to print no failures, for callers that report them later.
    pub fn without_failures(self) -> Listener<'a> {
        Listener { failures: false, ..self }
    }

    /// Handles one event. Fails only if the event stream cannot be written.
    pub fn hear(&mut self, news: News<'_>) -> io::Result<()> {
        match news {
            News::Notice(notice) => {
                self.progress.clear();
                output::notice(self.global, &notice);
            }
            News::Planned(planned) => self.announce(planned),
            News::Event(event) => return self.event(event),
            News::Diagnosed(found) => {
                output::painted(report::diagnosis::all(found, &output::error_style(self.global)).trim_end());
            }
        }
        Ok(())
    }

    /// Prints the plan and its maximum duration.
    fn announce(&mut self, planned: &Planned<'_>) {
        let style = output::error_style(self.global);
        if self.global.quiet == 0 && planned.plan.expected_ns > 0 {
            let cases = &planned.catalogue.cases;
            output::painted(&report::plan::announcement(&planned.plan, cases.len(), &style));
            if self.global.verbose > 0 {
                output::painted(&report::plan::plan(&planned.plan, cases, &planned.header.variants, &style));
            }
        }
        self.progress = Progress::new(self.global, style);
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let written = match &mut self.events {
            Some(out) if !matches!(event, Event::Progress(_)) => event
                .to_json()
                .map_err(io::Error::from)
                .and_then(|line| out.write_as(Form::Json, &(line + "\n"))),
            _ => Ok(()),
        };
        self.progress.on_event(event);
        if let Event::Failed(failure) = event
            && self.failures
        {
            self.progress.clear();
            output::painted(&report::failure::one(failure, &output::error_style(self.global)));
        }
        written
    }
}
