//! Errors of the server itself. An error of a call is returned as the result of the call.

#[cfg(any(test, not(feature = "mcp")))]
use derny_model::Feature;
use derny_model::Problem;

/// Returns the problem for a build without the feature `mcp`.
#[cfg(any(test, not(feature = "mcp")))]
pub(crate) fn missing() -> Problem {
    stopped(&Feature::Mcp.why_missing()).remedy(Feature::Mcp.remedy())
}

/// Returns the problem for a server that cannot serve.
pub(crate) fn stopped(why: &str) -> Problem {
    Problem::new("the MCP server cannot serve").why(why)
}
