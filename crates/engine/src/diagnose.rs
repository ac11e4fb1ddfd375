//! Diagnoses: reports that a runtime makes about itself, such as a profile. After measuring, one short
//! process per case, variant and diagnosis calls the body, with options that make the runtime write the
//! report. Nothing is timed or stored with the run: the results are files and excerpts of them.

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

/// Time for which the body is called repeatedly. It is long enough for a just-in-time compiler to optimise
/// the body.
const CALLED_FOR: Duration = Duration::from_millis(700);
/// Time of one turn, in ns.
const TURN_NS: u64 = 2_000_000;
/// Target time of a batch, in ns.
const BATCH_NS: u64 = 20_000;
/// Maximum number of lines to show of a diagnosis.
const SHOWN: usize = 5;
/// Maximum size in bytes of a file that is searched for lines to show.
const MOST_READ: u64 = 64 << 20;

/// The cases and variants to diagnose, and the options.
pub struct Pass<'a> {
    /// The measured cases.
    pub catalogue: &'a Catalogue,
    /// The variants of the run. Controls are not diagnosed.
    pub variants: &'a [Variant],
    /// Names of the requested diagnoses. Empty for all.
    pub names: &'a [String],
    /// Folder for the files that diagnoses write, with a subfolder for each diagnosis.
    pub folder: &'a Path,
    /// Time limit for each answer of a harness.
    pub timeout: Duration,
    /// The reaper that ends the processes if the engine is killed.
    pub reaper: Option<&'a Reaper>,
    /// Set when the user interrupts the run.
    pub stop: &'a AtomicBool,
}

impl Pass<'_> {
    /// Returns the names of the diagnoses that are available for these cases.
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

    /// Runs the diagnoses for the cases for which `keep` returns true.
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
        // The folder's name contains the number of the case, because the name of the case may contain
        // characters that are invalid in paths.
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

    /// Calls the body of a case repeatedly in a separate process.
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
        // A process writes its profile when it ends, which may take long.
        link.quit(Duration::from_secs(10));
        called
    }

    fn call(&self, link: &mut Link, case: &Case) -> Result<(), Fault> {
        link.learn(&crate::discover::wire::to_wire(case));
        let open = crate::discover::wire::open(case);
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
            // A self-timed body may run only once. One call is enough for a diagnosis.
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
        Fault::Unsupported(verb) => format!("the harness does not support `{verb}`"),
        Fault::Interrupted => "interrupted".to_string(),
    }
}

/// Deletes the empty files in `out`. Records the others, and the lines of them that contain
/// `diagnosis.lines`.
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
