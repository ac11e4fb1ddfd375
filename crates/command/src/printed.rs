//! Figures that commands print or write: the values of `--metric-from`.
//!
//! One run of a command gives one value per metric. If a run prints several values for one name, their median
//! counts.

use crate::gather::Gathered;
use derny_model::{Problem, problem};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Maximum number of bytes to read of a run's output, or of a file.
pub const MOST: usize = 8 << 20;

/// Maximum number of characters to quote of an invalid number or name.
const QUOTED: usize = 40;

/// Maximum number of lines to show of an output without figures.
const LINES: usize = 5;
/// Maximum number of characters to show of a line without figures.
const LINE_WIDTH: usize = 200;

/// Pattern of a line with a figure, for the sources `metric` and `file`.
const LINE: &str = r"^METRIC ([\w.µ]+)=(\S+)";

const FORMS: &str = "use metric, regex:NAME=PATTERN, json:FILE:PATH or file:FILE";

/// A source of figures: a value of `--metric-from`.
#[derive(Debug, Clone)]
pub struct Source {
    /// The text as typed.
    pub text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// Lines of standard output: `METRIC name=value`.
    Lines,
    /// The text that a pattern's group matches, in lines of standard output.
    Pattern { name: String, pattern: Regex },
    /// Numbers at a path in a JSON text.
    Json { file: Place, path: String, steps: Vec<Step> },
    /// A file that contains lines `METRIC name=value`, or a single number.
    File { file: PathBuf, name: String },
}

#[derive(Debug, Clone)]
enum Place {
    Output,
    File(PathBuf),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    At(usize),
}

/// The figures of one run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Names and values, in order of appearance.
    pub values: Vec<(String, f64)>,
    /// Reasons why values are missing, each with the source.
    pub faults: Vec<String>,
    /// Sources without any value, by index.
    pub silent: Vec<usize>,
    /// The first name that two sources give, with the indices of both.
    pub twice: Option<(String, usize, usize)>,
    /// First lines of standard output, if a source has no value.
    pub head: Vec<String>,
}

impl Figures {
    /// Returns the value of the figure `name`.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.values.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
    }
}

impl Source {
    /// Parses a value of `--metric-from`.
    ///
    /// # Errors
    /// Fails if the form is unknown or incomplete, or if a pattern is invalid or does not have one group.
    pub fn parse(text: &str) -> Result<Source, Problem> {
        let kind = kind(text).map_err(|problem| problem.place(format_args!("--metric-from {text}")))?;
        Ok(Source { text: text.to_owned(), kind })
    }

    /// Returns the name of the figure, unless the command names its figures itself.
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Lines | Kind::File { .. } => None,
            Kind::Pattern { name, .. } => Some(name),
            Kind::Json { path, .. } => Some(path),
        }
    }

    fn file(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Json { file: Place::File(file), .. } | Kind::File { file, .. } => Some(file),
            _ => None,
        }
    }
}

fn kind(text: &str) -> Result<Kind, Problem> {
    if text == "metric" {
        return Ok(Kind::Lines);
    }
    let unknown = || problem!("`{text}` is not a source of figures").remedy(FORMS);
    let (form, rest) = text.split_once(':').ok_or_else(unknown)?;
    match form {
        "regex" => {
            let (name, pattern) = rest.split_once('=').ok_or_else(unknown)?;
            Ok(Kind::Pattern { name: checked(name)?, pattern: compiled(pattern)? })
        }
        "json" => {
            let (file, path) =
                rest.split_once(':').filter(|(file, _)| !file.is_empty()).ok_or_else(unknown)?;
            let file = if file == "-" { Place::Output } else { Place::File(file.into()) };
            Ok(Kind::Json { file, path: checked(path)?, steps: steps(path)? })
        }
        "file" if !rest.is_empty() => {
            let file = PathBuf::from(rest);
            let name = file.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            Ok(Kind::File { name: checked(&name)?, file })
        }
        _ => Err(unknown()),
    }
}

/// Checks the name of a metric, and returns it. It must not contain the separators of lists and messages.
///
/// # Errors
/// Fails if the name is empty, begins or ends with whitespace, or contains a comma, a colon or a control
/// character.
pub fn checked(name: &str) -> Result<String, Problem> {
    if name.is_empty()
        || name.trim() != name
        || name.contains(|c: char| matches!(c, ',' | ':') || c.is_control())
    {
        return Err(problem!("`{}` is not a valid metric name", quoted(name))
            .remedy("use a name without commas and colons, such as qps"));
    }
    Ok(name.to_owned())
}

fn compiled(pattern: &str) -> Result<Regex, Problem> {
    let regex = Regex::new(pattern).map_err(|why| {
        let text = why.to_string();
        let reason = text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned();
        problem!("the pattern is invalid: {reason}")
            .remedy("quote it for the shell: 'regex:qps=([0-9.]+) q/s'")
    })?;
    match regex.captures_len() - 1 {
        1 => Ok(regex),
        0 => Err(Problem::new("the pattern has no group")
            .remedy("put parentheses around the number: 'regex:qps=([0-9.]+) q/s'")),
        several => Err(problem!("the pattern has {several} groups")
            .remedy("use (?:…) for all groups but the one around the number")),
    }
}

/// Parses a path such as `a.b[0].c`.
fn steps(path: &str) -> Result<Vec<Step>, Problem> {
    let wrong =
        || problem!("`{path}` is not a path in a JSON text").remedy("use keys and indices, as in a.b[0].c");
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !key.is_empty() {
            steps.push(Step::Key(key.to_owned()));
        } else if rest.is_empty() || !steps.is_empty() {
            return Err(wrong());
        }
        while !rest.is_empty() {
            let (index, left) =
                rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(wrong)?;
            steps.push(Step::At(index.parse().map_err(|_| wrong())?));
            rest = left;
        }
    }
    Ok(steps)
}

/// Modification time of a marked file, as time since the Unix epoch. A file that still has it after a run was
/// not written by that run.
const UNWRITTEN: Duration = Duration::from_secs(1);

/// The files of sources before a run, with the time at which each was last modified.
#[derive(Debug, Default)]
pub struct Marks(Vec<Option<(File, SystemTime)>>);

/// Marks the files of `sources` before a run, so that values of an earlier run are not read again. The
/// contents of the files do not change.
pub fn mark(sources: &[Source], directory: &Path) -> Marks {
    let mark = |source: &Source| {
        let file = File::options().write(true).open(directory.join(source.file()?)).ok()?;
        let before = file.metadata().ok()?.modified().ok()?;
        file.set_modified(SystemTime::UNIX_EPOCH + UNWRITTEN).ok()?;
        Some((file, before))
    };
    Marks(sources.iter().map(mark).collect())
}

impl Marks {
    /// Returns true if a source's file was not written since it was marked. If so, restores its modification
    /// time.
    fn is_unwritten(&self, at: usize, path: &Path) -> bool {
        let Some(Some((file, before))) = self.0.get(at) else { return false };
        let now = std::fs::metadata(path).and_then(|data| data.modified());
        let is_unwritten = now.is_ok_and(|now| now == SystemTime::UNIX_EPOCH + UNWRITTEN);
        if is_unwritten {
            _ = file.set_modified(*before);
        }
        is_unwritten
    }
}

/// Reads the figures of a run: those in its standard `output`, and those of files in its `directory`.
pub(crate) fn read(sources: &[Source], output: &Gathered, directory: &Path, marks: &Marks) -> Figures {
    let text = String::from_utf8_lossy(&output.bytes);
    let mut all = Figures::default();
    let mut owners: Vec<usize> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let mut found = Found::default();
        let written = |file: &Path| written(&directory.join(file), at, marks);
        match &source.kind {
            Kind::Lines => found.lines(&text),
            Kind::Pattern { name, pattern } => found.matches(name, pattern, &text),
            Kind::Json { file, path, steps } => {
                let read = match file {
                    Place::Output => Ok(text.to_string()),
                    Place::File(file) => written(file),
                };
                found.json(read, (path, steps));
            }
            Kind::File { file, name } => found.file(written(file), name),
        }
        if found.values.is_empty() {
            all.silent.push(at);
        }
        all.faults.extend(found.faults.iter().map(|fault| format!("{}: {fault}", source.text)));
        for (name, values) in found.good() {
            match all.values.iter().position(|(own, _)| *own == name) {
                Some(other) => all.twice = all.twice.or(Some((name, owners[other], at))),
                None => {
                    all.values.push((name, median(values)));
                    owners.push(at);
                }
            }
        }
    }
    if !all.faults.is_empty() && output.is_cut {
        all.faults.push(format!("only the last {} MiB of the output were read", MOST >> 20));
    }
    if !all.silent.is_empty() {
        all.head = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).map(line).collect();
    }
    all
}

fn written(path: &Path, at: usize, marks: &Marks) -> Result<String, String> {
    let shown = path.display();
    let file = File::open(path).map_err(|why| format!("{shown}: {why}"))?;
    if marks.is_unwritten(at, path) {
        return Err(format!("the run did not write {shown}"));
    }
    let mut bytes = Vec::new();
    file.take(MOST as u64 + 1).read_to_end(&mut bytes).map_err(|why| format!("{shown}: {why}"))?;
    if bytes.len() > MOST {
        return Err(format!("{shown} is larger than {} MiB", MOST >> 20));
    }
    String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8"))
}

/// The values of one source in one run.
#[derive(Default)]
struct Found {
    values: Vec<(String, Vec<f64>)>,
    /// Names with a value that is not a finite number.
    bad: Vec<String>,
    faults: Vec<String>,
}

impl Found {
    fn add(&mut self, name: &str, text: &str) {
        match text.parse::<f64>().ok().filter(|value| value.is_finite()) {
            Some(value) => self.push(name, value),
            None => {
                self.faults.push(format!("`{}` of {} is not a finite number", quoted(text), quoted(name)));
                self.bad.push(name.to_owned());
            }
        }
    }

    fn push(&mut self, name: &str, value: f64) {
        match self.values.iter_mut().find(|(own, _)| own == name) {
            Some((_, values)) => values.push(value),
            None => self.values.push((name.to_owned(), vec![value])),
        }
    }

    fn lines(&mut self, text: &str) {
        let line = Regex::new(LINE).expect("a valid pattern");
        for found in text.lines().filter_map(|text| line.captures(text)) {
            self.add(&found[1], &found[2]);
        }
        if self.is_empty() {
            self.faults.push("no line METRIC name=value".to_owned());
        }
    }

    fn matches(&mut self, name: &str, pattern: &Regex, text: &str) {
        for group in text.lines().flat_map(|line| pattern.captures_iter(line)) {
            self.add(name, group.get(1).map_or("", |group| group.as_str()));
        }
        if self.is_empty() {
            self.faults.push("no line matches".to_owned());
        }
    }

    fn json(&mut self, text: Result<String, String>, (path, steps): (&str, &[Step])) {
        let value = text.and_then(|text| {
            serde_json::from_str::<Value>(&text).map_err(|why| format!("not a JSON text: {why}"))
        });
        let value = match value {
            Ok(value) => value,
            Err(why) => return self.faults.push(why),
        };
        let found = steps.iter().try_fold(&value, |value, step| match step {
            Step::Key(key) => value.get(key),
            Step::At(index) => value.get(index),
        });
        match found {
            None => self.faults.push(format!("the JSON text has no {path}")),
            Some(Value::Array(items)) if !items.is_empty() => {
                items.iter().for_each(|item| self.add(path, &plain(item)));
            }
            Some(other) => self.add(path, &plain(other)),
        }
    }

    fn file(&mut self, text: Result<String, String>, name: &str) {
        let text = match text {
            Ok(text) => text,
            Err(why) => return self.faults.push(why),
        };
        if text.lines().any(|line| line.starts_with("METRIC ")) {
            self.lines(&text);
        } else {
            self.add(name, text.trim());
        }
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.bad.is_empty()
    }

    /// Returns the names whose values are all numbers, with these values.
    fn good(self) -> impl Iterator<Item = (String, Vec<f64>)> {
        self.values.into_iter().filter(move |(name, _)| !self.bad.contains(name))
    }
}

/// Returns a number, or a string without its quotes. Programs may write numbers as strings.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn quoted(text: &str) -> String {
    cut(text, QUOTED)
}

fn line(text: &str) -> String {
    cut(text, LINE_WIDTH)
}

fn cut(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = ((values.len() - 1) / 2, values.len() / 2);
    (values[low] + values[high]) / 2.0
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn gathered(output: &str) -> Gathered {
        Gathered { bytes: output.as_bytes().to_vec(), is_cut: false }
    }

    fn of(specs: &[&str], output: &str) -> Figures {
        let sources: Vec<Source> = specs.iter().map(|spec| Source::parse(spec).unwrap()).collect();
        read(&sources, &gathered(output), Path::new("/nowhere"), &Marks::default())
    }

    fn values(specs: &[&str], output: &str) -> Vec<(String, f64)> {
        of(specs, output).values
    }

    fn named(values: &[(&str, f64)]) -> Vec<(String, f64)> {
        values.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn lines_name_their_figures_and_repeats_have_a_median() {
        let text = "x\nMETRIC a=1\n METRIC b=2\nMETRIC lat_µs=3.5e1 ok\nMETRIC a=5\nMETRIC a=2\n";
        assert_eq!(values(&["metric"], text), named(&[("a", 2.0), ("lat_µs", 35.0)]));
        assert_eq!(values(&["metric"], "METRIC a=1\r\nMETRIC a=2\r\n"), named(&[("a", 1.5)]));
    }

    #[test]
    fn a_pattern_has_a_name_before_its_first_sign() {
        let spec = r"regex:qps=([\d.]+) q/s";
        assert_eq!(values(&[spec], "qps=12.5 q/s\nthen 13.5 q/s"), named(&[("qps", 13.0)]));
        assert_eq!(values(&["regex:n=a=(.+)"], "a=7"), named(&[("n", 7.0)]));
    }

    #[test]
    fn json_has_a_path_to_a_number_or_to_several() {
        let text = r#"{"a":{"b":[{"c":4},{"c":"5"}]},"t":[1,2,9],"s":"x"}"#;
        assert_eq!(values(&["json:-:a.b[1].c"], text), named(&[("a.b[1].c", 5.0)]));
        assert_eq!(values(&["json:-:t"], text), named(&[("t", 2.0)]));
        for (path, fault) in [("a.x", "has no a.x"), ("a.b", "not a finite number"), ("s", "`x` of s")] {
            let found = of(&[&format!("json:-:{path}")], text);
            assert!(found.values.is_empty() && found.faults[0].contains(fault), "{found:?}");
        }
        assert!(of(&["json:-:a"], "{").faults[0].contains("not a JSON text"));
    }

    #[test]
    fn what_is_no_number_makes_its_own_figure_missing() {
        let found = of(&["metric"], "METRIC a=1\nMETRIC a=12ms\nMETRIC b=NaN\nMETRIC c=inf\nMETRIC d=4\n");
        assert_eq!(found.values, named(&[("d", 4.0)]));
        assert_eq!(found.faults.len(), 3, "{:?}", found.faults);
        assert!(found.faults[0].contains("`12ms` of a is not a finite number"));
        let none = of(&["metric", "regex:q=(x)"], "nothing");
        assert_eq!((none.silent, none.faults.len()), (vec![0, 1], 2));
    }

    #[test]
    fn two_sources_of_one_name_are_seen() {
        let found = of(&["metric", "regex:a=b(.)"], "METRIC a=1\nb2");
        assert_eq!(found.twice, Some(("a".to_owned(), 0, 1)));
    }

    #[test]
    fn mistakes_are_named_before_anything_runs() {
        for (spec, why) in [
            ("metrics", "not a source"),
            ("regex:qps", "not a source"),
            ("regex:q=x+", "has no group"),
            ("regex:q=(a)(b)", "has 2 groups"),
            ("regex:q=(a", "invalid: unclosed group"),
            ("regex:=(a)", "not a valid metric name"),
            ("regex:a,b=(a)", "not a valid metric name"),
            ("json:f.json", "not a source"),
            ("json::a", "not a source"),
            ("json:f:a..b", "not a path"),
            ("json:f:a[x]", "not a path"),
            ("json:f:a[0", "not a path"),
            ("file:", "not a source"),
        ] {
            let problem = Source::parse(spec).unwrap_err().to_string();
            assert!(problem.contains(why) && problem.contains(spec), "{spec}: {problem}");
        }
    }

    #[test]
    fn a_file_of_an_earlier_run_does_not_count() {
        let folder = std::env::temp_dir().join(format!("derny-printed-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("score.txt");
        let sources = [Source::parse("file:score.txt").unwrap()];
        std::fs::write(&path, "4\n").unwrap();
        let before = std::fs::metadata(&path).unwrap().modified().unwrap();
        let marks = mark(&sources, &folder);
        let stale = read(&sources, &gathered(""), &folder, &marks);
        assert!(stale.values.is_empty() && stale.faults[0].contains("did not write"), "{stale:?}");
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), before);
        let marks = mark(&sources, &folder);
        std::fs::write(&path, "5\n").unwrap();
        assert_eq!(read(&sources, &gathered(""), &folder, &marks).values, named(&[("score", 5.0)]));
        let marks = mark(&sources, &folder);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, "METRIC a=6\nMETRIC b=7\n").unwrap();
        assert_eq!(read(&sources, &gathered(""), &folder, &marks).values, named(&[("a", 6.0), ("b", 7.0)]));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
