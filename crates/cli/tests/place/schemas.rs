//! Checks the binary's JSON output against the schemas that it prints.

use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::process::Command;
use std::sync::OnceLock;

/// Fails the test if a document violates its schema. Other JSON is ignored.
#[track_caller]
pub fn check(value: &Value) {
    let Some(name) = kind(value) else { return };
    if let Err(error) = all()[name].validate(value) {
        panic!("{name}: {error}\nat {}", error.instance_path());
    }
}

fn kind(value: &Value) -> Option<&'static str> {
    let has = |key: &str| value.get(key).is_some();
    match () {
        () if has("event") => Some("events"),
        () if has("suites") && has("run") => Some("result"),
        () if has("verdict") && has("ground") => Some("judgement"),
        () if has("probes") && has("outcome") => Some("bisection"),
        () if has("shards") && has("wave") => Some("plan"),
        () if has("curves") && has("over") => Some("scaling"),
        () => None,
    }
}

fn all() -> &'static HashMap<&'static str, Validator> {
    static ALL: OnceLock<HashMap<&str, Validator>> = OnceLock::new();
    ALL.get_or_init(|| {
        ["result", "scaling", "events", "plan", "judgement", "bisection"].map(|name| (name, of(name))).into()
    })
}

fn of(name: &str) -> Validator {
    let output = Command::new(env!("CARGO_BIN_EXE_derny")).args(["dev", "schema", name]).output().unwrap();
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}
