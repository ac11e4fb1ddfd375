//! Reduces decisions about candidates.

use super::reduced::{Reduced, fit};
use serde_json::{Map, Value, json};

/// Fields of the output that are passed on unchanged.
const KEPT: [&str; 12] = [
    "verdict", "ground", "because", "score", "best", "base", "parity", "retry_ns", "notes", "session", "run",
    "failures",
];

/// Reduces the output of `derny judge`. Returns `None` if the output is not a decision.
pub fn reduce(answer: &Value) -> Option<Reduced> {
    let verdict = answer.get("verdict")?.as_str()?;
    let because = answer["because"].as_str().or(answer["reason"].as_str()).unwrap_or_default();
    let mut lines = vec![format!("{verdict}: {because}")];
    if let Some(score) = answer["score"].as_f64() {
        lines.push(format!("score {score:.4}"));
    }
    let sides = ["best", "base"].into_iter().filter_map(|name| Some((name, ratio(&answer[name])?)));
    lines.extend(sides.map(|(name, ratio)| format!("speed-up against {name}: {ratio}")));
    let cases = answer["cases"].as_array().cloned().unwrap_or_default();
    lines.extend(cases.iter().map(|case| {
        let text = |key: &str| case[key].as_str().unwrap_or_default();
        let ratio = ratio(&case["speedup"]).unwrap_or_else(|| "no ratio".to_owned());
        format!("{} {}: {ratio}", text("verdict"), text("case"))
    }));
    let notes = answer["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.extend(notes.map(|note| format!("note: {note}")));
    if let Some(seconds) = answer["retry_ns"].as_f64().map(|ns| ns / 1e9) {
        lines.push(format!("a `total` of {seconds:.0}s would probably decide"));
    }
    if answer["session"].is_object() {
        let of = |key: &str| &answer["session"][key];
        lines.push(format!(
            "session {}: {} candidates, {} kept, at most {:.2} expected to be noise",
            of("name").as_str().unwrap_or_default(),
            of("candidates"),
            of("kept"),
            of("expected_false").as_f64().unwrap_or_default()
        ));
    }
    let present = KEPT.iter().filter(|key| !answer[**key].is_null());
    let mut structured: Map<String, Value> =
        present.map(|key| ((*key).to_owned(), answer[*key].clone())).collect();
    let (cases, left_out) = fit(cases);
    structured.insert("cases".into(), json!(cases));
    structured.insert("left_out".into(), json!(left_out));
    Some(Reduced { lines, structured: Value::Object(structured) })
}

/// Returns a speed-up with its interval, such as `1.050 [1.020, 1.080]`.
fn ratio(speedup: &Value) -> Option<String> {
    let value = speedup["speedup"].as_f64()?;
    Some(match (speedup["low"].as_f64(), speedup["high"].as_f64()) {
        (Some(low), Some(high)) => format!("{value:.3} [{low:.3}, {high:.3}]"),
        _ => format!("{value:.3}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decision_comes_first_and_the_receipt_stays_away() {
        let answer = json!({
            "verdict": "keep", "ground": "better", "because": "the candidate is faster", "score": 1.02,
            "best": {"speedup": 1.05, "low": 1.02, "high": 1.08},
            "base": {"speedup": 1.2, "low": null, "high": null},
            "cases": [{"case": "s/b", "speedup": {"speedup": 1.05}, "verdict": "better"}], "notes": [],
            "session": {"name": "auto", "candidates": 3, "kept": 1, "expected_false": 0.05}, "run": "abcd",
            "receipt": {"frozen": []},
        });
        let reduced = reduce(&answer).unwrap();
        assert_eq!(
            reduced.lines,
            [
                "keep: the candidate is faster",
                "score 1.0200",
                "speed-up against best: 1.050 [1.020, 1.080]",
                "speed-up against base: 1.200",
                "better s/b: 1.050",
                "session auto: 3 candidates, 1 kept, at most 0.05 expected to be noise",
            ]
        );
        assert_eq!(reduced.structured["score"], 1.02);
        assert!(reduced.structured["receipt"].is_null());
    }

    #[test]
    fn what_is_no_decision_is_not_reduced() {
        assert!(reduce(&json!({"run": "abcd"})).is_none());
    }
}
