//! Compact JSON of records, without members that are null or have their default values. Such members would be
//! most of the text in a run of hundreds of thousands of cases.

use crate::error::Trouble;
use derny_json::{FromJson, ToJson};
use derny_model::{Case, Metric, ProcessStart, Reported, VisitReport};
use serde::{Deserialize, Serialize};

const NULL: &str = "null";
/// The members of a case whose default values are not null.
const PLAIN: &str = r#","timing":"loop","again":false,"args":[],"env":[],"ops":1.0,"isolate":false,"metrics":[],"parent":false,"tags":[]"#;

/// Returns the JSON of `value` without members that are null, except the first member of an object. The
/// parser treats missing members as null.
pub fn json(value: &(impl ToJson + ?Sized)) -> Result<String, Trouble> {
    Ok(without_null(&value.to_json()?))
}

fn without_null(whole: &str) -> String {
    let mut short = String::with_capacity(whole.len());
    let mut rest = whole;
    while let Some(at) = rest.find(":null") {
        let (before, after) = rest.split_at(at);
        // Quotes within a string are escaped, so no string looks like a member.
        let start = before.rfind(",\"").filter(|start| is_name(&before[start + 2..]));
        let end = if start.is_some() { at } else { at + 1 + NULL.len() };
        short.push_str(&rest[..start.unwrap_or(end)]);
        rest = if start.is_some() { &after[1 + NULL.len()..] } else { &rest[end..] };
    }
    short.push_str(rest);
    short
}

/// Returns the JSON of a process without members that have their default values. A row of more than 230 bytes
/// takes an extra page, and an imported file may have millions of rows.
pub fn process(start: &ProcessStart) -> Result<String, Trouble> {
    Ok(json(start)?.replacen(",\"build\":0,", ",", 1).replacen(",\"settings\":{},", ",", 1))
}

pub fn case(case: &Case) -> Result<String, Trouble> {
    // The quotes in `PLAIN` are not escaped, so it cannot occur within a string.
    Ok(json(case)?.replacen(PLAIN, "", 1))
}

/// Parses a case that [`case`] or [`json`] wrote.
pub fn read_case(body: &str) -> Result<Case, Trouble> {
    match body.strip_suffix('}') {
        Some(members) if !body.contains(",\"timing\":") => {
            Ok(Case::from_json(&[members, PLAIN, "}"].concat())?)
        }
        _ => Ok(Case::from_json(body)?),
    }
}

/// A report without the metrics of its values. The metrics are stored once for many reports.
#[derive(Serialize, Deserialize)]
struct Report {
    operations: f64,
    values: Vec<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(String, String)>,
}

pub fn report(report: &VisitReport) -> Result<String, Trouble> {
    let VisitReport { operations, values, texts } = report;
    let values = values.iter().map(|reported| reported.value).collect();
    Ok(serde_json::to_string(&Report { operations: *operations, values, texts: texts.clone() })?)
}

pub fn read_report(body: &str, metrics: &[Metric]) -> Result<VisitReport, Trouble> {
    let Report { operations, values, texts } = serde_json::from_str(body)?;
    let values = metrics.iter().cloned().zip(values).map(|(metric, value)| Reported { metric, value });
    Ok(VisitReport { operations, values: values.collect(), texts })
}

fn is_name(text: &str) -> bool {
    let name = text.strip_suffix('"').unwrap_or_default();
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_model::{Case, CaseId, Event};
    use serde_json::{Value, json as made};

    #[test]
    fn what_is_null_is_left_out_and_nothing_else() {
        let short = |value: Value| without_null(&value.to_string());
        assert_eq!(short(made!({"a": 1, "b": null, "c_d": null})), r#"{"a":1}"#);
        assert_eq!(
            short(made!({"a": 1, "b": {"c": 1, "d": null}, "e": [null]})),
            r#"{"a":1,"b":{"c":1},"e":[null]}"#
        );
        // The first member of an object stays, and so does a member whose name is not a field name.
        assert_eq!(short(made!({"a": null})), r#"{"a":null}"#);
        assert_eq!(short(made!({"A": 1, "B": null})), r#"{"A":1,"B":null}"#);
    }

    #[test]
    fn a_process_comes_back_as_it_was() {
        let Event::ProcessStarted(mut start) = crate::scenario::process(1_234_567) else { unreachable!() };
        for (build, key) in [(0, None), (0, Some("build")), (7, Some("settings"))] {
            start.build = build;
            start.command = vec![",\"build\":0,".to_owned(), ",\"settings\":{},".to_owned()];
            start.settings = key.map(|key| (key.to_owned(), "{}".to_owned())).into_iter().collect();
            let body = process(&start).unwrap();
            assert_eq!(serde_json::from_str::<ProcessStart>(&body).unwrap(), start, "{body}");
        }
    }

    #[test]
    fn a_case_comes_back_as_it_was() {
        let texts = [PLAIN, "timing", ",\"timing\":", "}", "\\"];
        for text in texts {
            let params = vec![(text.to_owned(), text.to_owned())];
            let id = CaseId { suite: text.to_owned(), benchmark: text.to_owned(), params };
            let plain = Case { printed: Some(text.to_owned()), ..Case::new(id) };
            let own = Case { again: true, tags: vec![text.to_owned()], ..plain.clone() };
            for (case, is_shorter) in [(plain, true), (own, false)] {
                let (short, long) = (super::case(&case).unwrap(), json(&case).unwrap());
                assert_eq!(short.len() + 100 < long.len(), is_shorter, "{short}");
                // The format of an earlier version can be read too.
                assert_eq!([&short, &long].map(|body| read_case(body).unwrap()), [case.clone(), case]);
            }
        }
    }

    #[test]
    fn no_text_is_taken_for_a_member() {
        let texts = [
            r#","file":null"#,
            r#"a,"#,
            r#"","file":null,""#,
            r#"\",\"file\":null"#,
            ":null",
            "null",
            "\\\",x\":null",
        ];
        for text in texts {
            for other in texts {
                let params = vec![(text.to_owned(), other.to_owned()), (other.to_owned(), text.to_owned())];
                let id = CaseId { suite: text.to_owned(), benchmark: other.to_owned(), params };
                let mut case = Case::new(id);
                case.group = Some(other.to_owned());
                case.tags = vec![text.to_owned(), "file".to_owned()];
                let body = json(&case).unwrap();
                assert_eq!(serde_json::from_str::<Case>(&body).unwrap(), case, "{body}");
                assert!(
                    !body.ends_with("null}")
                        && body.len() < serde_json::to_string(&case).unwrap().len() - 200
                );
            }
        }
    }
}
