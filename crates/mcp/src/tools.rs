//! The tools: names, descriptions for agents, fields, and time limits.

use crate::arguments::{self, Diff, Doctor, Explain, Fields, Judge, List, Run, Show, Words};
use crate::project::{Project, Refusal};
use rmcp::handler::server::common::schema_for_input;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use std::sync::Arc;
use std::time::Duration;

/// Maximum time limit that a call may set.
pub const LONGEST: Duration = Duration::from_secs(3600);

/// One tool.
pub struct Offer {
    /// Name of the tool.
    pub name: &'static str,
    description: &'static str,
    /// Default time limit of a call, in seconds.
    limit: u64,
    /// True if the tool measures. Calls of such tools run one at a time.
    pub measures: bool,
    schema: fn() -> Result<Arc<JsonObject>, String>,
    words: fn(JsonObject, &JsonObject, &Project) -> Result<Words, Refusal>,
}

/// Returns a tool whose calls have the fields of `T`.
const fn offer<T: Fields>(
    name: &'static str,
    description: &'static str,
    limit: u64,
    measures: bool,
) -> Offer {
    Offer { name, description, limit, measures, schema: schema_for_input::<T>, words: arguments::words::<T> }
}

/// All tools.
pub const OFFERS: &[Offer] = &[
    offer::<Diff>(
        "diff",
        "Is my change slower or faster? Measures the working tree and a revision side by side, and returns a \
         verdict per case: better, worse, same or unclear. Start here after an edit.",
        900,
        true,
    ),
    offer::<Run>(
        "run",
        "Measure benchmarks, or compare several sides (revisions, variants, programs), alternated turn by \
         turn. The result is stored; `show` gives more of it.",
        900,
        true,
    ),
    offer::<Judge>(
        "judge",
        "Decide whether to keep a candidate in an optimisation loop: keep, neutral, discard, retry or void. \
         A session remembers base and best, and holds the number of false keeps down over many candidates.",
        900,
        true,
    ),
    offer::<List>("list", "List the benchmark cases of the project, without running them.", 120, false),
    offer::<Show>("show", "Show a stored run again, or details of some of its cases.", 60, false),
    offer::<Doctor>("doctor", "Check whether this machine is fit to measure.", 60, false),
    offer::<Explain>("explain", "Explain the code of a warning or a failure, such as DY204.", 60, false),
];

/// Returns the tool with this name.
pub fn find(name: &str) -> Option<&'static Offer> {
    OFFERS.iter().find(|offer| offer.name == name)
}

impl Offer {
    /// Returns the tool as a client sees it.
    pub fn tool(&self) -> Tool {
        let schema = (self.schema)().unwrap_or_default();
        let annotations =
            ToolAnnotations::new().read_only(!self.measures).destructive(false).open_world(false);
        Tool::new(self.name, self.description, schema).with_annotations(annotations)
    }

    /// Returns the command line of a call, and its time limit.
    ///
    /// # Errors
    ///
    /// Fails if a field is unknown, has the wrong type, or is refused.
    pub fn words(&self, given: JsonObject, project: &Project) -> Result<(Words, Duration), Refusal> {
        let schema = (self.schema)()?;
        let words = (self.words)(given, &schema, project)?;
        let limit = Duration::from_secs(words.limit.unwrap_or(self.limit));
        if limit.is_zero() || limit > LONGEST {
            return Err(format!("`timeout` must be from 1 to {} seconds", LONGEST.as_secs()));
        }
        Ok((words, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_tool_has_a_name_of_its_own_and_says_what_each_field_is() {
        let mut names: Vec<&str> = OFFERS.iter().map(|offer| offer.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), OFFERS.len());
        for offer in OFFERS {
            let tool = serde_json::to_value(offer.tool()).unwrap();
            assert_eq!(tool["inputSchema"]["type"], "object", "{}", offer.name);
            let fields = tool["inputSchema"]["properties"].as_object().cloned().unwrap_or_default();
            for (name, field) in fields {
                let text = field["description"].as_str().unwrap_or_default();
                assert!(text.ends_with('.'), "{} {name}: {text}", offer.name);
            }
            assert_ne!(tool["description"], Value::Null);
        }
    }

    #[test]
    fn a_time_limit_is_at_most_an_hour() {
        let project = Project::around(std::path::Path::new(".")).unwrap();
        let limit = |seconds: u64| {
            let given = serde_json::json!({"timeout": seconds}).as_object().cloned().unwrap();
            find("run").unwrap().words(given, &project).map(|(_, limit)| limit.as_secs())
        };
        assert_eq!(limit(5), Ok(5));
        assert_eq!(limit(3600), Ok(3600));
        assert!(limit(0).is_err() && limit(3601).is_err());
    }
}
