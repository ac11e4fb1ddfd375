//! Settings: a value and its origin for every key. Flag before environment before profile before
//! project file before user file before default.

use crate::config::options::Stated;
use crate::config::units;
use crate::error::{Result, refuse, refused};
use derny_analysis::template::Template;
use derny_engine::discover::pattern::closest;
use derny_engine::discover::project::Project;
use derny_engine::observe::machine;
use derny_engine::plan::quick_processes;
use derny_estimate::reject;
use derny_model::{Isolation, Settings};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One setting: its name, its default and what it means. The flag is `--name`, the variable `DERNY_NAME`.
pub struct Key {
    /// Kebab-case.
    pub name: &'static str,
    /// Default, as typed.
    pub default: &'static str,
    /// What it means, for `derny config`, help, manual and schema.
    pub about: &'static str,
}

/// Metrics that are made of times, or short for others.
pub(crate) const MADE_METRICS: [&str; 4] = ["time", "mean", "gc", "alloc"];

const fn key(name: &'static str, default: &'static str, about: &'static str) -> Key {
    Key { name, default, about }
}

/// All settings.
pub const KEYS: &[Key] = &[
    key("budget", "10s", "wall time per case (30s for a comparison, 2s with --quick)"),
    key("total", "none", "bound of the whole run, such as 5m; without it twice the budgets of its cases"),
    key("precision", "1%", "stop a case when its interval is within this share of its estimate"),
    key("confidence", "0.95", "confidence of intervals, such as 95 or 0.95"),
    key("processes", "40", "most processes per case, or pairs with variants (4 or 8 with --quick)"),
    key("rounds", "auto", "measured rounds per process; auto is 12, and more where a pair is noisy"),
    key("turn-time", "2ms", "time of one request to a harness; half of it where compiled code is compared"),
    key("batch-time", "auto", "aimed time of a batch; auto is 20us, and 100us for a body that times itself"),
    key("duration", "none", "measured time per process, instead of rounds"),
    key("warmup", "auto", "bound of the warm-up per process; 0 for none"),
    key("gc", "auto", "when to ask for a collection: auto, never, process or round"),
    key("reject", "none", "measure turns again that were hit by these: gc, compile, classload, preempted"),
    key("timeout", "60s", "longest wait for an answer"),
    key("pin", "auto", "processors to measure on, such as 0,2-3, or none"),
    key("isolation", "auto", "one case per process (case) or many (suite)"),
    key("metrics", "all", "metrics to show: time, mean, alloc, gc, cpu, or any that a harness reads"),
    key("modes", "auto", "other ways of measuring: auto (all, briefly), none, or names (in full)"),
    key("memory", "auto", "memory of a harness, such as 2G"),
    key("wave", "8", "processes (pairs) alive together"),
    key("name-template", "none", "make parameters of benchmarks' names: 'Hash {file} by {chunk}'"),
];

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// A file and its table.
    File(String),
    /// A variable.
    Environment(String),
    /// The command line.
    Flag,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File(text) | Origin::Environment(text) => f.write_str(text),
            Origin::Flag => f.write_str("command line"),
        }
    }
}

/// Every key with its value as typed, and where it came from.
pub type Layers = BTreeMap<&'static str, (String, Origin)>;

/// Puts the layers on each other.
pub fn layers(project: &Project, stated: &Stated) -> Result<Layers> {
    let mut layers: Layers =
        KEYS.iter().map(|key| (key.name, (key.default.to_string(), Origin::Default))).collect();
    if let Some((path, table)) = user_file()? {
        put_table(&mut layers, &table, &format!("{} [defaults]", path.display()))?;
    }
    let file = project.file.as_ref().map_or_else(String::new, |path| path.display().to_string());
    put_table(&mut layers, &project.content.defaults, &format!("{file} [defaults]"))?;
    for (name, table) in &project.content.profile {
        // One that is not in use is read too: a mistake should not wait for the day of its use.
        put_table(&mut layers.clone(), table, &format!("{file} [profile.{name}]"))?;
    }
    if let Some(name) = &stated.profile {
        let table = project.content.profile.get(name).ok_or_else(|| {
            let known: Vec<&str> = project.content.profile.keys().map(String::as_str).collect();
            match known.is_empty() {
                true => refused!(
                    "there is no profile `{name}`\n  why    the project's derny.toml has no [profile.NAME]\n  try    \
                     [profile.{name}] in derny.toml, or without --profile"
                ),
                false => refused!("there is no [profile.{name}]\n  where  {file}\n  known  {}", known.join(", ")),
            }
        })?;
        put_table(&mut layers, table, &format!("{file} [profile.{name}]"))?;
    }
    for key in KEYS {
        let variable = format!("DERNY_{}", key.name.replace('-', "_").to_ascii_uppercase());
        if let Ok(value) = std::env::var(&variable)
            && !value.is_empty()
        {
            layers.insert(key.name, (value, Origin::Environment(variable)));
        }
    }
    for (name, value) in &stated.values {
        layers.insert(*name, (value.clone(), Origin::Flag));
    }
    Ok(layers)
}

/// The user's own file: `derny/derny.toml` in the folder for configuration.
fn user_file() -> Result<Option<(PathBuf, toml::Table)>> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    let Some(folder) = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home) else {
        return Ok(None);
    };
    let path = folder.join("derny/derny.toml");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let table: toml::Table = text.parse().map_err(|why| refused!("cannot read {}: {why}", path.display()))?;
    let defaults = table.get("defaults").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    Ok(Some((path, defaults)))
}

fn put_table(layers: &mut Layers, table: &toml::Table, origin: &str) -> Result<()> {
    for (name, value) in table {
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let known = closest(name, KEYS.iter().map(|key| key.name));
            let hint = known.first().map_or_else(
                || "`derny config` shows every key that is known".to_string(),
                |near| format!("did you mean `{near}`?"),
            );
            refuse!("`{name}` is no setting\n  where  {origin}\n  try    {hint}");
        };
        let text = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Array(items) => items
                .iter()
                .map(|item| item.as_str().map_or_else(|| item.to_string(), String::from))
                .collect::<Vec<_>>()
                .join(","),
            other => other.to_string(),
        };
        layers.insert(key.name, (text, Origin::File(origin.to_string())));
    }
    Ok(())
}

/// What of the command line shapes a measurement beside the settings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mode {
    /// `--once`.
    pub once: bool,
    /// Benchmarks are asked for their smallest honest form.
    pub smallest: bool,
    /// `--quick`.
    pub quick: bool,
    /// `--control`.
    pub control: bool,
    /// `--precise`.
    pub precise: bool,
    /// `--mean`.
    pub mean: bool,
    /// `--ladder`.
    pub ladder: bool,
    /// Variants; 0 and 1 are the same.
    pub variants: u32,
    /// `--builds`.
    pub builds: u32,
    /// `derny attach`.
    pub attached: bool,
}

/// Reads every value. Errors name the key and its origin.
pub fn resolve(layers: &Layers, mode: Mode, profiler: Vec<String>) -> Result<Settings> {
    let text = |name: &str| layers[name].0.as_str();
    let unset = |name: &str| layers[name].1 == Origin::Default;
    let wrong =
        |name: &'static str| move |why: String| refused!("{why}\n  where  `{name}` from {}", layers[name].1);
    let time = |name: &'static str| units::duration_ns(text(name)).map_err(wrong(name));
    let maybe_time = |name: &'static str| match text(name) {
        "none" | "auto" => Ok(None),
        _ => time(name).map(Some),
    };
    let number = |name: &'static str| {
        text(name)
            .parse::<u32>()
            .ok()
            .filter(|n| *n > 0)
            .ok_or_else(|| wrong(name)(format!("`{}` is no count", text(name))))
    };
    let none_of = |name: &'static str, word: &str, words: &[&str]| {
        let error = wrong(name)(format!("`{word}` is none of {}", words.join(", ")));
        match closest(word, words.iter().copied()).first() {
            Some(near) => refused!("{error}\n  try    did you mean `{near}`?"),
            None => error,
        }
    };
    let one_of = |name: &'static str, words: &[&str]| match words.contains(&text(name)) {
        true => Ok(text(name).to_string()),
        false => Err(none_of(name, text(name), words)),
    };
    let list = |name: &str| match text(name) {
        "none" | "all" | "" => Vec::new(),
        items => items.split(',').map(|item| item.trim().to_string()).collect(),
    };
    let reject: Vec<String> = list("reject");
    let causes = reject::CAUSES.map(|(cause, _)| cause);
    if let Some(unknown) = reject.iter().find(|cause| !causes.contains(&cause.as_str())) {
        return Err(none_of("reject", unknown, &causes));
    }
    let when = |quick, comparison, name: &'static str| match (mode.quick, mode.variants > 1) {
        (true, _) if unset(name) => quick,
        (_, true) if unset(name) => comparison,
        _ => None,
    };
    let budget_ns =
        when(Some(2_000_000_000), Some(30_000_000_000), "budget").map_or_else(|| time("budget"), Ok)?;
    let quick = quick_processes(budget_ns, mode.variants.max(1));
    let processes = if mode.quick && unset("processes") { quick } else { number("processes")? };
    Ok(Settings {
        budget_ns,
        total_ns: maybe_time("total")?,
        precision: units::share(text("precision"))
            .and_then(|share| match share < 1.0 {
                true => Ok(share),
                false => Err(format!(
                    "`{}` is no precision; write a share below 100%, such as 1%",
                    text("precision")
                )),
            })
            .map_err(wrong("precision"))?,
        precision_asked: !unset("precision"),
        confidence: units::confidence(text("confidence")).map_err(wrong("confidence"))?,
        // Of [gate], --margin, --mean-margin and --fail-on: whoever judges sets them.
        margin: Settings::default().margin,
        mean_margin: None,
        mean: mode.mean,
        // Unless what is measured cannot be: the plan says so.
        waves: true,
        gate: None,
        processes,
        rounds: if text("rounds") == "auto" { None } else { Some(number("rounds")?) },
        turn_ns: time("turn-time")?.max(1_000),
        batch_ns: maybe_time("batch-time")?,
        duration_ns: maybe_time("duration")?,
        warmup_ns: maybe_time("warmup")?,
        gc: one_of("gc", &["auto", "never", "process", "round"])?,
        reject,
        timeout_ns: time("timeout")?,
        pin: pin(text("pin")).map_err(wrong("pin"))?,
        isolation: match one_of("isolation", &["auto", "case", "suite"])?.as_str() {
            "case" => Some(Isolation::Case),
            "suite" => Some(Isolation::Suite),
            _ => None,
        },
        control: mode.control,
        precise: mode.precise,
        once: mode.once,
        quick: mode.quick,
        ladder: mode.ladder,
        metrics: list("metrics"),
        profiler,
        memory_bytes: match text("memory") {
            "none" => None,
            // Half of what is free: beyond that the machine would swap, and every time would lie.
            "auto" => derny_engine::observe::memory::available_bytes().map(|bytes| bytes / 2),
            text => Some(units::bytes(text).map_err(wrong("memory"))?),
        },
        wave: number("wave")?,
        builds: builds(mode.builds, processes)?,
        modes: (text("modes") != "auto").then(|| list("modes")),
        attached: mode.attached,
        name_template: match text("name-template") {
            "none" | "" => None,
            text => {
                Template::parse(text).map_err(wrong("name-template"))?;
                Some(text.to_owned())
            }
        },
    })
}

/// Every build is measured by one block at least.
fn builds(builds: u32, processes: u32) -> Result<u32> {
    if builds > processes {
        refuse!(
            "--builds {builds} needs as many processes, and there are {processes} at most\n  try    --processes {builds}"
        );
    }
    Ok(builds)
}

fn pin(text: &str) -> Result<Vec<u32>, String> {
    match text {
        "none" => Ok(Vec::new()),
        "auto" => Ok(machine::processors()),
        set => {
            let (set, allowed) = (units::processors(set)?, derny_engine::os::affinity(0));
            match set.iter().find(|p| !allowed.is_empty() && !allowed.contains(p)) {
                Some(missing) => Err(format!("this process may not use processor {missing}")),
                None => Ok(set),
            }
        }
    }
}
