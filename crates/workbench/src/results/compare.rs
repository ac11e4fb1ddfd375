//! Determines the sides of a comparison: variants of one run, stored runs, baselines or files.

use crate::config::gate::{self, StatedTerms, Terms};
use crate::config::options::Narrow;
use crate::error::{Error, Result};
use crate::notice::Notice;
use crate::project::session::Session;
use crate::results::history;
use crate::results::source::{self, Source};
use crate::results::stored;
use derny_analysis::{Input, Options};
use derny_engine::discover::pattern;
use derny_model::{Case, Comparison, Document, RunHeader, RunId, Settings, problem};
use derny_store::{Store, StoreError};

/// Name of a side, index of its run, and index of its variant.
type Place = (String, usize, u32);

/// The sides of a comparison, with their runs.
pub struct Sides {
    /// The distinct runs, each with its document.
    runs: Vec<(Source, Document)>,
    /// The sides, base first.
    sides: Vec<Place>,
    /// Groups of stored runs. The runs of a group measured the same code, so they show how much runs differ.
    history: Vec<Vec<Document>>,
}

/// A side that a word on the command line names.
struct Named {
    word: String,
    source: Source,
    id: Option<RunId>,
    variant: Option<String>,
}

/// Words that name runs and cases.
pub struct Words<'a> {
    /// Names of runs, followed by patterns of cases.
    pub words: &'a [String],
    /// Restrictions on the cases of these runs.
    pub narrow: &'a Narrow,
    /// True if every word must name a run, and no default run may be added.
    pub whole: bool,
}

impl Sides {
    /// Returns the sides that `words` name. The variants of a single run are compared with each other. A
    /// single document keeps the comparison that it contains. Any other single run is compared with the
    /// newest run, and the newest with the last comparable run before it. `tell` receives the number of
    /// compared cases.
    ///
    /// # Errors
    /// Fails if a run cannot be read, or with [`Error::Nothing`] if no case matches the patterns.
    pub fn of(session: &Session, words: &Words<'_>, tell: &mut dyn FnMut(Notice)) -> Result<Sides> {
        let files_only = words.words.iter().filter(|word| source::is_file(word)).count() > 1;
        let store = if files_only { None } else { Some(session.existing_store()) };
        let (mut named, mut patterns) = (Vec::new(), Vec::new());
        let mut unknown: Option<(&String, StoreError)> = None;
        for word in words.words {
            match one(store.as_ref().and_then(|store| store.as_ref().ok()), word)? {
                Ok(found) if patterns.is_empty() => named.push(found),
                Ok(_) => {
                    if let Some((first, error)) = unknown.take() {
                        let unknown = source::no_run(first);
                        return Err(
                            unknown.map_or_else(|| session.or_revision(first, error).into(), Into::into)
                        );
                    }
                    return Err(problem!("`{word}` is a run, but comes after a pattern")
                        .remedy("name runs first, then patterns")
                        .into());
                }
                Err(Some(error)) if words.whole => {
                    return Err(source::no_run(word).map_or_else(|| error.into(), Into::into));
                }
                Err(error) => {
                    unknown = unknown.or(error.map(|error| (word, error)));
                    patterns.push(word.clone());
                }
            }
        }
        let complete = named.len() > 1
            || named.first().is_some_and(|only: &Named| only.several() || only.told().is_some());
        let store = match store {
            Some(Ok(store)) => Some(store),
            Some(Err(error)) if !complete => return Err(error),
            _ => None,
        };
        if !complete && words.whole {
            return Err(problem!("there is no baseline to judge against")
                .remedy("use `derny compare --gate NAME last`, or set baseline = \"NAME\" under [gate] in derny.toml")
                .into());
        }
        if !complete {
            let store = store.as_ref().ok_or_else(|| session.no_runs())?;
            named = add_default(session, store, named)?;
        }
        let selector = session.stored_selector(&patterns, words.narrow)?;
        if selector.is_everything() {
            return Sides::named(named, store.as_ref());
        }
        let cases: Vec<&Case> = named.iter().flat_map(|named| named.source.cases()).collect();
        let chosen = selector.choose(&cases);
        if !cases.is_empty() && (chosen.count() == 0 || !chosen.unmatched.is_empty()) {
            let why = pattern::refusal(&chosen, &cases, "of the runs compared");
            return Err(Error::Nothing(match (unknown, &store) {
                (Some((word, error)), Some(store)) => stored::neither(store, word, &error, why)?,
                _ => why,
            }));
        }
        Notice::selected(&chosen).into_iter().for_each(tell);
        let narrow = |named: Named| Named { source: named.source.select(|case| chosen.has(case)), ..named };
        Sides::named(named.into_iter().map(narrow).collect(), store.as_ref())
    }

    /// Returns the variants of one run as sides, with the first as the base.
    ///
    /// # Errors
    /// Fails if the run has a single variant.
    pub fn variants(source: Source) -> Result<Sides> {
        let named = Named { word: String::new(), source, id: None, variant: None };
        Sides::new(vec![named], None)
    }

    /// Makes the side of this name the base. Changes nothing if there is no such side.
    #[must_use]
    pub fn led_by(mut self, name: &str) -> Sides {
        if let Some(at) = self.sides.iter().position(|side| side.0 == name) {
            self.sides[..=at].rotate_right(1);
        }
        self
    }

    /// Returns the variants of a new run as sides, with the stored run called `name` as the base.
    ///
    /// # Errors
    /// Fails if the store fails, or if no run has this name.
    pub fn against(store: &Store, name: &str, new: Source) -> Result<Sides> {
        let id = store.resolve(name)?;
        let template = new.records().and_then(|records| records.header.settings.name_template.as_deref());
        let base = Source::load(store, &id, template)?;
        let base = Named { word: name.to_owned(), source: base, id: Some(id), variant: None };
        let new = Named { word: String::new(), source: new, id: None, variant: None };
        let mut sides = Sides::new(vec![base, new], Some(store))?;
        // If there are two runs, each variant of the new run is a side. If there is only one, it measured the
        // base again, and its variants are already the sides.
        let variants = sides.runs.get(1).map_or(&[][..], |(_, document)| &document.run.variants);
        let own = (0..).zip(variants).filter(|(_, variant)| !variant.control && variant.again.is_none());
        let own: Vec<Place> = own.map(|(number, variant)| (variant.name.clone(), 1, number)).collect();
        if own.len() > 1 {
            sides.sides.truncate(1);
            sides.sides.extend(own);
        }
        Ok(sides)
    }

    /// Returns the named sides. A document that contains a comparison with a stored run provides both sides,
    /// although it has the results of only one.
    fn named(mut named: Vec<Named>, store: Option<&Store>) -> Result<Sides> {
        let is_told = matches!(&named[..], [only] if !only.several() && only.told().is_some());
        if !is_told {
            return Sides::new(named, store);
        }
        let source = named.remove(0).source;
        let document = source.document();
        let told = document.comparison.iter().flat_map(|told| &told.sides);
        let sides = told.map(|side| (side.name.clone(), 0, 0)).collect();
        Ok(Sides { sides, runs: vec![(source, document)], history: Vec::new() })
    }

    fn new(mut named: Vec<Named>, store: Option<&Store>) -> Result<Sides> {
        // If the new run measured the base again, use these measurements: they were made together with those
        // of the new code.
        if let [base, new] = &named[..]
            && new.has_again(base)
        {
            named.remove(0);
        }
        let mut runs: Vec<(Source, Document)> = Vec::new();
        let mut sides: Vec<Place> = Vec::new();
        let alone = named.len() == 1;
        for one in named {
            let Named { word, source, id, variant } = one;
            let known =
                id.as_ref().and_then(|id| runs.iter().position(|(_, document)| document.run.id == *id));
            let place = match known {
                Some(place) => place,
                None => {
                    let document = source.document();
                    runs.push((source, document));
                    runs.len() - 1
                }
            };
            let variants = &runs[place].1.run.variants;
            if alone {
                sides.extend(
                    (0..).zip(variants).map(|(number, variant)| (variant.name.clone(), place, number)),
                );
                continue;
            }
            let like = sides
                .first()
                .map(|(_, run, variant)| runs[*run].1.run.variants[*variant as usize].name.clone());
            let number = pick(&runs[place].1.run, variant.as_deref(), like.as_deref())?;
            let run = runs[place].1.run.id.clone();
            let name = match word.as_str() {
                "" | "last" => run.clone(),
                word if id.is_none() => source::name(word),
                word => word.to_owned(),
            };
            let name = if sides.iter().any(|side| side.0 == name) { format!("{name} ({run})") } else { name };
            let name = if sides.iter().any(|side| side.0 == name) {
                format!("{name} {}", sides.len() + 1)
            } else {
                name
            };
            sides.push((name, place, number));
        }
        if sides.len() < 2 {
            return Err(problem!("there is only one side to compare")
                .remedy("name a second run, or use `derny run -x old=COMMAND -x new=COMMAND`")
                .into());
        }
        let history = match store {
            Some(store) if runs.len() > 1 => history::groups(store, &runs[0].1.run)?,
            _ => Vec::new(),
        };
        Ok(Sides { runs, sides, history })
    }

    /// Returns the document of the run that was named last, with a comparison of the sides.
    pub fn into_document(self, comparison: Comparison) -> Document {
        self.into_newest().1.compared(Some(comparison))
    }

    /// Returns the source and the document of the run that was named last.
    pub fn into_newest(mut self) -> (Source, Document) {
        match self.runs.pop() {
            Some(newest) => newest,
            None => unreachable!("there are two sides, of one run at least"),
        }
    }

    /// Returns the settings of the judged run, which is the one that was named last.
    pub fn judged(&self) -> &Settings {
        &self.runs[self.runs.len() - 1].1.run.settings
    }

    /// Returns the terms of the comparison: see [`gate::terms`]. The sides of one run are compared in the
    /// metrics that the run requested.
    ///
    /// # Errors
    /// Fails if the terms are invalid.
    pub fn terms(&self, session: &Session, stated: StatedTerms<'_>) -> Result<Terms> {
        let mut terms = gate::terms(&session.project, stated, Some(self.judged()))?;
        if terms.metrics.is_empty() && self.runs.len() == 1 {
            terms.metrics.clone_from(&self.judged().metrics);
        }
        Ok(terms)
    }

    /// Returns the comparison that a document contains, if only its own sides are compared. That comparison
    /// is based on pairs, which a document does not contain.
    pub fn told(&self) -> Option<&Comparison> {
        let [(Source::Document(_), document)] = &self.runs[..] else { return None };
        let told = document.comparison.as_deref()?;
        let names = told.sides.iter().map(|side| &side.name);
        names.eq(self.sides.iter().map(|(name, ..)| name)).then_some(told)
    }

    /// Returns true if only the stored comparison is available, because one of its sides is missing.
    pub fn are_only_told(&self) -> bool {
        self.runs.len() == 1 && self.runs[0].1.run.variants.len() < 2
    }

    /// Compares the sides. By default, the confidence is that of the base's own intervals. With `anytime`,
    /// the intervals of pairs hold for any number of looks.
    pub fn compare(&self, terms: &Terms, anytime: bool) -> Comparison {
        let inputs: Vec<Input<'_>> = self
            .sides
            .iter()
            .map(|(name, run, variant)| {
                let (source, document) = &self.runs[*run];
                let records = match source {
                    Source::Records(records) => Some(&**records),
                    Source::Document(_) => None,
                };
                Input { name: name.clone(), document, records, variant: *variant }
            })
            .collect();
        let history: Vec<Vec<&Document>> = self.history.iter().map(|group| group.iter().collect()).collect();
        let Terms { margin, mean_margin, .. } = *terms;
        let (metrics, own) = (&terms.metrics[..], self.runs[self.sides[0].1].1.run.settings.confidence);
        let confidence = terms.confidence.unwrap_or(own);
        let options = Options { margin, mean_margin, confidence, metrics, anytime, history: &history };
        derny_analysis::compare(&inputs, &options)
    }
}

impl Named {
    fn several(&self) -> bool {
        self.header().variants.len() > 1 && self.variant.is_none()
    }

    /// Returns the comparison in a document, which may contain only one of the compared sides. None for
    /// records, or if one variant was named.
    fn told(&self) -> Option<&Comparison> {
        match &self.source {
            Source::Document(document) if self.variant.is_none() => document.comparison.as_deref(),
            _ => None,
        }
    }

    /// Returns true if this run measured the stored run `base` again.
    fn has_again(&self, base: &Named) -> bool {
        let again = self.header().again().map(|again| &again.run);
        self.variant.is_none() && base.variant.is_none() && again.is_some() && again == base.id.as_ref()
    }

    fn header(&self) -> &RunHeader {
        match &self.source {
            Source::Records(records) => &records.header,
            Source::Document(document) => &document.run,
        }
    }
}

/// Returns the source and its document. For records with several variants, the document contains their
/// comparison, with the terms that `terms` returns. Records with one variant, or of a `--once` run, are not
/// compared. If the source is a document, it keeps the comparison that it was stored with, because its
/// records are not available.
///
/// # Errors
/// Fails if the store fails, or if `terms` does.
pub fn compared(
    source: Source,
    store: Option<&Store>,
    terms: impl FnOnce(&Sides) -> Result<Terms>,
) -> Result<(Source, Document)> {
    match source {
        Source::Records(records) if records.header.variants.len() > 1 && !records.header.settings.once => {
            let sides = Sides::variants(Source::Records(records))?;
            let comparison = sides.compare(&terms(&sides)?, false);
            let (source, document) = sides.into_newest();
            let document = stored::finished(&source, document, store)?.compared(Some(comparison));
            Ok((source, document))
        }
        source => {
            let document = stored::concluded(&source, store)?;
            Ok((source, document))
        }
    }
}

/// Returns the run that a word names, with the variant after its colon. The inner error explains why there is
/// no such run.
fn one(store: Option<&Store>, word: &str) -> Result<Result<Named, Option<StoreError>>> {
    if source::is_file(word) {
        let mut source = source::read(word)?;
        source.name(None)?;
        return Ok(Ok(Named { word: word.to_owned(), source, id: None, variant: None }));
    }
    let Some(store) = store else { return Ok(Err(None)) };
    match stored::find(store, word)? {
        Ok((id, variant)) => {
            let source = Source::load(store, &id, None)?;
            let variant = variant.map(String::from);
            Ok(Ok(Named { word: word.to_owned(), source, id: Some(id), variant }))
        }
        Err(error) => Ok(Err(Some(error))),
    }
}

/// Adds the run to compare with, if fewer than two were named: the newest run, or if that is the named one,
/// the last comparable run before it. If no run was named and the newest run has several variants, returns
/// only that run.
fn add_default(session: &Session, store: &Store, mut named: Vec<Named>) -> Result<Vec<Named>> {
    if store.runs(1)?.is_empty() {
        return Err(session.no_runs().into());
    }
    let stored = |id: RunId| -> Result<Named> {
        let source = Source::load(store, &id, None)?;
        Ok(Named { word: id.clone(), source, id: Some(id), variant: None })
    };
    let last = store.resolve("last")?;
    if named.first().is_some_and(|base| base.id.as_ref() != Some(&last)) {
        named.push(stored(last)?);
        return Ok(named);
    }
    let newest = stored(last)?;
    if named.is_empty() && newest.several() {
        return Ok(vec![newest]);
    }
    let Source::Records(records) = &newest.source else { unreachable!("stored runs are records") };
    match store.last_comparable(&records.header, &stored::measured(records))? {
        Some(before) => Ok(vec![stored(before)?, newest]),
        None => Err(problem!(
            "run {} has nothing to compare with: no earlier run on this machine has any of its cases",
            records.header.id
        )
        .remedy("`derny run -x old=COMMAND -x new=COMMAND` measures two sides together")
        .into()),
    }
}

/// Returns the index of the variant `asked`. By default, it is the variant with the base's name, `like`, or
/// else the first variant that is the run's own code.
fn pick(run: &RunHeader, asked: Option<&str>, like: Option<&str>) -> Result<u32> {
    let find = |name: &str| run.variants.iter().position(|variant| variant.name == name);
    let own = |at: &usize| run.variants[*at].again.is_none();
    match asked {
        Some(name) => match find(name) {
            Some(number) => Ok(number as u32),
            None => {
                let known: Vec<&str> = run.variants.iter().map(|variant| variant.name.as_str()).collect();
                Err(problem!("the run has no variant `{name}`").known(known.join(", ")).into())
            }
        },
        None => Ok(like.and_then(find).filter(own).map_or(run.own_variant(), |at| at as u32)),
    }
}
