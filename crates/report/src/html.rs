//! The HTML report: one file that opens without a network.
//!
//! The page is made in the browser by the script of `web/`, whose built form stands in `assets/`; here it is put together with what it
//! shows. Names cannot become markup: data go in deflated, as letters and digits, and the script writes text, never markup. A
//! content security policy forbids the page everything but itself.

mod chunks;
mod parts;
mod turns;

use crate::{Style, comparison};
use chunks::Chunks;
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{Document, Estimate, Scaling};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

const PAGE: Style = Style { width: None, ascii: false, colour: false };
const SCRIPT: &str = include_str!("../assets/report.js");
const STYLE: &str = include_str!("../assets/report.css");

/// The turns of the cases of a document.
pub struct Traces<'a> {
    /// How many there are, and how many of them are no warm-up.
    pub count: (usize, usize),
    /// Those of a case by its number.
    pub of: &'a dyn Fn(usize) -> Vec<ProcessTrace>,
}

/// What a page shows.
pub struct Page<'a> {
    /// Results, with the comparison where there is one.
    pub document: &'a Document,
    /// Turns; none where only conclusions are at hand.
    pub traces: Option<Traces<'a>>,
    /// Growth along every parameter that is a number.
    pub scalings: &'a [Scaling],
    /// Code, title and text of every warning and failure in the document.
    pub explanations: &'a [(&'a str, &'a str, &'a str)],
}

/// What the page needs when it opens. All that belongs to one case only stands in other elements, which are read when a case is asked for.
#[derive(Serialize)]
struct Head<'a> {
    /// The document, with the number of cases in place of each suite's cases, and no cases in its comparison.
    document: parts::Bare<'a>,
    /// The number of the first value of every element: of all of a case with its turns (`cases-0`, …), of all of a compared case
    /// (`compared-0`, …), of the line of a case in the overview (`rows-0`, …), of the line of a compared case (`changes-0`, …).
    chunks: BTreeMap<&'static str, Vec<usize>>,
    /// What the comparison came to, in one sentence.
    headline: Option<String>,
    /// There are turns.
    traced: bool,
    /// Of so many turns one is there; 0 where warm-up was left out only.
    thinned: Option<usize>,
    causes: Vec<&'a str>,
    scalings: Vec<Growths<'a>>,
    explanations: &'a [(&'a str, &'a str, &'a str)],
}

#[derive(Serialize)]
struct Growths<'a> {
    over: &'a str,
    curves: Vec<Growth<'a>>,
}

#[derive(Serialize)]
struct Growth<'a> {
    suite: &'a str,
    benchmark: &'a str,
    by: &'a [(String, String)],
    variant: &'a str,
    law: Option<&'a derny_model::Growth>,
    exponent: Option<&'a Estimate>,
    off: Vec<&'a str>,
}

/// Writes the page, case by case.
///
/// # Errors
/// Those of `to`.
pub fn write(page: &Page<'_>, to: &mut dyn Write) -> io::Result<()> {
    let pruning = turns::Thinning::of(page.traces.as_ref().map_or((0, 0), |traces| traces.count));
    let id = plain(&page.document.run.id);
    write!(
        to,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Derny: run {id}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report draws its tables and charts with a script. <code>derny show {id}</code> shows the same in a terminal.</noscript>\n"
    )?;
    let (mut cases, mut rows) = (Chunks::new("cases"), Chunks::new("rows"));
    for (index, case) in page.document.cases().enumerate() {
        let traces = page.traces.as_ref().map_or(Vec::new(), |traces| (traces.of)(index));
        let own: Vec<_> = traces.iter().map(|process| pruning.trace(process)).collect();
        cases.push(&(case, own), to)?;
        rows.push(&parts::row(case), to)?;
    }
    let (mut compared, mut changes) = (Chunks::new("compared"), Chunks::new("changes"));
    let places = parts::places(page.document);
    for case in page.document.comparison.iter().flat_map(|comparison| &comparison.cases) {
        compared.push(&parts::referring(case, places.get(&case.case.id).copied()), to)?;
        changes.push(&parts::compared(case), to)?;
    }
    let chunks = [rows.finish(to)?, changes.finish(to)?, cases.finish(to)?, compared.finish(to)?];
    let head = Head {
        document: parts::without_cases(page.document),
        chunks: BTreeMap::from(chunks),
        headline: page
            .document
            .comparison
            .as_ref()
            .map(|compared| comparison::first_lines(compared, &PAGE).join("; ")),
        traced: page.traces.is_some(),
        thinned: pruning.told(),
        causes: TurnPoint::CAUSES.iter().map(|(word, _)| *word).collect(),
        scalings: page.scalings.iter().map(growths).collect(),
        explanations: page.explanations,
    };
    chunks::element(to, "data", &chunks::text(&head))?;
    write!(to, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

fn growths(scaling: &Scaling) -> Growths<'_> {
    let curves = scaling.curves.iter().map(|curve| Growth {
        suite: &curve.suite,
        benchmark: &curve.benchmark,
        by: &curve.by,
        variant: &curve.variant,
        law: curve.growth.as_ref(),
        exponent: curve.exponent.as_ref(),
        off: curve.points.iter().filter(|point| point.off).map(|point| point.text.as_str()).collect(),
    });
    Growths { over: &scaling.over, curves: curves.collect() }
}

/// The id in the title: letters and digits, whatever a document from elsewhere says.
fn plain(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric()).take(40).collect()
}
