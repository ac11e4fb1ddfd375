//! The HTML report: one file that opens without a network.
//!
//! The page is made in the browser by the script of `web/`, whose built form stands in `assets/`; here it is put together with what it
//! shows. Names cannot become markup: data go in as JSON in which no `<` is left, and the script writes text, never markup. A
//! content security policy forbids the page everything but itself.

mod parts;
mod turns;

use crate::{Style, comparison};
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{Document, Estimate, Scaling};
use parts::{Compared, OverviewRow, Parts};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

const PAGE: Style = Style { width: None, ascii: false, colour: false };
const SCRIPT: &str = include_str!("../assets/report.js");
const STYLE: &str = include_str!("../assets/report.css");

/// What a page shows.
#[derive(Debug)]
pub struct Page<'a> {
    /// Results, with the comparison where there is one.
    pub document: &'a Document,
    /// Turns by case of the document; empty where only conclusions are at hand.
    pub traces: &'a [Vec<ProcessTrace>],
    /// Growth along every parameter that is a number.
    pub scalings: &'a [Scaling],
    /// Code, title and text of every warning and failure in the document.
    pub explanations: &'a [(&'a str, &'a str, &'a str)],
}

/// What the page needs when it opens. All that belongs to one case only stands in an element of its own, which is read when it is asked for.
#[derive(Serialize)]
struct Head<'a> {
    /// The document, with the number of cases in place of each suite's cases, and no cases in its comparison.
    document: Value,
    /// The line of the overview of every case.
    rows: Vec<OverviewRow<'a>>,
    /// The line of the comparison of every compared case.
    compared: Vec<Compared<'a>>,
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

/// The page.
pub fn html(page: &Page<'_>) -> String {
    let pruning = turns::Thinning::of(page.traces);
    let Parts { document, cases, compared } = Parts::of(page.document);
    let compared_cases = page.document.comparison.iter().flat_map(|comparison| &comparison.cases);
    let head = Head {
        document,
        rows: page.document.cases().map(parts::row).collect(),
        compared: compared_cases.map(parts::compared).collect(),
        headline: page.document.comparison.as_ref().map(|compared| comparison::headline(compared, &PAGE)),
        traced: !page.traces.is_empty(),
        thinned: pruning.told(),
        causes: TurnPoint::CAUSES.iter().map(|(word, _)| *word).collect(),
        scalings: page.scalings.iter().map(growths).collect(),
        explanations: page.explanations,
    };
    let mut data = String::new();
    element(&mut data, "data", &head);
    for (index, case) in cases.iter().enumerate() {
        let own: Vec<_> =
            page.traces.get(index).into_iter().flatten().map(|process| pruning.trace(process)).collect();
        element(&mut data, &format!("case-data-{index}"), &(case, own));
    }
    for (index, case) in compared.iter().enumerate() {
        element(&mut data, &format!("compared-data-{index}"), case);
    }
    let id = plain(&page.document.run.id);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Derny: run {id}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report draws its tables and charts with a script. <code>derny show {id}</code> shows the same in a terminal.</noscript>\n\
         {data}<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Data that the browser does not look into until the script does.
fn element(to: &mut String, id: &str, value: &impl Serialize) {
    let json = crate::json::line(&parts::rounded(json!(value)))
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    let _ = writeln!(to, "<script type=\"application/json\" id=\"{id}\">{json}</script>");
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
