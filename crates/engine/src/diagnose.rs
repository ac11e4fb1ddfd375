//! The diagnostic pass: after measuring, one short process per case, variant and diagnosis, launched with what an SDK says
//! makes the runtime tell of itself. What it does is never mixed with measurements: nothing of it is timed or stored with
//! the run, and only files and lines come of it.

use crate::discover::catalogue::Catalogue;
use crate::discover::sdk::Diagnosis;
use crate::launch::LaunchSpec;
use crate::launch::link::{Fault, Link, Starting};
use crate::launch::reaper::Reaper;
use derny_model::{Case, Diagnosed, Timing, Variant};
use derny_protocol::{Answer, Command};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the body is called over and over: long enough for an optimising compiler to have done its work.
const CALLED_FOR: Duration = Duration::from_millis(700);
/// Time of one turn.
const TURN_NS: u64 = 2_000_000;
/// Aimed time of a batch.
const BATCH_NS: u64 = 20_000;
/// Lines that are shown of what a diagnosis told.
const SHOWN: usize = 5;
/// Of files larger than this, in bytes, nothing is shown.
const MOST_READ: u64 = 64 << 20;

/// What the pass needs.
pub struct Pass<'a> {
    /// What was measured.
    pub catalogue: &'a Catalogue,
    /// Ways to launch.
    pub variants: &'a [Variant],
    /// Names asked for; empty for all that there are.
    pub names: &'a [String],
    /// Where files go; a folder each.
    pub folder: &'a Path,
    /// Time-out of one answer.
    pub timeout: Duration,
    /// The watcher.
    pub reaper: Option<&'a Reaper>,
    /// The user's wish to stop.
    pub stop: &'a AtomicBool,
}

impl Pass<'_> {
    /// Names of the diagnoses that the sources of these cases have.
    pub fn known(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for case in 0..self.catalogue.cases.len() as u32 {
            let diagnoses = self.catalogue.source(case).diagnose.iter().map(|one| one.name.as_str());
            diagnoses.for_each(|name| {
                if !names.contains(&name) {
                    names.push(name)
                }
            });
        }
        names
    }

    /// Goes through all cases that `keep` names.
    pub fn run(&self, keep: impl Fn(u32) -> bool) -> Vec<Diagnosed> {
        let mut found = Vec::new();
        for case in (0..self.catalogue.cases.len() as u32).filter(|&case| keep(case)) {
            for variant in (0..self.variants.len() as u32).filter(|&v| !self.variants[v as usize].control) {
                let (_, source) = self.catalogue.opened(case, variant);
                let wanted = |one: &&Diagnosis| self.names.is_empty() || self.names.contains(&one.name);
                for diagnosis in source.diagnose.iter().filter(wanted) {
                    if self.stop.load(Ordering::Relaxed) {
                        return found;
                    }
                    found.push(self.one(case, variant, diagnosis));
                }
            }
        }
        found
    }

    fn one(&self, case: u32, variant: u32, diagnosis: &Diagnosis) -> Diagnosed {
        let (declared, _) = self.catalogue.opened(case, variant);
        let way = &self.variants[variant as usize];
        // Numbers: names of cases may hold what a path may not.
        let out = self.folder.join(format!("{}-{case}-{variant}", diagnosis.name));
        let mut found = Diagnosed {
            case: declared.id.to_string(),
            variant: way.name.clone(),
            name: diagnosis.name.clone(),
            about: diagnosis.about.clone(),
            files: Vec::new(),
            lines: 0,
            excerpt: Vec::new(),
            problem: None,
        };
        let printed = out.join("output.txt");
        if let Err(error) = fs::create_dir_all(&out) {
            found.problem = Some(format!("cannot write {}: {error}", out.display()));
            return found;
        }
        found.problem = self.drive(case, variant, diagnosis, &out, &printed).err().map(|fault| told(&fault));
        read(&out, diagnosis, &mut found);
        found
    }

    /// Calls the body for a while in a process of its own.
    fn drive(
        &self,
        case: u32,
        variant: u32,
        diagnosis: &Diagnosis,
        out: &Path,
        printed: &Path,
    ) -> Result<(), Fault> {
        let (declared, source) = self.catalogue.opened(case, variant);
        let way = &self.variants[variant as usize];
        let fill = |text: &String| text.replace("{out}", &out.display().to_string());
        let args: Vec<String> =
            declared.args.iter().cloned().chain(diagnosis.args.iter().map(fill)).collect();
        let own = diagnosis.env.iter().map(|(name, value)| (name.clone(), fill(value)));
        let spec = LaunchSpec {
            command: source.words(way, 0, &args),
            env: source.env.iter().chain(&declared.env).chain(&way.env).cloned().chain(own).collect(),
            directory: source.root_for(way).join(&source.directory),
            padding: 0,
            echo: false,
            capture: Some(printed.to_path_buf()),
            descriptors: source.descriptors,
        };
        let starting = Starting::launch(&spec, self.reaper, false)?;
        let mut link = starting.hello(self.timeout, self.stop).map_err(|(fault, _)| fault)?;
        let called = self.call(&mut link, declared);
        // Profiles are written at the end: leave it time for that.
        link.quit(Duration::from_secs(10));
        called
    }

    fn call(&self, link: &mut Link, case: &Case) -> Result<(), Fault> {
        link.learn(&crate::discover::catalogue::to_wire(case));
        let open = crate::discover::catalogue::open(case);
        if let Answer::Skipped { .. } = link.ask(&open, self.timeout, self.stop)? {
            return Ok(());
        }
        let start = Instant::now();
        let most = case.max_iterations.unwrap_or(u64::MAX).max(1);
        let mut iterations = 1;
        loop {
            let (batches, within_ns) = (100, TURN_NS);
            let command =
                Command::Measure { iterations, batches, within_ns, lead_ns: 0, mode: None, hash: false };
            let answer = link.ask(&command, self.timeout, self.stop)?;
            // A body that times itself may run once only, and has done its work then.
            if case.timing == Timing::SelfTimed || start.elapsed() > CALLED_FOR {
                break;
            }
            if let Answer::Turn(turn) = answer {
                let longest = turn.times.iter().flatten().copied().max().unwrap_or(BATCH_NS).max(1);
                if longest < BATCH_NS / 2 {
                    iterations = (iterations * (BATCH_NS / longest).clamp(2, 16)).min(most);
                }
            }
        }
        link.ask(&Command::Close, self.timeout, self.stop).map(|_| ())
    }
}

fn told(fault: &Fault) -> String {
    match fault {
        Fault::Start(error) => format!("the process could not be started: {error}"),
        Fault::Ended(ended) => format!("the process ended: {}", ended.text()),
        Fault::TimedOut(_) => "the process did not answer in time".to_string(),
        Fault::Protocol(error) => error.to_string(),
        Fault::Failed { message, .. } => message.clone(),
        Fault::Unsupported(verb) => format!("the harness does not know `{verb}`"),
        Fault::Interrupted => "interrupted".to_string(),
    }
}

/// Files in `out` that are not empty, and the lines of them that tell something.
fn read(out: &Path, diagnosis: &Diagnosis, found: &mut Diagnosed) {
    let mut files: Vec<PathBuf> =
        fs::read_dir(out).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for path in files {
        let bytes = path.metadata().map_or(0, |data| data.len());
        if bytes == 0 {
            let _ = fs::remove_file(&path);
            continue;
        }
        found.files.push(path.display().to_string());
        let Some(part) = diagnosis.lines.as_ref().filter(|_| bytes <= MOST_READ) else { continue };
        let text = fs::read(&path).unwrap_or_default();
        for line in String::from_utf8_lossy(&text).lines().filter(|line| line.contains(part.as_str())) {
            found.lines += 1;
            if found.excerpt.len() < SHOWN {
                found.excerpt.push(line.trim().chars().take(300).collect());
            }
        }
    }
}
