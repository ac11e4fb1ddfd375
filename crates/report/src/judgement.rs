//! The answer of `derny judge`, for people and as lines `METRIC name=value`.

use crate::Style;
use crate::numbers;
use crate::style::{Paint, visible, wrap};
use crate::table::{self, Line};
use crate::tree::Branch;
use derny_model::{Decision, Estimate, JudgedCase, Judgement, SessionState, Speedup};

/// Returns the answer as text.
pub fn text(judgement: &Judgement, style: &Style) -> String {
    let paint = match judgement.verdict {
        Decision::Keep => Paint::Better,
        Decision::Discard | Decision::Void => Paint::Worse,
        Decision::Neutral | Decision::Retry => Paint::Strong,
    };
    let mut out =
        format!("{}: {}\n", style.paint(paint, judgement.verdict.token()), visible(&judgement.because));
    if !judgement.cases.is_empty() {
        out.push('\n');
        out.push_str(&cases(&judgement.cases, style));
        out.push('\n');
    }
    let lines = [("best", &judgement.best), ("base", &judgement.base)];
    for (name, speedup) in lines.into_iter().filter_map(|(name, own)| Some((name, (*own)?))) {
        out.push_str(&format!("against {name}: {}\n", ratio(&speedup)));
    }
    if let Some(parity) = &judgement.parity {
        let reached = match parity.reached {
            Some(true) => "reached",
            Some(false) => "not reached",
            None => "unclear",
        };
        out.push_str(&format!(
            "against the expert: {}; parity ({}) {reached}\n",
            ratio(&parity.against),
            parity.share
        ));
    }
    if judgement.run.is_some() {
        out.push_str(&format!("score {:.4}\n", judgement.score));
    }
    if let Some(ns) = judgement.retry_ns.filter(|_| judgement.verdict == Decision::Retry) {
        let seconds = ns.div_ceil(1_000_000_000);
        out.push_str(&format!("--total {seconds}s would probably decide\n"));
    }
    for note in &judgement.notes {
        for (at, line) in note.lines().enumerate() {
            let text = format!("{}{}", if at == 0 { "note: " } else { "      " }, visible(line));
            out.push_str(&style.paint(Paint::Dim, &wrap(&text, style, 6)));
            out.push('\n');
        }
    }
    if let Some(state) = &judgement.session {
        out.push_str(&session(state, style));
    }
    if let Some(run) = &judgement.run {
        out.push_str(&style.paint(Paint::Dim, &format!("run {run}")));
        out.push('\n');
    }
    out
}

fn cases(cases: &[JudgedCase], style: &Style) -> String {
    let heads = ["best", "candidate", "speed-up", ""].map(str::to_owned);
    let line = |case: &JudgedCase| Line {
        branch: Branch::default(),
        label: visible(&case.case).into_owned(),
        cells: vec![
            amount(case.best, &case.unit, style),
            amount(case.candidate, &case.unit, style),
            case.speedup.as_ref().map_or(String::new(), ratio),
            case.verdict.clone(),
        ],
        flag: String::new(),
        ..Line::default()
    };
    table::render(&heads, &cases.iter().map(line).collect::<Vec<Line>>(), style)
}

fn amount(value: f64, unit: &str, style: &Style) -> String {
    numbers::quantity(&Estimate { value, interval: None }, unit, style).value
}

fn ratio(speedup: &Speedup) -> String {
    match (speedup.low, speedup.high) {
        (Some(low), Some(high)) => format!("{:.3} [{low:.3}, {high:.3}]", speedup.speedup),
        _ => format!("{:.3}", speedup.speedup),
    }
}

/// Returns the state of a session as one line.
pub fn session(state: &SessionState, style: &Style) -> String {
    let counted = numbers::counted(state.candidates as usize, "candidate", "candidates");
    let line = format!(
        "session {}: {counted}, {} kept, at most {:.2} expected to be noise; base {}, best {}",
        visible(&state.name),
        state.kept,
        state.expected_false,
        visible(&state.base),
        visible(&state.best)
    );
    style.paint(Paint::Dim, &wrap(&line, style, 2)) + "\n"
}

/// Returns the answer as lines `METRIC name=value`, and a line `VERDICT word`.
pub fn metric(judgement: &Judgement) -> String {
    let mut out = format!("METRIC score={:.6}\n", judgement.score);
    let mut add = |name: &str, value: f64| out.push_str(&format!("METRIC {name}={value:.6}\n"));
    if let Some(base) = &judgement.base {
        add("speedup", base.speedup);
    }
    if let Some(best) = &judgement.best {
        add("speedup_best", best.speedup);
    }
    let times: Vec<f64> =
        judgement.cases.iter().filter(|case| case.unit == "ns").map(|case| case.candidate).collect();
    if !times.is_empty() && times.iter().all(|time| *time > 0.0) {
        let mean = times.iter().map(|time| time.ln()).sum::<f64>() / times.len() as f64;
        add("composite_ns", mean.exp());
    }
    out.push_str(&format!("VERDICT {}\n", judgement.verdict.token()));
    out
}

/// Returns the state of a session as lines `METRIC name=value`.
pub fn session_metric(state: &SessionState) -> String {
    format!(
        "METRIC candidates={}\nMETRIC kept={}\nMETRIC expected_false={:.6}\n",
        state.candidates, state.kept, state.expected_false
    )
}
