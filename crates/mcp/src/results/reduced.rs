//! The type of reduced results, and helpers to make them.

use serde_json::Value;

/// Maximum length of the structured content, in bytes.
const STRUCTURED: usize = 16_000;

/// A reduced result: the lines of a text, and the same as JSON.
pub struct Reduced {
    /// The lines of the text.
    pub lines: Vec<String>,
    /// The structured content.
    pub structured: Value,
}

/// Returns as many of the first values as fit into the structured content, and the number of the others.
pub fn fit(values: Vec<Value>) -> (Vec<Value>, usize) {
    let (all, mut size) = (values.len(), 0);
    let fits = |value: &Value| {
        size += value.to_string().len() + 1;
        size <= STRUCTURED
    };
    let kept: Vec<Value> = values.into_iter().take_while(fits).collect();
    let left_out = all - kept.len();
    (kept, left_out)
}

/// Returns the name of a case in the form that patterns match.
pub fn case_name(id: &Value) -> String {
    let text = |key: &str| id[key].as_str().unwrap_or_default();
    let params = id["params"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|pair| Some(format!(" {}={}", pair.get(0)?.as_str()?, pair.get(1)?.as_str()?)));
    format!("{}/{}{}", text("suite"), text("benchmark"), params.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn structured_content_is_bounded() {
        let (kept, left_out) = fit(vec![json!("x".repeat(1000)); 100]);
        assert_eq!(kept.len() + left_out, 100);
        assert!(serde_json::to_string(&kept).unwrap().len() < STRUCTURED + 100);
        assert!(left_out > 80);
    }
}
