//! The HTML report: one file that opens without a network.
//!
//! The page is made in the browser by the script of `web/`, whose built form stands in `assets/`; here it is put together with what it
//! shows. Names cannot become markup: data go in as JSON in which no `<` is left, and the script writes text, never markup. A
//! content security policy forbids the page everything but itself.

use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{Document, Phase, Scaling};
use serde::Serialize;

const SCRIPT: &str = include_str!("../assets/report.js");
const STYLE: &str = include_str!("../assets/report.css");

/// Turns that a page holds at most; beyond, warm-up is left out, then every other turn, and so on.
const TURNS: usize = 150_000;

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

#[derive(Serialize)]
struct Data<'a> {
    document: &'a Document,
    /// By case, by process.
    traces: Vec<Vec<Trace>>,
    /// Of so many turns one is there; 0 where warm-up was left out only.
    thinned: Option<usize>,
    causes: Vec<&'a str>,
    scalings: &'a [Scaling],
    explanations: &'a [(&'a str, &'a str, &'a str)],
}

/// A process: its number, block and variant, and its turns as start in ms, value and slowest batch in ns, phase (0 warm-up, 1 measured,
/// 2 rejected) with causes in the bits above.
#[derive(Serialize)]
struct Trace(u32, u32, u32, Vec<(f64, f64, f64, u8)>);

/// The page.
pub fn html(page: &Page<'_>) -> String {
    let all: usize = page.traces.iter().flatten().map(|trace| trace.turns.len()).sum();
    let measured = |turn: &&TurnPoint| turn.phase != Phase::WarmUp;
    let without: usize =
        page.traces.iter().flatten().map(|trace| trace.turns.iter().filter(measured).count()).sum();
    let stride = if all <= TURNS { None } else { Some(without.div_ceil(TURNS)) };
    let traces =
        page.traces.iter().map(|processes| processes.iter().map(|process| trace(process, stride)).collect());
    let data = Data {
        document: page.document,
        traces: traces.collect(),
        thinned: stride.map(|stride| if stride > 1 { stride } else { 0 }),
        causes: TurnPoint::CAUSES.iter().map(|(word, _)| *word).collect(),
        scalings: page.scalings,
        explanations: page.explanations,
    };
    let json =
        crate::json::line(&data).replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    let id = plain(&page.document.run.id);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Derny: run {id}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report draws its tables and charts with a script. <code>derny show {id}</code> shows the same in a terminal.</noscript>\n\
         <script type=\"application/json\" id=\"data\">{json}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn trace(process: &ProcessTrace, stride: Option<usize>) -> Trace {
    let kept = process.turns.iter().filter(|turn| stride.is_none() || turn.phase != Phase::WarmUp);
    let turns = kept.step_by(stride.unwrap_or(1).max(1)).map(|turn| {
        let phase = match turn.phase {
            Phase::WarmUp => 0,
            Phase::Rejected => 2,
            _ => 1,
        };
        (
            (turn.at_ns as f64 / 1e5).round() / 10.0,
            short(turn.value),
            short(turn.range.1),
            phase | turn.causes << 2,
        )
    });
    Trace(process.process, process.block, process.variant, turns.collect())
}

/// Five significant digits: more than any chart shows.
fn short(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let place = 10f64.powi(4 - value.abs().log10().floor() as i32);
    (value * place).round() / place
}

/// The id in the title: letters and digits, whatever a document from elsewhere says.
fn plain(id: &str) -> String {
    id.chars().filter(|c| c.is_ascii_alphanumeric()).take(40).collect()
}
