//! Reads Derny's own output, a JSON document or an event stream, from a file or from standard input.

use crate::error::Result;
use crate::results::input;
use derny_analysis::template::Template;
use derny_engine::measure::EVENT_FORMAT;
use derny_json::FromJson;
use derny_model::{Case, Document, Event, Problem, Records, problem};
use derny_store::Store;
use serde_json::Value;
use std::path::Path;

/// The available data of a run: all of its records, or only its document.
#[derive(Debug)]
pub enum Source {
    /// Everything that the run recorded is available.
    Records(Box<Records>),
    /// Only the results of the run are available.
    Document(Box<Document>),
}

impl Source {
    /// Loads a stored run. `template` replaces the run's own name template.
    pub fn load(store: &Store, run: &str, template: Option<&str>) -> Result<Source> {
        let mut source = Source::Records(Box::new(store.load(run)?));
        source.name(template)?;
        Ok(source)
    }

    /// Returns the cases of the run.
    pub fn cases(&self) -> Vec<&Case> {
        match self {
            Source::Records(records) => records.cases.iter().collect(),
            Source::Document(document) => document.cases().map(|case| &case.case).collect(),
        }
    }

    /// Returns all records, if they are available.
    pub fn records(&self) -> Option<&Records> {
        match self {
            Source::Records(records) => Some(records),
            Source::Document(_) => None,
        }
    }

    /// Extracts parameters from the names of the cases. Uses `template`, or else the run's own.
    pub fn name(&mut self, template: Option<&str>) -> Result<()> {
        let (header, cases): (_, Vec<&mut Case>) = match self {
            Source::Records(records) => (&mut records.header, records.cases.iter_mut().collect()),
            Source::Document(document) => {
                let suites = document.suites.iter_mut();
                (
                    &mut document.run,
                    suites.flat_map(|suite| &mut suite.cases).map(|case| &mut case.case).collect(),
                )
            }
        };
        if let Some(text) = template {
            header.settings.name_template = Some(text.to_owned());
        }
        let Some(text) = &header.settings.name_template else { return Ok(()) };
        let template = Template::parse(text)
            .map_err(|why| problem!("{why}").place(format_args!("--name-template '{text}'")))?;
        cases.into_iter().for_each(|case| template.apply(&mut case.id));
        Ok(())
    }

    /// Keeps only the cases for which `keep` returns true.
    pub fn select(self, keep: impl Fn(&Case) -> bool) -> Source {
        match self {
            Source::Records(records) => Source::Records(Box::new(derny_analysis::select(*records, keep))),
            Source::Document(mut document) => {
                derny_analysis::select_document(&mut document, keep);
                Source::Document(document)
            }
        }
    }

    /// Keeps only the variant with this name. Fails if there is none.
    pub fn variant(self, name: &str) -> Result<Source> {
        let variants = match &self {
            Source::Records(records) => &records.header.variants,
            Source::Document(document) => &document.run.variants,
        };
        if !variants.iter().any(|variant| variant.name == name) {
            let known: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
            return Err(problem!("the run has no variant `{name}`").known(known.join(", ")).into());
        }
        Ok(match self {
            Source::Records(records) => {
                Source::Records(Box::new(derny_analysis::select_variant(*records, name)))
            }
            Source::Document(mut document) => {
                document.run.variants.retain(|variant| variant.name == name);
                document.comparison = None;
                let cases = document.suites.iter_mut().flat_map(|suite| &mut suite.cases);
                cases.for_each(|case| case.variants.retain(|variant| variant.variant == name));
                Source::Document(document)
            }
        })
    }

    /// Keeps only the run's own variant if the run contains a baseline that was measured again. Otherwise
    /// changes nothing.
    pub fn own(self) -> Result<Source> {
        let run = match &self {
            Source::Records(records) => &records.header,
            Source::Document(document) => &document.run,
        };
        let mut own = run.variants.iter().filter(|variant| variant.again.is_none() && !variant.control);
        match (run.again(), own.next().map(|own| own.name.clone()), own.next()) {
            (Some(_), Some(name), None) => self.variant(&name),
            _ => Ok(self),
        }
    }

    /// Returns the document of the run. Records are analysed again.
    pub fn document(&self) -> Document {
        match self {
            Source::Records(records) => derny_analysis::summarise(records),
            Source::Document(document) => (**document).clone(),
        }
    }
}

/// Extensions of the files that Derny writes.
const WRITTEN: [&str; 3] = ["json", "ndjson", "jsonl"];

/// Returns true if a word means a file or standard input, rather than a stored run or a pattern.
pub fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    let written = path.extension().is_some_and(|ending| WRITTEN.iter().any(|e| ending == *e));
    word == "-" || (written && path.is_file())
}

/// Returns the error for a word that should name a run, but looks like a file, or names a file that Derny
/// did not write. Returns `None` if the word looks like the name of a run.
pub(crate) fn no_run(word: &str) -> Option<Problem> {
    let path = Path::new(word);
    let written = "`derny run -f json` writes files that can be shown, and `derny import FILE` reads those of other tools";
    if path.is_dir() {
        return Some(problem!("`{word}` is a folder, not a run or a file").remedy("name a file in it"));
    }
    if path.is_file() {
        let why = "its name does not end in .json, .ndjson or .jsonl";
        return Some(problem!("`{word}` is not a Derny file").why(why).remedy(written));
    }
    let is_path = word.contains('/') || path.extension().is_some_and(|end| WRITTEN.iter().any(|e| end == *e));
    is_path.then(|| {
        problem!("there is no file `{word}`").remedy("check the path; `derny runs` lists stored runs")
    })
}

/// Reads a file, or standard input for `-`.
pub fn read(word: &str) -> Result<Source> {
    let place = if word == "-" { "standard input" } else { word };
    let text = input::read_text(Path::new(word))?;
    parse(&text).map_err(|error| error.within(format!("cannot use the content of {place}")))
}

/// Returns a short name for the side that a file provides.
pub fn name(word: &str) -> String {
    match word {
        "-" => "stdin".to_owned(),
        word => {
            Path::new(word).file_stem().map_or(word.to_owned(), |stem| stem.to_string_lossy().into_owned())
        }
    }
}

fn parse(text: &str) -> Result<Source> {
    let first = text.lines().next().unwrap_or_default();
    if first.contains("\"event\"") && Value::from_json(first).is_ok() {
        // Process one event at a time, because a stream is larger than the records made of it.
        let mut trouble = None;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let events =
            lines.map_while(|(number, line)| event(number, line).map_err(|error| trouble = Some(error)).ok());
        let replayed = derny_analysis::replay(events);
        if let Some(error) = trouble {
            return Err(error);
        }
        return match replayed {
            Some(mut records) => {
                derny_store::complete(&mut records);
                Ok(Source::Records(Box::new(records)))
            }
            None => {
                return Err(problem!("none of its events starts a run")
                    .remedy("`derny run -f ndjson` writes a complete stream")
                    .into());
            }
        };
    }
    let value = Value::from_json(text).map_err(|why| {
        problem!("it is neither a document nor an event stream")
            .why(why)
            .remedy("`derny run -f json`, `derny run -f ndjson` and `derny show -f json` write them")
    })?;
    match value.get("format").and_then(Value::as_u64) {
        Some(format) if value.get("suites").is_some() => {
            if format != u64::from(Document::FORMAT) {
                return Err(problem!(
                    "its format is {format}, but this version of Derny reads \
                    {}",
                    Document::FORMAT
                )
                .remedy("write it again from the run's store: `derny show RUN -f json`")
                .into());
            }
            drop(value);
            let document = Document::from_json(text).map_err(|why| problem!("{why}"))?;
            document
                .check()
                .map_err(|why| problem!("{why}: the file may have been edited").remedy("write it again"))?;
            Ok(Source::Document(Box::new(document)))
        }
        _ => Err(problem!("it is not a Derny document")
            .remedy("`derny run -f json` or `derny show -f json` write one")
            .into()),
    }
}

/// Parses a line of an event stream. `number` is its index, for the error.
fn event(number: usize, line: &str) -> Result<Event> {
    let event =
        Event::from_json(line).map_err(|why| problem!("line {} is not an event: {why}", number + 1))?;
    match event {
        Event::RunStarted { format, .. } if format > EVENT_FORMAT => {
            Err(problem!("its format is {format}, but this version of Derny reads up to {EVENT_FORMAT}")
                .remedy("use the version of Derny that wrote it, or a newer one")
                .into())
        }
        event => Ok(event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_ours_is_named() {
        for (text, part) in [
            ("", "neither a document"),
            ("{}", "not a Derny document"),
            (
                "{\"format\": 99, \"suites\": []}",
                "its format is 99, but this version of Derny reads 2\n  try    write it again",
            ),
            ("{\"event\": \"nonsense\"}", "line 1"),
            ("{\"event\": \"log\", \"case\": null, \"message\": \"x\"}", "none of its events starts a run"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn sides_are_named_after_files() {
        assert_eq!(name("-"), "stdin");
        assert_eq!(name("out/old.json"), "old");
    }
}
