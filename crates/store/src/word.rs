//! Small values as text columns. Knows no database.

use crate::error::Trouble;
use serde::{Serialize, de::DeserializeOwned};

/// The name of a field-less variant, as serde spells it.
pub fn word(value: &impl Serialize) -> Result<String, Trouble> {
    Ok(serde_json::to_string(value)?.trim_matches('"').to_owned())
}

/// The variant with this name.
pub fn from_word<T: DeserializeOwned>(word: &str) -> Result<T, Trouble> {
    Ok(serde_json::from_value(serde_json::Value::String(word.to_owned()))?)
}
