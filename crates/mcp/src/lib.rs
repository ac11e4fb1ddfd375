//! An MCP server that offers Derny's verbs as tools for agents. It runs verbs as commands, and does not
//! depend on how they work.
//!
//! 1. `wire` reads lines from the client, and answers those that are not JSON-RPC with an error.
//! 2. `server` lists the `tools`, and receives calls. Calls that measure run one at a time.
//! 3. `arguments` converts a call to a command line. `project` refuses paths outside the project.
//! 4. `child` runs this program with that command line, and limits its time and its output.
//! 5. `results` reduces the JSON that it printed to verdicts, changes, intervals and warnings.
//!
//! Each call runs in a separate process, so that a crash does not end the server. This is a separate crate
//! because the library for the protocol takes long to build. Without the feature `mcp`, `serve` fails.

#[cfg(feature = "mcp")]
mod arguments;
#[cfg(feature = "mcp")]
mod child;
mod error;
mod place;
#[cfg(feature = "mcp")]
mod project;
#[cfg(feature = "mcp")]
mod results;
#[cfg(feature = "mcp")]
mod server;
#[cfg(feature = "mcp")]
mod tools;
#[cfg(feature = "mcp")]
mod wire;

pub use place::Place;

use derny_model::Problem;
use std::io::{Read, Write};

/// Serves until the client closes the input, or a signal arrives.
///
/// # Errors
///
/// Fails if the client does not speak the protocol, or if this build has no server.
#[cfg(feature = "mcp")]
pub fn serve(
    place: Place,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> Result<(), Problem> {
    server::serve(place, input, output)
}

/// Always fails, because this build has no server.
#[cfg(not(feature = "mcp"))]
pub fn serve(_: Place, _: impl Read + Send + 'static, _: impl Write + Send + 'static) -> Result<(), Problem> {
    Err(error::missing())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_build_without_a_server_says_how_to_get_it() {
        let text = super::error::missing().to_string();
        for part in ["this build of Derny has no MCP server", "--features mcp`"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
