//! The HTML report: one file that opens without a network.
//!
//! The script of `web/` builds the page in the browser. This module combines its compiled form, in `assets/`,
//! with the data. Names cannot become markup: the data are compressed and encoded as letters and digits, and
//! the script creates only text nodes. A content security policy prevents the page from loading anything.

mod about;
mod chunks;
mod parts;
mod past;
mod turns;

use crate::deflated;
use chunks::Chunks;
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{Document, Estimate, History, Scaling};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

const SCRIPT: &str = include_str!("../assets/report.js");
const STYLE: &str = include_str!("../assets/report.css");

/// Gives access to the turns of the cases in a document.
pub struct Traces<'a> {
    /// Number of turns with and without warm-up.
    pub count: (usize, usize),
    /// Returns the turns of the case at an index.
    pub of: &'a dyn Fn(usize) -> Vec<ProcessTrace>,
}

/// The content of a page.
pub struct Page<'a> {
    /// Results, with the comparison if there is one.
    pub document: &'a Document,
    /// Turns; `None` if only results are available.
    pub traces: Option<Traces<'a>>,
    /// Growth of the results over each numeric parameter.
    pub scalings: &'a [Scaling],
    /// Code, title and text of the explanation for every warning and failure in the document.
    pub explanations: &'a [(&'a str, &'a str, &'a str)],
    /// Name of the project, if it is known.
    pub project: Option<String>,
    /// Address of the pages of the project's commits, to which a hash is appended. `None` if the host is
    /// unknown.
    pub commits: Option<String>,
    /// Histories of the typical time of every case on the machine of the run. Empty if unknown.
    pub history: &'a [Vec<History>],
    /// Returns the profiles of the case at an index.
    pub profiles: Option<&'a dyn Fn(usize) -> Vec<Profile>>,
}

impl<'a> Page<'a> {
    /// Creates a page that contains only results.
    pub fn of(document: &'a Document) -> Self {
        Page {
            document,
            traces: None,
            scalings: &[],
            explanations: &[],
            project: None,
            commits: None,
            history: &[],
            profiles: None,
        }
    }
}

/// A profile of one case on one variant.
#[derive(Debug, Clone, Serialize)]
pub struct Profile {
    /// Index of the variant.
    pub variant: usize,
    /// Name of the file.
    pub file: String,
    /// Content of the file; `None` if it is too large for the page.
    pub text: Option<String>,
}

/// Data that the page needs when it opens. The data of single cases are in other elements, which are read on
/// demand.
#[derive(Serialize)]
struct Head<'a> {
    /// The document, with the number of cases instead of the cases themselves, and without cases in its
    /// comparison.
    document: parts::Bare<'a>,
    /// Index of the first value in every element, for each kind of element. Kinds are full cases with turns
    /// and history (`cases-0`, …), full compared cases (`compared-0`, …), rows of the overview (`rows-0`, …),
    /// rows of compared cases (`changes-0`, …), and profiles of cases (`profiles-0`, …).
    chunks: BTreeMap<&'static str, Vec<usize>>,
    subject: String,
    headline: Option<String>,
    /// The unclear verdicts, and a command that would settle them.
    unclear: Vec<String>,
    commits: Option<&'a str>,
    past: &'a [past::PastPlace<'a>],
    traced: bool,
    /// Sampling of turns: n if only every n-th is included, or 0 if only warm-up is omitted. `None` for all
    /// turns.
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
///
/// Fails if writing to `to` fails.
pub fn write(page: &Page<'_>, to: &mut dyn Write) -> io::Result<()> {
    let pruning = turns::Thinning::of(page.traces.as_ref().map_or((0, 0), |traces| traces.count));
    let id = plain(&page.document.run.id);
    let title = about::title(page.document, page.project.as_ref());
    write!(
        to,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report draws its tables and charts with a script. <code>derny show {id}</code> shows the same in a terminal.</noscript>\n"
    )?;
    let past = past::Past::of(&page.document.run, page.history);
    let (mut cases, mut rows) = (Chunks::new("cases"), Chunks::new("rows"));
    let mut profiles = Chunks::new("profiles");
    for (index, case) in page.document.cases().enumerate() {
        let traces = page.traces.as_ref().map_or(Vec::new(), |traces| (traces.of)(index));
        let own: Vec<_> = traces.iter().map(|process| pruning.trace(process)).collect();
        let points = page.history.get(index).map_or(Vec::new(), |points| past.points(points));
        cases.push(&(case, own, points), to)?;
        if let Some(of) = page.profiles {
            profiles.push(&of(index), to)?;
        }
        rows.push(&parts::row(case), to)?;
    }
    let (mut compared, mut changes) = (Chunks::new("compared"), Chunks::new("changes"));
    let places = parts::places(page.document);
    if let Some(comparison) = page.document.comparison.as_deref() {
        let order = parts::worst_first(comparison);
        for (case, order) in comparison.cases.iter().zip(order) {
            compared.push(&parts::referring(case, places.get(&case.case.id).copied()), to)?;
            changes.push(&parts::compared(case, order), to)?;
        }
    }
    let kinds = [rows, changes, cases, compared, profiles];
    let chunks: io::Result<BTreeMap<_, _>> = kinds.into_iter().map(|kind| kind.finish(to)).collect();
    let head = Head {
        document: parts::without_cases(page.document),
        chunks: chunks?,
        subject: about::subject(page.document, page.project.as_ref()),
        headline: about::headline(page.document),
        unclear: about::unclear(page.document),
        commits: page.commits.as_deref(),
        past: &past.places,
        traced: page.traces.is_some(),
        thinned: pruning.step(),
        causes: TurnPoint::CAUSES.iter().map(|(word, _)| *word).collect(),
        scalings: page.scalings.iter().map(growths).collect(),
        explanations: page.explanations,
    };
    chunks::element(to, "data", &deflated::json(&head))?;
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

/// Keeps only letters and digits, because a document may come from an untrusted source.
fn plain(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric()).take(40).collect()
}
