//! Edits a build tool's TOML file in which a benchmark must be listed. Comments, order and formatting are
//! preserved.

use crate::error::{Doing, Result};
use crate::init::step::{Step, create, replace};
use derny_engine::discover::sdk::Manifest;
use derny_model::problem;
use std::fs;
use std::path::Path;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Adds missing entries to the file that `manifest` describes, or writes the file if it does not exist. Fails
/// if the file exists without the table that `manifest` requires.
pub fn extend(root: &Path, manifest: &Manifest) -> Result<Option<Step>> {
    let path = root.join(&manifest.file);
    let file = &manifest.file;
    if !path.exists() {
        let mut document = DocumentMut::new();
        merge(document.as_table_mut(), &manifest.begin, "");
        merge(document.as_table_mut(), &manifest.add, "");
        return Ok(Some(create(root, file, document.to_string().trim_start().as_bytes())?));
    }
    let text = fs::read_to_string(&path).doing(|| format!("cannot read {}", path.display()))?;
    let mut document: DocumentMut =
        text.parse().map_err(|error| problem!("{file} cannot be read").place(path.display()).why(error))?;
    if !document.contains_key(&manifest.requires) {
        return Err(problem!("{file} has no [{}]", manifest.requires)
            .place(path.display())
            .remedy("run `derny -C FOLDER init` with the folder of a package")
            .into());
    }
    let added = merge(document.as_table_mut(), &manifest.add, "");
    if added.is_empty() {
        return Ok(Some(Step::Kept(file.clone())));
    }
    replace(&path, &document.to_string())?;
    Ok(Some(Step::Added(file.clone(), added.join(", "))))
}

/// Adds missing entries to the table `above`, whose name is empty for the root. Returns the name of each
/// added entry.
fn merge(table: &mut dyn TableLike, add: &toml::Table, above: &str) -> Vec<String> {
    let mut added = Vec::new();
    for (key, value) in add {
        let name = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        match value {
            toml::Value::Table(inner) if above.is_empty() => {
                let inside = table.entry(key).or_insert_with(|| Item::Table(Table::new()));
                if let Some(inside) = inside.as_table_like_mut() {
                    added.extend(merge(inside, inner, &name));
                }
            }
            toml::Value::Array(rows) if rows.iter().all(toml::Value::is_table) => {
                let inside = table.entry(key).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
                let rows = rows.iter().filter_map(toml::Value::as_table);
                added.extend(rows.filter(|row| append(inside, row)).map(|_| format!("[[{name}]]")));
            }
            _ if table.contains_key(key) => {}
            _ => {
                table.insert(key, Item::Value(plain(value)));
                added.push(name);
            }
        }
    }
    added
}

/// Appends a table to an array of tables, unless the array has a table with the same name. Returns true if
/// it appended the table.
fn append(array: &mut Item, row: &toml::Table) -> bool {
    let name = row.get("name").and_then(toml::Value::as_str);
    match array {
        Item::ArrayOfTables(tables) => {
            if tables.iter().any(|table| table.get("name").and_then(Item::as_str) == name) {
                return false;
            }
            let mut table = Table::new();
            // Write the name first, because readers look for it.
            let (first, others): (Vec<_>, Vec<_>) = row.iter().partition(|(key, _)| *key == "name");
            for (key, value) in first.into_iter().chain(others) {
                table.insert(key, Item::Value(plain(value)));
            }
            tables.push(table);
            true
        }
        // An inline array: `bench = [{ … }]`.
        Item::Value(Value::Array(values)) => {
            let named = |value: &Value| value.as_inline_table()?.get("name")?.as_str().map(String::from);
            if values.iter().any(|value| named(value).as_deref() == name) {
                return false;
            }
            values.push(Value::InlineTable(inline(row)));
            true
        }
        _ => false,
    }
}

fn inline(table: &toml::Table) -> InlineTable {
    table.iter().map(|(key, value)| (key.as_str(), plain(value))).collect()
}

/// Converts a value to one without formatting.
fn plain(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.as_str().into(),
        toml::Value::Integer(number) => (*number).into(),
        toml::Value::Float(number) => (*number).into(),
        toml::Value::Boolean(truth) => (*truth).into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(values) => Value::Array(values.iter().map(plain).collect()),
        toml::Value::Table(table) => Value::InlineTable(inline(table)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADD: &str = r#"tools = { ours = { path = "x/ours" } }
bench = [{ name = "first", harness = false }]"#;

    fn merged(text: &str) -> (String, Vec<String>) {
        let mut document: DocumentMut = text.parse().unwrap();
        let added = merge(document.as_table_mut(), &ADD.parse().unwrap(), "");
        (document.to_string(), added)
    }

    #[test]
    fn what_is_missing_is_added_and_the_rest_stays() {
        let begin = "# mine\n[package]\nname   = 'odd'   # spaced\n\n[tools]\nother = \"1\"\n";
        let (text, added) = merged(begin);
        assert_eq!(
            text,
            format!(
                "{begin}ours = {{ path = \"x/ours\" }}\n\n[[bench]]\nname = \"first\"\nharness = false\n"
            )
        );
        assert_eq!(added, ["[[bench]]", "tools.ours"]);
        assert_eq!(merged(&text), (text, Vec::new()));
    }

    #[test]
    fn what_is_written_another_way_is_found_too() {
        for there in [
            "[package]\n[tools.ours]\nversion = \"1\"\n[[bench]]\nname = \"first\"\n",
            "tools.ours = \"1\"\nbench = [{ name = \"first\" }]\n[package]\n",
        ] {
            assert_eq!(merged(there), (there.to_string(), Vec::new()));
        }
        let (text, added) = merged("bench = [{ name = \"other\" }]\n");
        assert_eq!(added.len(), 2);
        let table: toml::Table = text.parse().unwrap();
        assert_eq!(table["bench"].as_array().unwrap().len(), 2, "{text}");
    }
}
