//! Converts the output of a call to the result for the client, with verdicts first and a limited size.
//! Computes nothing.
//!
//! `measured` reduces runs, `judged` reduces decisions, and `listed` reduces lists of cases and checks.

mod judged;
mod listed;
mod measured;
mod reduced;

use crate::arguments::{Form, Words};
use crate::child::{Ended, Stop};
use reduced::Reduced;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use std::time::Duration;

/// Maximum length of the text, in characters.
const TEXT: usize = 4_000;
/// Exit codes that make a call an error: a usage or internal error, and no matching case.
const FAULTS: [i32; 2] = [2, 4];

/// Returns the result of a call that was refused or could not be started.
pub fn refused(why: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(shortened(why, TEXT))])
}

/// Returns the result of a call. `words` is its command line, `limit` its time limit, and `ended` what it
/// printed.
pub fn of(words: &Words, limit: Duration, ended: &Ended) -> CallToolResult {
    let notes = notes(&ended.err);
    if ended.is_cut {
        return refused("the result is larger than 64 MiB. Select fewer cases with `patterns`");
    }
    let out = String::from_utf8_lossy(&ended.out);
    let reduced = match words.form {
        Form::Text => text(&out, &notes, ended.code),
        form => serde_json::from_str(&out).ok().and_then(|value| reduce(form, &value)),
    };
    let mut lines = Vec::from_iter(ended.stop.map(|stop| stopped(stop, limit)));
    let Some(reduced) = reduced else {
        if lines.is_empty() && notes.is_empty() {
            lines.push(match ended.code {
                Some(code) => format!("derny {} ended with exit code {code}", words.words[0]),
                None => format!("derny {} was killed", words.words[0]),
            });
        }
        lines.extend(notes);
        return refused(&lines.join("\n"));
    };
    lines.extend(reduced.lines);
    // A failed check of the machine has the exit code of a usage error, but is a valid result.
    let is_fault = ended.code.is_none_or(|code| FAULTS.contains(&code)) && words.form != Form::Checks;
    let content = vec![ContentBlock::text(shortened(&lines.join("\n"), TEXT))];
    let mut result = match is_fault || ended.stop.is_some() {
        true => CallToolResult::error(content),
        false => CallToolResult::success(content),
    };
    if !reduced.structured.is_null() {
        let mut structured = reduced.structured;
        if let Some(object) = structured.as_object_mut() {
            object.insert("exit_code".into(), json!(ended.code));
        }
        result.structured_content = Some(structured);
    }
    result
}

/// Returns the text that a command printed to standard output. If there is none and the command succeeded,
/// returns its notes on standard error.
fn text(out: &str, notes: &[String], code: Option<i32>) -> Option<Reduced> {
    let lines = match out.trim().is_empty() {
        false => out.lines().map(str::to_owned).collect(),
        true if code == Some(0) => notes.to_vec(),
        true => return None,
    };
    Some(Reduced { lines, structured: Value::Null })
}

fn reduce(form: Form, value: &Value) -> Option<Reduced> {
    match form {
        Form::Decision => judged::reduce(value),
        Form::Run => measured::reduce(value),
        Form::Cases => listed::cases(value),
        Form::Checks => listed::checks(value),
        Form::Text => None,
    }
}

fn stopped(stop: Stop, limit: Duration) -> String {
    let why = match stop {
        Stop::Limit => format!("stopped after {} s, the time limit of this call", limit.as_secs()),
        Stop::Cancelled => "cancelled".to_owned(),
        Stop::Closing => "stopped, because the client closed the connection".to_owned(),
    };
    format!("{why}. What was measured is stored, and `show` returns it")
}

/// Returns the lines of standard error from the first error on. Without an error, returns the last eight
/// lines.
fn notes(err: &str) -> Vec<String> {
    let lines: Vec<&str> = err.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("error") || line.starts_with("derny:"));
    let kept = &lines[first.unwrap_or(lines.len().saturating_sub(8))..];
    kept.iter().map(|line| (*line).to_owned()).collect()
}

/// Returns at most `most` characters of a text. A longer text is cut at a line break and ends with a note
/// about that.
fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => {
            let end = text[..end].rfind('\n').unwrap_or(end);
            format!("{}\n… shortened; name fewer cases to see them", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: i32, out: &str, err: &str) -> Ended {
        Ended { code: Some(code), out: out.into(), is_cut: false, err: err.into(), stop: None }
    }

    fn words(form: Form) -> Words {
        Words { words: vec!["run".into()], form, limit: None }
    }

    fn said(result: &CallToolResult) -> String {
        serde_json::to_value(result).unwrap()["content"][0]["text"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_failed_call_is_its_message() {
        let err = "1 case · about 2 s\nerror: no such case\n  try    derny list\n";
        let result = of(&words(Form::Run), Duration::from_secs(9), &ended(4, "", err));
        assert_eq!(result.is_error, Some(true));
        assert_eq!(said(&result), "error: no such case\n  try    derny list");
        let silent = of(&words(Form::Run), Duration::from_secs(9), &ended(101, "", ""));
        assert_eq!(said(&silent), "derny run ended with exit code 101");
    }

    #[test]
    fn a_note_alone_is_a_result_if_the_command_did_its_work() {
        let of =
            |code| of(&words(Form::Text), Duration::from_secs(9), &ended(code, "", "it is the best one\n"));
        assert_eq!((of(0).is_error, said(&of(0))), (Some(false), "it is the best one".to_owned()));
        assert_eq!(of(2).is_error, Some(true));
    }

    #[test]
    fn a_stopped_call_says_why() {
        let stopped = Ended { stop: Some(Stop::Limit), ..ended(130, "", "") };
        let result = of(&words(Form::Run), Duration::from_secs(9), &stopped);
        assert_eq!(result.is_error, Some(true));
        assert!(said(&result).starts_with("stopped after 9 s, the time limit"), "{}", said(&result));
    }

    #[test]
    fn a_long_text_is_shortened_at_a_line() {
        assert_eq!(shortened("abc", 3), "abc");
        assert!(shortened("ab\ncdef", 5).starts_with("ab\n…"));
        assert!(shortened("größer", 3).starts_with("grö\n…"));
    }
}
