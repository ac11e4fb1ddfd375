//! JSON Schemas. A test generates the schemas of output formats from their types (draft 2020-12). Another
//! test checks the schema of derny.toml against the parser (draft 7, which TOML plug-ins of editors support).

use crate::args::SchemaName;
use derny_workbench::config::settings::{KEYS, Key};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Schemas of all output formats, with shared definitions.
const OUTPUTS: &str = include_str!("../../../docs/reference/schema/outputs.json");
/// Prefix of references to definitions.
const DEFINITIONS: &str = "#/$defs/";

/// Returns the text of a schema. Formats may gain keys, so readers must ignore unknown ones.
pub fn text(name: SchemaName) -> Result<String, serde_json::Error> {
    let root = match name {
        SchemaName::Result => "Document",
        SchemaName::Scaling => "Scaling",
        SchemaName::Events => "Event",
        SchemaName::Plan => "FleetPlan",
        SchemaName::Judgement => "Judgement",
        SchemaName::Bisection => "Bisection",
        SchemaName::History => "History",
        SchemaName::Config => return Ok(serde_json::to_string_pretty(&config())? + "\n"),
    };
    Ok(serde_json::to_string_pretty(&self_contained(&serde_json::from_str(OUTPUTS)?, root))? + "\n")
}

/// Returns the schema of one definition, including all definitions that it refers to directly or indirectly.
fn self_contained(all: &Value, root: &str) -> Value {
    let mut schema = all["$defs"][root].clone();
    let mut needed: BTreeMap<String, Value> = BTreeMap::new();
    let mut waiting = Vec::new();
    collect_references(&schema, &mut waiting);
    while let Some(name) = waiting.pop() {
        needed.entry(name).or_insert_with_key(|name| {
            let definition = all["$defs"][name].clone();
            collect_references(&definition, &mut waiting);
            definition
        });
    }
    schema["$schema"] = all["$schema"].clone();
    schema["title"] = root.into();
    if !needed.is_empty() {
        schema["$defs"] = json!(needed);
    }
    schema
}

/// Adds the names of the definitions that a schema refers to directly.
fn collect_references(schema: &Value, names: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            names.extend(reference.and_then(|path| path.strip_prefix(DEFINITIONS)).map(str::to_owned));
            fields.values().for_each(|value| collect_references(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_references(value, names)),
        _ => {}
    }
}

/// Returns the schema of derny.toml.
fn config() -> Value {
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "derny.toml",
        "description": "Configuration of Derny: which benchmarks to run, how, and where to store results.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "profile": map("Settings by profile, for --profile NAME.", settings("Settings of a profile.")),
            "suite": map("Suites by name.", suite()),
            "variant": map("Variants by name, for -x NAME.", variant()),
            "gate": gate(),
            "history": history(),
            "judge": judge(),
            "store": word("Where results are stored: a folder relative to this file, or postgresql://USER@HOST/NAME."),
            "kept-programs": word("Maximum size of all stored baseline programs, such as 512M (the default)."),
        },
    });
    for key in KEYS {
        schema["properties"][key.name] = setting(key);
    }
    schema
}

fn word(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn texts(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": about })
}

fn words(about: &str) -> Value {
    json!({
        "description": about,
        "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
    })
}

fn map(about: &str, of: Value) -> Value {
    json!({ "type": "object", "description": about, "additionalProperties": of })
}

fn object(about: &str, properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "description": about,
        "additionalProperties": false,
        "properties": properties,
        "required": required,
    })
}

/// Returns one property per setting. Its value is a string as on the command line, or a TOML number, boolean
/// or list.
fn settings(about: &str) -> Value {
    let of_key = |key: &Key| (key.name.to_string(), setting(key));
    object(about, Value::Object(KEYS.iter().map(of_key).collect::<Map<_, _>>()), &[])
}

fn setting(key: &Key) -> Value {
    json!({
        "description": key.about,
        "default": key.default,
        "anyOf": [
            { "type": "string" },
            { "type": "number" },
            { "type": "boolean" },
            { "type": "array", "items": { "type": ["string", "integer"] } },
        ],
    })
}

fn suite() -> Value {
    let values = json!({ "type": "array", "items": { "type": ["string", "number", "boolean"] } });
    let environment = json!({ "type": "string" });
    let own = object(
        "A custom launch command.",
        json!({
            "command": words("Command line; {file}, {root}, {build}, {runtime} and {suite-args} are replaced."),
            "runtime": word("Program that replaces {runtime}; -x NAME=COMMAND overrides it."),
        }),
        &["command"],
    );
    object(
        "Benchmarks that share a harness and settings.",
        json!({
            "harness": {
                "description": "Name of a convention, or a custom launch command.",
                "anyOf": [{ "type": "string" }, own],
            },
            "files": texts("Globs of benchmark files, relative to this file."),
            "params": map("Parameter values that replace those of the benchmarks.", values),
            "env": map("Environment variables of its processes.", environment),
            "args": texts("Arguments for the suite's program, or for the runtime if the harness has none for the program."),
            "runtime-args": texts("Arguments for the runtime."),
            "build-args": texts("Arguments for the build, inserted at {build-args}."),
            "directory": word("Working directory, relative to this file."),
            "build": words("Build command, run before measuring and in the worktree of a revision; {build} and {root} are replaced."),
        }),
        &["harness"],
    )
}

fn variant() -> Value {
    object(
        "A variant: another way to run the same cases.",
        json!({
            "command": words("Command that replaces the runtime, or the program if there is no runtime."),
            "revision": word("Git revision to build."),
            "benchmark": word("Benchmark of the suite to measure instead of the case."),
            "args": texts("Additional arguments."),
            "build-args": texts("Additional arguments for the build command."),
            "env": map("Environment added.", json!({ "type": "string" })),
        }),
        &[],
    )
}

fn gate() -> Value {
    object(
        "Conditions under which a comparison fails.",
        json!({
            "baseline": word("Name of the baseline."),
            "margin": word("Smallest change that matters, such as 1%."),
            "mean-margin": word("Smallest change of mean time that matters, such as 2%."),
            "fail-on": texts("Verdicts that fail the comparison: worse, unclear."),
            "confidence": { "type": "number", "description": "Confidence level of the intervals, such as 0.95." },
        }),
        &[],
    )
}

fn history() -> Value {
    object(
        "When `derny history` measures suspected changes.",
        json!({
            "confirm": word("Time limit for measuring suspected changes, such as 10min. With it, they are also measured after `derny history import` and `derny history creep`."),
        }),
        &[],
    )
}

fn judge() -> Value {
    object(
        "Terms of `derny judge`.",
        json!({
            "frozen": texts("Paths and globs of files that a candidate may not change, besides benchmark files and derny.toml."),
            "at-least": map("Least possible time per operation, such as 20ns, by a part of a case's name.", json!({ "type": "string" })),
            "weights": map("Weights of cases in the composite, by a part of their names.", json!({ "type": "number" })),
            "check": word("Command that must succeed in the folder of each side before it is measured."),
        }),
        &[],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use derny_engine::discover::project::ProjectFile;

    /// Returns the keys that the parser accepts in a table, from its error message for an unknown key.
    fn known(prefix: &str) -> Vec<String> {
        let document = format!("{prefix}\nno-such-key = 1\n");
        let error = toml::from_str::<ProjectFile>(&document).unwrap_err().to_string();
        let (_, list) = error.split_once("expected ").unwrap_or_else(|| panic!("{error}"));
        let mut keys: Vec<String> = list.split('`').skip(1).step_by(2).map(String::from).collect();
        keys.sort();
        keys
    }

    fn keys(value: &Value) -> Vec<String> {
        let mut keys: Vec<String> = value["properties"].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    }

    #[test]
    fn the_schema_has_the_keys_that_the_reader_knows() {
        let schema = config();
        let at = |name: &str| &schema["properties"][name];
        assert_eq!(keys(&at("suite")["additionalProperties"]), known("[suite.x]\nharness = \"node\""));
        assert_eq!(keys(&at("variant")["additionalProperties"]), known("[variant.x]"));
        assert_eq!(keys(at("gate")), known("[gate]"));
        assert_eq!(keys(at("judge")), known("[judge]"));
        assert_eq!(keys(at("history")), known("[history]"));
        let mut settings: Vec<String> = KEYS.iter().map(|key| key.name.to_string()).collect();
        settings.sort();
        assert_eq!(keys(&at("profile")["additionalProperties"]), settings);
        let others = ProjectFile::TABLES.into_iter().chain(ProjectFile::PLACES).map(String::from);
        settings.extend(others);
        settings.sort();
        assert_eq!(keys(&schema), settings);
    }
}
