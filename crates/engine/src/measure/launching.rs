//! Launching: starting a harness, and waiting for its hello. These are separate steps, so that several
//! harnesses can start at once.

use crate::discover::wire;
use crate::hash::Fnv;
use crate::launch::LaunchSpec;
use crate::launch::binary;
use crate::launch::fault::{self, FaultSite};
use crate::launch::global_setup::{PREPARER, SCRATCH};
use crate::launch::link::{Fault, Link, Starting};
use crate::measure::context::Context;
use crate::measure::harness_process::HarnessProcess;
use crate::measure::per_block;
use crate::os::Ended;
use derny_model::{Event, Failure, ProcessStart};
use std::time::Instant;

/// The origin of a process.
#[derive(Debug)]
enum Origin {
    Launched(Box<Starting>),
    Attached(Box<Link>),
}

/// A program that was started and has not answered yet.
#[derive(Debug)]
pub struct Launching {
    origin: Origin,
    launch: Launch,
    variant: u32,
    block: u32,
    place: u32,
    case: u32,
}

/// The properties of a launch. The command of an attached session is a single word.
#[derive(Debug, Default)]
struct Launch {
    process: u32,
    command: Vec<String>,
    padding: u32,
    build: u32,
    binary: Option<String>,
    /// Hash of words, environment and binary. Equal launches have equal hashes.
    way: u64,
    wave: Option<u32>,
}

impl Launching {
    /// Starts the program of a variant. `case` is the first case to measure, and `place` is the
    /// program's position in the launch order of the block.
    pub fn start(
        cx: &mut Context<'_>,
        case: u32,
        variant: u32,
        block: u32,
        place: u32,
    ) -> Result<Launching, Failure> {
        let (origin, launch) = match cx.launcher.attached {
            Some(_) => attach(cx, case, variant)?,
            None => launch(cx, case, variant, block)?,
        };
        Ok(Launching { origin, launch, variant, block, place, case })
    }

    /// Waits for the hello of the program.
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
            let place = FaultSite::case(self.case, opened, "", (self.launch.process, self.variant));
            let failure = fault::of_link(&place, "launch", &fault, &link);
            link.kill();
            failure
        })?;
        let hello = &link.hello;
        let at_ns = cx.now_ns();
        cx.emit(Event::ProcessStarted(ProcessStart {
            process: self.launch.process,
            variant: self.variant,
            block: self.block,
            command: self.launch.command,
            pid: hello.pid,
            language: hello.language.clone(),
            runtime: hello.runtime.clone(),
            harness: hello.harness.clone(),
            clock_step_ns: hello.step_ns,
            launch_ns: link.launch_ns,
            padding: self.launch.padding,
            build: self.launch.build,
            binary: self.launch.binary,
            settings: hello.settings.iter().cloned().collect(),
            collector: Some(wire::collector(hello.collector)),
            at_ns,
            place: Some(self.place),
            machine: None,
            wave: self.launch.wave,
        }));
        let (process, variant, block, build) =
            (self.launch.process, self.variant, self.block, self.launch.build);
        let mut process = HarnessProcess::new(process, variant, block, build, self.place, link);
        process.wave = self.launch.wave;
        process.program = format!("{} {:016x}", process.runtime, self.launch.way);
        Ok(process)
    }
}

/// Starts the program of a variant.
fn launch(cx: &mut Context<'_>, case: u32, variant: u32, block: u32) -> Result<(Origin, Launch), Failure> {
    let (declared, source) = cx.catalogue.opened(case, variant);
    let opened = &cx.variants[variant as usize];
    let build = if source.is_built_apart() { cx.launcher.builds.of(block, case) } else { 0 };
    let directory = source.root_for(opened).join(&source.directory);
    let env: Vec<_> = source.env.iter().chain(&opened.env).cloned().collect();
    let way = (source.words(opened, build, &[]), directory.clone(), env);
    // Ignore a folder that cannot be created. If the disk is full, writing the results fails too and is
    // reported.
    let scratch =
        cx.launcher.scratch.folder(&way, cx.launcher.reaper).ok().map(|folder| folder.display().to_string());
    let setup = cx.global_setup(case, variant, &way, scratch.clone())?;
    let words = source.words(opened, build, &declared.args);
    let binary = binary::identity(&words, &directory);
    let mut command = cx.settings.profiler.clone();
    command.extend(words);
    let padding = cx.rng.below(4096) as u32;
    let mut env: Vec<_> = source.env.iter().chain(&declared.env).chain(&opened.env).cloned().collect();
    let hash = hash(&command, &env, binary.as_deref());
    env.extend(per_block::variables(&source.env_per_block, &env, cx.seed, block));
    env.extend(setup.map(|number| (PREPARER.to_string(), number.to_string())));
    env.extend(scratch.map(|folder| (SCRATCH.to_string(), folder)));
    let (echo, descriptors) = (cx.launcher.echo, source.descriptors);
    let spec = LaunchSpec { command, env, directory, padding, echo, capture: None, descriptors };
    let process = next_process(cx);
    let starting = Starting::launch(&spec, cx.launcher.reaper, cx.launcher.trace).map_err(|fault| {
        let place = FaultSite::case(case, declared, "", (process, variant));
        let mut failure = fault::failure(&place, "launch", &fault, &[]);
        match cx.settings.profiler.first() {
            Some(profiler) => {
                failure.what = format!("the profiler `{profiler}` could not be started");
                failure.remedy = "use --profiler with a program on the PATH".into();
            }
            None => fault::not_started(&mut failure, source, opened),
        }
        failure
    })?;
    let (command, wave) = (spec.command, cx.launcher.wave);
    let launch = Launch { process, command, padding, build, binary, way: hash, wave };
    Ok((Origin::Launched(Box::new(starting)), launch))
}

/// Takes the attached session. Each of its visits counts as a separate process.
fn attach(cx: &mut Context<'_>, case: u32, variant: u32) -> Result<(Origin, Launch), Failure> {
    let process = next_process(cx);
    let link = cx.launcher.attached.as_mut().and_then(|attached| attached.take()).ok_or_else(|| {
        let opened = cx.catalogue.opened(case, variant).0;
        let place = FaultSite::case(case, opened, "", (process, variant));
        fault::failure(&place, "attach", &Fault::Ended(Ended::UNKNOWN), &[])
    })?;
    let launch = Launch { process, command: vec!["(attached)".to_string()], ..Launch::default() };
    Ok((Origin::Attached(Box::new(link)), launch))
}

fn next_process(cx: &mut Context<'_>) -> u32 {
    let process = cx.launcher.next_process;
    cx.launcher.next_process += 1;
    process
}

fn hash(words: &[String], env: &[(String, String)], binary: Option<&str>) -> u64 {
    let mut hash = Fnv::new();
    words.iter().for_each(|word| _ = hash.write(word.as_bytes()));
    env.iter().for_each(|(name, value)| _ = hash.write(name.as_bytes()).write(value.as_bytes()));
    hash.write(binary.unwrap_or_default().as_bytes()).finish()
}
