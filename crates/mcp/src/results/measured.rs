//! Reduces runs and comparisons to a verdict, a change and an interval for each case.

use super::reduced::{Reduced, case_name, fit};
use serde_json::{Map, Value, json};

/// Maximum number of failures, of unmeasured cases and of warnings in a result.
const TOLD: usize = 10;
/// Maximum number of warnings in the text.
const IN_TEXT: usize = 3;
/// Verdicts, the most urgent first.
const ORDER: [&str; 6] =
    ["worse", "unclear", "worse-within-margin", "better", "better-within-margin", "same"];

/// Reduces the document of a run. Returns `None` if the value is not such a document.
pub fn reduce(document: &Value) -> Option<Reduced> {
    let run = document.get("run")?;
    let comparison = &document["comparison"];
    let (rows, words) = match comparison.is_null() {
        true => (measured(document), Vec::new()),
        false => compared(comparison),
    };
    let mut lines = vec![head(run, rows.len(), &words)];
    lines.extend(rows.iter().map(line));
    let failures = told(&document["failures"], &["code", "what", "place", "why", "remedy"]);
    let unmeasured = unmeasured(comparison);
    let warnings = told(&document["warnings"], &["code", "message", "remedy"]);
    lines.extend(failures.iter().map(|one| {
        format!("failure {}: {}: {}", plain(&one["code"]), plain(&one["what"]), plain(&one["why"]))
    }));
    lines.extend(
        unmeasured
            .iter()
            .map(|one| format!("not measured {}: {}", plain(&one["case"]), plain(&one["because"]))),
    );
    lines.extend(warnings.iter().take(IN_TEXT).map(|one| {
        let remedy = one["remedy"].as_str().filter(|text| !text.is_empty());
        let remedy = remedy.map(|text| format!("; {text}")).unwrap_or_default();
        format!("warning {}: {}{remedy}", plain(&one["code"]), plain(&one["message"]))
    }));
    let (cases, left_out) = fit(rows);
    let mut structured = json!({
        "run": run["id"], "status": run["status"], "sides": names(run), "cases": cases, "left_out": left_out,
        "failures": failures, "unmeasured": unmeasured, "warnings": warnings,
    });
    if !comparison.is_null() {
        structured["verdicts"] = words.into_iter().map(|(word, count)| (word, json!(count))).collect();
        structured["margin"] = comparison["margin"].clone();
        structured["confidence"] = comparison["confidence"].clone();
        structured["geometric_means"] = means(comparison);
    }
    Some(Reduced { lines, structured })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn names(run: &Value) -> Vec<Value> {
    run["variants"].as_array().into_iter().flatten().map(|variant| variant["name"].clone()).collect()
}

/// Returns the first line: what was measured, and how often each verdict was given.
fn head(run: &Value, cases: usize, words: &[(String, usize)]) -> String {
    let verdicts: Vec<String> = words.iter().map(|(word, count)| format!("{count} {word}")).collect();
    let names: Vec<String> = names(run).iter().map(plain).collect();
    let sides = if words.is_empty() {
        String::new()
    } else {
        format!(", base {}", names.first().cloned().unwrap_or_default())
    };
    let verdicts = if verdicts.is_empty() { format!("{cases} measured") } else { verdicts.join(", ") };
    let partial = if run["status"] == "complete" { "" } else { ", incomplete" };
    format!("{verdicts} (run {}{sides}{partial})", plain(&run["id"]))
}

/// Returns a row for each case and side after the base, the most urgent verdicts first, and the number of
/// each verdict.
fn compared(comparison: &Value) -> (Vec<Value>, Vec<(String, usize)>) {
    let sides = comparison["sides"].as_array().cloned().unwrap_or_default();
    let name = |side: &Value| {
        let index = side.as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
        sides.get(index).map_or(Value::Null, |side| side["name"].clone())
    };
    let mut rows = Vec::new();
    for case in comparison["cases"].as_array().into_iter().flatten() {
        for side in case["sides"].as_array().into_iter().flatten() {
            rows.push(row(&case_name(&case["case"]["id"]), &name(&side["side"]), side));
        }
    }
    let place = |row: &Value| ORDER.iter().position(|word| row["verdict"] == *word).unwrap_or(1);
    rows.sort_by_key(place);
    let count =
        |word: &&str| (String::from(*word), rows.iter().filter(|row| row["verdict"] == **word).count());
    let words = ORDER.iter().map(count).filter(|(_, count)| *count > 0).collect();
    (rows, words)
}

fn row(case: &str, name: &Value, side: &Value) -> Value {
    let changes = side["changes"].as_array().cloned().unwrap_or_default();
    let deciding = side["decided_by"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
    let mut row = Map::new();
    let mut put = |key: &str, value: Value| _ = row.insert(key.to_owned(), value);
    put("case", json!(case));
    put("side", name.clone());
    put("verdict", side["verdict"].clone());
    if let Some(change) = changes.get(deciding) {
        if side["verdict"] == "unclear" {
            put("reason", side["reason"].clone());
            put("because", change["because"].clone());
        }
        put("metric", change["metric"].clone());
        put("statistic", change["statistic"].clone());
        put("unit", change["unit"].clone());
        put("base", change["base"].clone());
        put("new", change["new"].clone());
        put("change", change["change"]["value"].clone());
        put("interval", pair(&change["change"]["interval"]));
    }
    Value::Object(row)
}

fn pair(interval: &Value) -> Value {
    if interval.is_null() { Value::Null } else { json!([interval["lo"], interval["hi"]]) }
}

/// Returns a row for each case and side of a run without a comparison.
fn measured(document: &Value) -> Vec<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut rows = Vec::new();
    for case in document["suites"].as_array().into_iter().flatten().flat_map(|suite| list(&suite["cases"])) {
        for variant in list(&case["variants"]) {
            let time = &variant["time"]["typical"];
            rows.push(json!({
                "case": case_name(&case["case"]["id"]), "side": variant["variant"], "metric": "time",
                "statistic": "typical", "unit": "ns", "value": time["value"],
                "interval": pair(&time["interval"]),
            }));
        }
    }
    rows
}

fn percent(share: &Value) -> Option<String> {
    let percent = share.as_f64()? * 100.0;
    let digits = if percent.abs() < 1.0 { 2 } else { 1 };
    Some(format!("{percent:+.digits$} %"))
}

/// Returns a row as a line of text.
fn line(row: &Value) -> String {
    let case = plain(&row["case"]);
    let Some(verdict) = row["verdict"].as_str() else {
        let value = row["value"].as_f64().map_or("not measured".to_owned(), |value| format!("{value:.4} ns"));
        return format!("{case}: {value}");
    };
    let change = percent(&row["change"]).unwrap_or_else(|| "no change known".to_owned());
    let ends = (percent(&row["interval"][0]), percent(&row["interval"][1]));
    let interval = match ends {
        (Some(lo), Some(hi)) => format!(" [{lo}, {hi}]"),
        _ => String::new(),
    };
    let because = row["because"].as_str().map(|text| format!(": {text}")).unwrap_or_default();
    format!("{verdict} {case} ({}): {change}{interval}{because}", plain(&row["side"]))
}

fn told(list: &Value, keys: &[&str]) -> Vec<Value> {
    let short = |one: &Value| keys.iter().map(|key| ((*key).to_owned(), one[*key].clone())).collect();
    list.as_array().into_iter().flatten().take(TOLD).map(short).collect()
}

fn unmeasured(comparison: &Value) -> Vec<Value> {
    let short = |one: &Value| {
        let case = case_name(&one["case"]["id"]);
        json!({"case": case, "outcome": one["outcome"], "because": one["because"]})
    };
    comparison["unmeasured"].as_array().into_iter().flatten().take(TOLD).map(short).collect()
}

fn means(comparison: &Value) -> Value {
    let of = |mean: &Value| {
        let side = mean["side"].as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
        json!({
            "side": comparison["sides"][side]["name"], "change": mean["change"]["value"],
            "interval": pair(&mean["change"]["interval"]),
        })
    };
    comparison["geometric_means"].as_array().into_iter().flatten().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(verdict: &str, change: f64) -> Value {
        json!({"side": 1, "verdict": verdict, "reason": "noise", "decided_by": 0, "changes": [{
            "metric": "time", "statistic": "typical", "unit": "ns", "base": 100.0,
            "new": 100.0 * (1.0 + change),
            "change": {"value": change, "interval": {"lo": change - 0.01, "hi": change + 0.01}},
            "because": "the pairs differ too much",
        }]})
    }

    fn document(sides: &[(&str, f64)]) -> Value {
        let case = |number: usize, side: Value| {
            let id = json!({"suite": "s", "benchmark": format!("b{number}"), "params": []});
            json!({"case": {"id": id}, "sides": [side]})
        };
        let cases: Vec<Value> =
            sides.iter().enumerate().map(|(n, (verdict, change))| case(n, side(verdict, *change))).collect();
        json!({
            "run": {"id": "abcd", "status": "complete", "variants": [{"name": "main"}, {"name": "head"}]},
            "suites": [], "failures": [],
            "warnings": [{"code": "DY101", "message": "other programs ran", "remedy": "stop them"}],
            "comparison": {
                "sides": [{"name": "main"}, {"name": "head"}], "cases": cases, "unmeasured": [],
                "margin": 0.01, "confidence": 0.95, "geometric_means": [],
            },
        })
    }

    #[test]
    fn the_worst_comes_first_and_the_text_says_the_same_as_the_json() {
        let reduced =
            reduce(&document(&[("same", 0.001), ("better", -0.05), ("worse", 0.032), ("unclear", 0.004)]))
                .unwrap();
        assert_eq!(
            reduced.lines,
            [
                "1 worse, 1 unclear, 1 better, 1 same (run abcd, base main)",
                "worse s/b2 (head): +3.2 % [+2.2 %, +4.2 %]",
                "unclear s/b3 (head): +0.40 % [-0.60 %, +1.4 %]: the pairs differ too much",
                "better s/b1 (head): -5.0 % [-6.0 %, -4.0 %]",
                "same s/b0 (head): +0.10 % [-0.90 %, +1.1 %]",
                "warning DY101: other programs ran; stop them",
            ]
        );
        assert_eq!(reduced.structured["verdicts"], json!({"worse": 1, "unclear": 1, "better": 1, "same": 1}));
        assert_eq!(reduced.structured["cases"][0]["change"], 0.032);
        assert_eq!(reduced.structured["run"], "abcd");
    }

    #[test]
    fn ten_thousand_cases_are_bounded_and_the_rest_is_counted() {
        let sides = vec![("same", 0.0); 10_000];
        let reduced = reduce(&document(&sides)).unwrap();
        assert!(reduced.structured.to_string().len() < 20_000);
        let kept = reduced.structured["cases"].as_array().unwrap().len();
        assert_eq!(reduced.structured["left_out"], 10_000 - kept);
    }

    #[test]
    fn what_is_no_run_is_not_reduced() {
        assert!(reduce(&json!([])).is_none());
    }
}
