//! Enum values as text in the database.

use crate::error::Trouble;
use serde::{Serialize, de::DeserializeOwned};

/// Returns the name of a variant without fields, in serde's spelling.
pub fn word(value: &impl Serialize) -> Result<String, Trouble> {
    Ok(serde_json::to_string(value)?.trim_matches('"').to_owned())
}

/// Returns the variant with this name.
pub fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, Trouble> {
    Ok(serde_json::from_value(serde_json::Value::String(word.to_owned()))?)
}
