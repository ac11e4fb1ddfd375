//! Starting a harness: the launch, and the wait for its first line. Apart, so that several start at once.

use crate::discover::catalogue;
use crate::hash::Fnv;
use crate::launch::LaunchSpec;
use crate::launch::binary;
use crate::launch::fault::{self, Place};
use crate::launch::global_setup::{PREPARER, SCRATCH};
use crate::launch::link::{Fault, Link, Starting};
use crate::measure::context::Context;
use crate::measure::harness_process::HarnessProcess;
use crate::measure::per_block;
use crate::os::Ended;
use derny_model::{Event, Failure, ProcessStart};
use std::time::Instant;

/// Where a process comes from.
#[derive(Debug)]
enum Origin {
    Launched(Box<Starting>),
    Attached(Box<Link>),
}

/// A program that has been started and has not answered yet.
#[derive(Debug)]
pub struct Launching {
    origin: Origin,
    command: Vec<String>,
    padding: u32,
    build: u32,
    binary: Option<String>,
    /// Hash of words, environment and binary: equal where the same is launched in the same way.
    way: u64,
    variant: u32,
    block: u32,
    place: u32,
    wave: Option<u32>,
    process: u32,
    case: u32,
}

impl Launching {
    /// Starts the program for a case (the first of several) and a variant, at this place among the processes of its block.
    pub fn start(
        cx: &mut Context<'_>,
        case: u32,
        variant: u32,
        block: u32,
        place: u32,
    ) -> Result<Launching, Failure> {
        if cx.launcher.attached.is_some() {
            return Launching::attach(cx, case, variant, block, place);
        }
        let (declared, source) = cx.catalogue.opened(case, variant);
        let opened = &cx.variants[variant as usize];
        let build = if source.is_built_apart() { cx.launcher.builds.of(block, case) } else { 0 };
        let directory = source.root_for(opened).join(&source.directory);
        let env: Vec<_> = source.env.iter().chain(&opened.env).cloned().collect();
        let way = (source.words(opened, build, &[]), directory.clone(), env);
        // A system without room for a folder has no room for results either, and that is told elsewhere.
        let scratch = cx
            .launcher
            .scratch
            .folder(&way, cx.launcher.reaper)
            .ok()
            .map(|folder| folder.display().to_string());
        let setup = cx.global_setup(case, variant, &way, scratch.clone())?;
        let words = source.words(opened, build, &declared.args);
        let binary = binary::identity(&words, &directory);
        let mut command = cx.settings.profiler.clone();
        command.extend(words);
        let padding = cx.rng.below(4096) as u32;
        let mut env: Vec<_> = source.env.iter().chain(&declared.env).chain(&opened.env).cloned().collect();
        let way = hash(&command, &env, binary.as_deref());
        env.extend(per_block::variables(&source.env_per_block, &env, cx.seed, block));
        env.extend(setup.map(|number| (PREPARER.to_string(), number.to_string())));
        env.extend(scratch.map(|folder| (SCRATCH.to_string(), folder)));
        let (echo, descriptors) = (cx.launcher.echo, source.descriptors);
        let spec = LaunchSpec { command, env, directory, padding, echo, capture: None, descriptors };
        let process = cx.launcher.next_process;
        cx.launcher.next_process += 1;
        let starting = Starting::launch(&spec, cx.launcher.reaper, cx.launcher.trace).map_err(|fault| {
            let place = Place::case(case, declared, "", process);
            let mut failure = fault::failure(&place, "launch", &fault, &[]);
            fault::not_started(&mut failure, source, opened);
            failure
        })?;
        let origin = Origin::Launched(Box::new(starting));
        let (command, wave) = (spec.command, cx.launcher.wave);
        Ok(Launching {
            origin,
            command,
            padding,
            build,
            binary,
            way,
            variant,
            block,
            place,
            wave,
            process,
            case,
        })
    }

    /// Takes the session that has started the engine. Each of its visits counts as a process of its own.
    fn attach(
        cx: &mut Context<'_>,
        case: u32,
        variant: u32,
        block: u32,
        place: u32,
    ) -> Result<Launching, Failure> {
        let process = cx.launcher.next_process;
        cx.launcher.next_process += 1;
        let link = cx.launcher.attached.as_mut().and_then(|attached| attached.take()).ok_or_else(|| {
            let place = Place::case(case, cx.catalogue.opened(case, variant).0, "", process);
            fault::failure(&place, "attach", &Fault::Ended(Ended::UNKNOWN), &[])
        })?;
        let origin = Origin::Attached(Box::new(link));
        let (command, binary) = (vec!["(attached)".to_string()], None);
        let (padding, build, way, wave) = (0, 0, 0, None);
        Ok(Launching {
            origin,
            command,
            padding,
            build,
            binary,
            way,
            variant,
            block,
            place,
            wave,
            process,
            case,
        })
    }

    /// Waits for its first line.
    pub fn wait(self, cx: &mut Context<'_>) -> Result<HarnessProcess, Failure> {
        let (timeout, start) = (cx.timeout(), Instant::now());
        let started = match self.origin {
            Origin::Launched(starting) => starting.hello(timeout, cx.stop),
            Origin::Attached(mut link) => {
                link.launch_ns = 0;
                Ok(*link)
            }
        };
        cx.time.has_waited(start.elapsed());
        let link = started.map_err(|(fault, link)| {
            let (opened, _) = cx.catalogue.opened(self.case, self.variant);
            let place = Place::case(self.case, opened, "", self.process);
            let failure = fault::of_link(&place, "launch", &fault, &link);
            link.kill();
            failure
        })?;
        let hello = &link.hello;
        let at_ns = cx.now_ns();
        cx.emit(Event::ProcessStarted(ProcessStart {
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
            place: Some(self.place),
            machine: None,
            wave: self.wave,
        }));
        let (process, variant, block, build) = (self.process, self.variant, self.block, self.build);
        let mut process = HarnessProcess::new(process, variant, block, build, self.place, link);
        process.wave = self.wave;
        process.program = format!("{} {:016x}", process.runtime, self.way);
        Ok(process)
    }
}

fn hash(words: &[String], env: &[(String, String)], binary: Option<&str>) -> u64 {
    let mut hash = Fnv::new();
    words.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    env.iter().for_each(|(name, value)| _ = hash.write(name.as_bytes()).write(value.as_bytes()));
    hash.write(binary.unwrap_or_default().as_bytes()).finish()
}
