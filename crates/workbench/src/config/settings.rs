//! Settings: a value and its origin for every key. In order of precedence: flag, environment, profile,
//! project file, user file, default.

use crate::config::options::Stated;
use crate::config::units;
use crate::config::values::Values;
pub use crate::config::values::{Layers, Origin};
use crate::error::Result;
use derny_analysis::template::Template;
use derny_engine::discover::pattern::closest;
use derny_engine::discover::project::{Project, ProjectFile};
use derny_engine::observe::machine;
use derny_engine::plan::quick_processes;
use derny_estimate::reject;
use derny_model::{Isolation, Problem, Settings, problem};
use std::path::PathBuf;

/// One setting: its name, its default and its description. The flag is `--set name=value`, the variable
/// `DERNY_NAME`.
pub struct Key {
    /// Key in kebab case.
    pub name: &'static str,
    /// Default value, in the form that users type.
    pub default: &'static str,
    /// Short description for `derny config`, the help, the manual and the schema.
    pub about: &'static str,
}

/// Metrics that Derny derives from others, or that are short names for others.
pub(crate) const MADE_METRICS: [&str; 4] = ["time", "mean", "gc", "alloc"];

const fn key(name: &'static str, default: &'static str, about: &'static str) -> Key {
    Key { name, default, about }
}

/// All settings, in the order in which they are listed.
pub const KEYS: &[Key] = &[
    key("budget", "10s", "wall time per case (30s for a comparison, 2s with --quick)"),
    key(
        "total",
        "none",
        "time limit of the whole run, such as 5m; without it, twice the sum of its cases' budgets",
    ),
    key("precision", "1%", "stop a case when its interval is within this share of its estimate"),
    key("confidence", "0.95", "confidence of intervals, such as 95 or 0.95"),
    key(
        "processes",
        "40",
        "maximum number of processes per case, or pairs with variants (4 or 8 with --quick)",
    ),
    key("rounds", "auto", "measured rounds per process; auto is 6, and more if a pair is noisy"),
    key("turn-time", "2ms", "time of one request to a harness; half of it if compiled code is compared"),
    key("batch-time", "auto", "target time of a batch; auto is 20us, and 100us for a body that times itself"),
    key("duration", "none", "measured time per process, instead of rounds"),
    key("warmup", "auto", "time limit of the warm-up per process; 0 for none"),
    key("gc", "auto", "when to force a collection: auto, never, process or round"),
    key("reject", "none", "repeat turns disturbed by any of: gc, compile, classload, preempted"),
    key("timeout", "60s", "time limit for each answer of a harness"),
    key("build-timeout", "1h", "time limit of each build command"),
    key("pin", "auto", "processors to measure on, such as 0,2-3, or none"),
    key("isolation", "auto", "one case per process (case) or many (suite)"),
    key("metrics", "all", "metrics to show: time, mean, alloc, gc, cpu, or any that a harness reads"),
    key("modes", "auto", "additional modes to measure: auto (all, briefly), none, or names (in full)"),
    key("memory", "auto", "memory limit of a harness, such as 2G"),
    key("wave", "8", "maximum number of processes, or pairs, alive at the same time"),
    key("name-template", "none", "extract parameters from benchmark names, as in 'Hash {file} by {chunk}'"),
    key("builds", "none", "builds of each side, from 2 to 64, each with a different code layout"),
    key("mean", "auto", "judge mean time if allocations, collections or totals differ (auto), or always"),
    key("ladder", "no", "let iterations grow by 5 % per round, for criterion: yes or no"),
    key("witness", "no", "test if programs cheat the measurement (DY234): yes or no"),
];

/// Merges the layers of settings. Later layers override earlier ones.
///
/// # Errors
/// Fails if a file cannot be parsed, if a key or the profile does not exist, or if `--set` sets a key twice.
pub fn layers(project: &Project, stated: &Stated) -> Result<Layers> {
    let mut layers: Layers =
        KEYS.iter().map(|key| (key.name, (key.default.to_string(), Origin::Default))).collect();
    if let Some((path, table)) = user_file()? {
        put_table(&mut layers, &table, &path.display().to_string())?;
    }
    let file = project.file.as_ref().map_or_else(String::new, |path| path.display().to_string());
    put_table(&mut layers, &project.content.settings, &file)?;
    for (name, table) in &project.content.profile {
        // Also read the profiles that are not in use, to report a mistake in any of them.
        put_table(&mut layers.clone(), table, &format!("{file} [profile.{name}]"))?;
    }
    if let Some(name) = &stated.profile {
        let table = project.content.profile.get(name).ok_or_else(|| {
            let known: Vec<&str> = project.content.profile.keys().map(String::as_str).collect();
            match known.is_empty() {
                true => problem!("there is no profile `{name}`")
                    .why("the project's derny.toml has no [profile.NAME]")
                    .remedy(format_args!("add [profile.{name}] to derny.toml, or omit --profile")),
                false => problem!("there is no [profile.{name}]").place(&file).known(known.join(", ")),
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
    let mut keys = Vec::new();
    for text in &stated.set {
        let (key, value) = set(text)?;
        if keys.contains(&key) {
            return Err(problem!("`{key}` is set twice")
                .place(format_args!("--set {text}"))
                .remedy("use one --set per setting, with commas between values: --set metrics=time,alloc")
                .into());
        }
        keys.push(key);
        layers.insert(key, (value, Origin::Flag));
    }
    Ok(layers)
}

/// Parses the value of `--set`, which has the form `KEY=VALUE`.
///
/// # Errors
/// Fails if there is no such setting, or if it has no value. The error suggests the nearest name.
pub fn set(text: &str) -> Result<(&'static str, String)> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let wrong = |problem: Problem| problem.place(format_args!("--set {text}"));
    let Some(key) = KEYS.iter().find(|key| key.name == name) else {
        let near = closest(name, KEYS.iter().map(|key| key.name)).into_iter().next();
        let remedy = near.map_or("`derny help settings` lists all".to_owned(), |near| {
            format!("use --set {near}={}", if value.is_empty() { "VALUE" } else { value })
        });
        return Err(wrong(problem!("`{name}` is not a setting")).remedy(remedy).into());
    };
    if value.is_empty() {
        let what = wrong(problem!("the setting `{name}` has no value"));
        return Err(what.remedy(format_args!("add a value, such as --set {name}={}", key.default)).into());
    }
    Ok((key.name, value.to_owned()))
}

/// Reads the user's own configuration file: `derny/derny.toml` in the configuration folder. Returns its path
/// and content, or None if there is no such file.
fn user_file() -> Result<Option<(PathBuf, toml::Table)>> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".config"));
    let Some(folder) = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home) else {
        return Ok(None);
    };
    let path = folder.join("derny/derny.toml");
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let table: toml::Table = text.parse().map_err(|why| problem!("cannot read {}: {why}", path.display()))?;
    Ok(Some((path, table)))
}

fn put_table(layers: &mut Layers, table: &toml::Table, origin: &str) -> Result<()> {
    for (name, value) in table {
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let keys = KEYS.iter().map(|key| key.name).chain(ProjectFile::PLACES).chain(ProjectFile::TABLES);
            let known = closest(name, keys);
            let hint = known
                .first()
                .map_or_else(|| "`derny config` lists all keys".to_string(), |near| format!("use `{near}`"));
            return Err(problem!("`{name}` is not a setting").place(origin).remedy(hint).into());
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

/// Command-line options, other than settings, that affect a measurement.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mode {
    /// `--once`: run every case once.
    pub once: bool,
    /// True to request the smallest valid input of each benchmark.
    pub smallest: bool,
    /// `--quick`: measure briefly.
    pub quick: bool,
    /// `--control`: add an A/A control.
    pub control: bool,
    /// `--precise`: continue after a verdict until the precision is reached.
    pub precise: bool,
    /// Number of variants. 0 means 1.
    pub variants: u32,
    /// True for `derny dev attach`.
    pub attached: bool,
}

/// Maximum number of builds per variant, each with a different layout.
const MOST_BUILDS: u32 = 64;

/// Maximum number of processes per case. Launching this many already takes hours.
const MOST_PROCESSES: u32 = 10_000;

/// Resolves all settings.
///
/// # Errors
/// Fails if a value is invalid. The error names the key and its origin.
pub fn resolve(layers: &Layers, mode: Mode, profiler: Vec<String>) -> Result<Settings> {
    let values = Values(layers);
    let reject = values.some_of("reject", &reject::CAUSES.map(|(cause, _)| cause))?;
    let budget_ns = budget_ns(values, mode)?;
    let processes = match mode.quick && values.is_unset("processes") {
        true => quick_processes(budget_ns, mode.variants.max(1)),
        false => values.number("processes")?,
    };
    check(mode, processes)?;
    Ok(Settings {
        budget_ns,
        total_ns: values.optional_time("total")?,
        precision: precision(values.text("precision")).map_err(values.wrong("precision"))?,
        precision_asked: !values.is_unset("precision"),
        confidence: units::confidence(values.text("confidence")).map_err(values.wrong("confidence"))?,
        // Planning later sets `margin`, `mean_margin` and `gate`, from `[gate]`, `--margin`, `--mean-margin`
        // and `--fail-on`.
        margin: Settings::default().margin,
        mean_margin: None,
        mean: values.one_of("mean", &["auto", "always"])? == "always",
        // The plan turns this off if the benchmarks cannot run in waves.
        waves: true,
        gate: None,
        processes,
        rounds: if values.text("rounds") == "auto" { None } else { Some(values.number("rounds")?) },
        turn_ns: values.time("turn-time")?.max(1_000),
        batch_ns: values.optional_time("batch-time")?,
        duration_ns: values.optional_time("duration")?,
        warmup_ns: values.optional_time("warmup")?,
        gc: values.one_of("gc", &["auto", "never", "process", "round"])?.to_owned(),
        reject,
        timeout_ns: values.time("timeout")?,
        build_timeout_ns: values.time("build-timeout")?,
        pin: pin(values.text("pin")).map_err(values.wrong("pin"))?,
        isolation: match values.one_of("isolation", &["auto", "case", "suite"])? {
            "case" => Some(Isolation::Case),
            "suite" => Some(Isolation::Suite),
            _ => None,
        },
        control: mode.control,
        precise: mode.precise,
        once: mode.once,
        quick: mode.quick,
        ladder: is_yes(values, "ladder")?,
        metrics: values.list("metrics"),
        profiler,
        memory_bytes: memory_bytes(values.text("memory")).map_err(values.wrong("memory"))?,
        wave: values.number("wave")?,
        builds: builds(values, processes)?,
        modes: (values.text("modes") != "auto").then(|| values.list("modes")),
        attached: mode.attached,
        name_template: name_template(values.text("name-template")).map_err(values.wrong("name-template"))?,
        witness: is_yes(values, "witness")?,
    })
}

/// Returns true if the setting `key` is `yes` or `true`. Fails unless it is one of these, `no` or `false`.
fn is_yes(values: Values<'_>, key: &'static str) -> Result<bool> {
    Ok(matches!(values.one_of(key, &["no", "yes", "false", "true"])?, "yes" | "true"))
}

/// Fails if options contradict each other, or if there are too many processes.
fn check(mode: Mode, processes: u32) -> Result<()> {
    if mode.quick && mode.precise {
        return Err(problem!(
            "--quick and --precise cannot be combined: one stops early, the other continues \
            after a verdict"
        )
        .remedy("omit one of them")
        .into());
    }
    if processes > MOST_PROCESSES {
        return Err(problem!("`processes` is {processes}: it must be at most {MOST_PROCESSES}")
            .remedy("use --set precision=1%, which stops a case once it is reached")
            .into());
    }
    Ok(())
}

/// Returns the time budget per case, in ns. Its default depends on the kind of run.
fn budget_ns(values: Values<'_>, mode: Mode) -> Result<u64> {
    match values.is_unset("budget") {
        true if mode.quick => Ok(2_000_000_000),
        true if mode.variants > 1 => Ok(30_000_000_000),
        _ => Ok(values.time("budget")?),
    }
}

fn precision(text: &str) -> Result<f64, String> {
    let share = units::share(text)?;
    if share < 1.0 {
        return Ok(share);
    }
    Err(format!("`{text}` is not a precision; write a share below 100%, such as 1%"))
}

fn memory_bytes(text: &str) -> Result<Option<u64>, String> {
    match text {
        "none" => Ok(None),
        // Using more than half of the free memory risks swapping, which would spoil the measurements.
        "auto" => Ok(derny_engine::observe::memory::available_bytes().map(|bytes| bytes / 2)),
        text => units::bytes(text).map(Some),
    }
}

fn name_template(text: &str) -> Result<Option<String>, String> {
    match text {
        "none" | "" => Ok(None),
        text => Template::parse(text).map(|_| Some(text.to_owned())),
    }
}

/// Returns the number of builds, or 0 for `none`. Fails if it is out of range, or if there are more builds
/// than processes, because each build needs at least one block.
fn builds(values: Values<'_>, processes: u32) -> Result<u32> {
    if values.text("builds") == "none" {
        return Ok(0);
    }
    let builds = values.number("builds")?;
    if !(2..=MOST_BUILDS).contains(&builds) {
        let why = format!("`{builds}` is out of range: write a number of builds from 2 to {MOST_BUILDS}");
        return Err(values.wrong("builds")(why).into());
    }
    if builds > processes {
        return Err(problem!("{builds} builds need {builds} processes, but `processes` is {processes}")
            .remedy(format_args!("use --set processes={builds}"))
            .into());
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
                Some(missing) => Err(format!("processor {missing} is not available to this process")),
                None => Ok(set),
            }
        }
    }
}
