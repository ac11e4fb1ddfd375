//! Reduces lists of cases, and checks of the machine.

use super::reduced::{Reduced, case_name, fit};
use derny_model::words::counted;
use serde_json::{Value, json};

/// Reduces the output of `derny list`.
pub fn cases(value: &Value) -> Option<Reduced> {
    let cases = value.as_array()?;
    let names: Vec<String> = cases.iter().map(|case| case_name(&case["id"])).collect();
    let rows = cases.iter().zip(&names).map(|(case, name)| {
        let mut row = json!({"case": name, "file": case["file"], "line": case["line"]});
        if !case["skip"].is_null() {
            row["skip"] = case["skip"].clone();
        }
        row
    });
    let (rows, left_out) = fit(rows.collect());
    let count = names.len();
    let mut lines = vec![format!("{count} {}", if count == 1 { "case" } else { "cases" })];
    lines.extend(names);
    Some(Reduced { lines, structured: json!({"cases": rows, "count": count, "left_out": left_out}) })
}

/// Reduces the output of `derny doctor`. The text lists only failed checks and warnings.
pub fn checks(value: &Value) -> Option<Reduced> {
    let checks = value.as_array()?;
    let of = |status: &str| checks.iter().filter(|check| check["status"] == status).collect::<Vec<_>>();
    let (failed, warned) = (of("fail"), of("warn"));
    let head = match (failed.len(), warned.len()) {
        (0, 0) => "this machine is fit to measure".to_owned(),
        (0, warned) => format!("this machine can measure, with {}", counted(warned, "warning", "warnings")),
        (failed, _) => {
            format!("this machine is not fit to measure: {} failed", counted(failed, "check", "checks"))
        }
    };
    let line = |check: &&Value| {
        let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
        let code = check["code"].as_str().map(|code| format!(" ({code})")).unwrap_or_default();
        format!("{} {}{code}: {}", text("status"), text("name"), text("text"))
    };
    let lines = std::iter::once(head).chain(failed.iter().chain(&warned).map(line)).collect();
    let (rows, left_out) = fit(checks.clone());
    Some(Reduced { lines, structured: json!({"checks": rows, "left_out": left_out}) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_named_as_patterns_match_them() {
        let list = json!([
            {
                "id": {"suite": "s", "benchmark": "b", "params": [["n", "10"]]},
                "file": "s.js", "line": 3, "skip": null,
            }
        ]);
        let reduced = cases(&list).unwrap();
        assert_eq!(reduced.lines, ["1 case", "s/b n=10"]);
        assert_eq!(reduced.structured["cases"][0], json!({"case": "s/b n=10", "file": "s.js", "line": 3}));
    }

    #[test]
    fn checks_that_fail_come_first() {
        let check =
            |status: &str, name: &str| json!({"status": status, "name": name, "text": "x", "code": null});
        let all = json!([check("ok", "clock"), check("warn", "load"), check("fail", "store")]);
        let lines = checks(&all).unwrap().lines;
        assert_eq!(lines[1..], ["fail store: x", "warn load: x"]);
        assert!(lines[0].contains("not fit"));
        assert_eq!(checks(&json!([check("ok", "clock")])).unwrap().lines, ["this machine is fit to measure"]);
    }
}
