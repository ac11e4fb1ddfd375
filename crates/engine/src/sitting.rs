//! Starting a harness for a seat: the launch, and the wait for its first line. Apart, so that several start at once.

use crate::binary;
use crate::catalogue;
use crate::context::Context;
use crate::fault::{self, Place};
use crate::launch::LaunchSpec;
use crate::link::{Fault, Link, Starting};
use crate::os::Ended;
use crate::preparer::{self, PREPARER};
use crate::seat::Seat;
use derny_model::{Event, Failure, ProcessStart};

/// How a seat comes by its harness.
#[derive(Debug)]
enum Way {
    Launched(Box<Starting>),
    Attached(Box<Link>),
}

/// A seat whose program has been started and has not answered yet.
#[derive(Debug)]
pub struct Sitting {
    way: Way,
    command: Vec<String>,
    padding: u32,
    build: u32,
    binary: Option<String>,
    variant: u32,
    block: u32,
    process: u32,
    case: u32,
}

impl Sitting {
    /// Starts the program for a case (the first of several) and a variant.
    pub fn start(cx: &mut Context<'_>, case: u32, variant: u32, block: u32) -> Result<Sitting, Failure> {
        if cx.attached.is_some() {
            return Sitting::attach(cx, case, variant, block);
        }
        let preparer = preparer::number(cx, case, variant)?;
        let (declared, source) = cx.catalogue.opened(case, variant);
        let way = &cx.variants[variant as usize];
        let build = if source.is_built_apart() { cx.builds.of(block, case) } else { 0 };
        let words = source.words(way, build, &declared.args);
        let directory = source.root_for(way).join(&source.directory);
        let binary = binary::identity(&words, &directory);
        let mut command = cx.settings.profiler.clone();
        command.extend(words);
        let padding = cx.rng.below(4096) as u32;
        let mut env: Vec<_> = source.env.iter().chain(&declared.env).chain(&way.env).cloned().collect();
        env.extend(preparer.map(|number| (PREPARER.to_string(), number.to_string())));
        let spec = LaunchSpec { command, env, directory, padding, echo: cx.echo, capture: None };
        let process = cx.next_process;
        cx.next_process += 1;
        let starting = Starting::launch(&spec, cx.reaper, cx.trace).map_err(|fault| {
            let place = Place::case(case, declared, "", process);
            let mut failure = fault::failure(&place, "launch", &fault, &[]);
            if let Some(install) = &source.install {
                failure.remedy.clone_from(install);
            }
            failure
        })?;
        let way = Way::Launched(Box::new(starting));
        Ok(Sitting { way, command: spec.command, padding, build, binary, variant, block, process, case })
    }

    /// Takes the session that has started the engine. Each of its stays counts as a process of its own.
    fn attach(cx: &mut Context<'_>, case: u32, variant: u32, block: u32) -> Result<Sitting, Failure> {
        let process = cx.next_process;
        cx.next_process += 1;
        let link = cx.attached.as_mut().and_then(|attached| attached.take()).ok_or_else(|| {
            let place = Place::case(case, cx.catalogue.opened(case, variant).0, "", process);
            fault::failure(&place, "attach", &Fault::Ended(Ended::UNKNOWN), &[])
        })?;
        let way = Way::Attached(Box::new(link));
        let (command, binary) = (vec!["(attached)".to_string()], None);
        Ok(Sitting { way, command, padding: 0, build: 0, binary, variant, block, process, case })
    }

    /// Waits for its first line.
    pub fn seat(self, cx: &mut Context<'_>) -> Result<Seat, Failure> {
        let timeout = cx.timeout();
        let started = match self.way {
            Way::Launched(starting) => starting.hello(timeout, cx.stop),
            Way::Attached(mut link) => {
                link.launch_ns = 0;
                Ok(*link)
            }
        };
        let link = started.map_err(|(fault, link)| {
            let (opened, _) = cx.catalogue.opened(self.case, self.variant);
            let place = Place::case(self.case, opened, "", self.process);
            let failure = fault::of_link(&place, "launch", &fault, &link);
            link.kill();
            failure
        })?;
        let hello = &link.hello;
        let at_ns = cx.now_ns();
        cx.tell(Event::ProcessStarted(ProcessStart {
            process: self.process,
            variant: self.variant,
            block: self.block,
            command: self.command,
            pid: hello.pid,
            language: hello.language.clone(),
            runtime: hello.runtime.clone(),
            harness: hello.harness.clone(),
            clock_step_ns: hello.step_ns,
            launch_ns: link.launch_ns,
            padding: self.padding,
            build: self.build,
            binary: self.binary,
            settings: hello.settings.iter().cloned().collect(),
            collector: Some(catalogue::collector(hello.collector)),
            at_ns,
        }));
        Ok(Seat::new(self.process, self.variant, self.block, self.build, link))
    }
}
