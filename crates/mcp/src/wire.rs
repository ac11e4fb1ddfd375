//! The connection to the client. Two threads read and write its lines, so that a client that does not read
//! answers cannot delay a time limit.
//!
//! The SDK's own transport ignores lines that are not JSON, and ends the server if the first message is not a
//! request. Here, the client gets an error for a line that is not JSON, anything else before the first
//! request is ignored, and the server continues.

use rmcp::RoleServer;
use rmcp::model::ErrorCode;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// Maximum length of a line from the client, in bytes. It is far more than any call needs.
const LONGEST: usize = 1 << 20;
/// Maximum number of lines that wait to be handled or written. If too many wait to be written, answers are
/// delayed, and errors about invalid lines are dropped.
const WAITING: usize = 256;
/// Time to write the remaining lines after the server has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A line of the client.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// The connection to the client.
pub struct Wire {
    lines: mpsc::Receiver<Line>,
    out: mpsc::Sender<Vec<u8>>,
    /// True once the client has sent a request. Other messages before it are dropped.
    has_begun: bool,
    /// Becomes true when the client closes the input.
    closing: watch::Sender<bool>,
}

/// The thread that writes to the client.
pub struct Writer(JoinHandle<()>);

impl Writer {
    /// Waits until all lines are written, but at most for [`LAST_WORDS`], because the client may not read
    /// them.
    pub fn finish(self) {
        let mut waited = Duration::ZERO;
        while !self.0.is_finished() && waited < LAST_WORDS {
            std::thread::sleep(LAST_WORDS / 100);
            waited += LAST_WORDS / 100;
        }
    }
}

/// Starts the threads. `closing` becomes true when the client closes the input.
pub fn open(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    closing: watch::Sender<bool>,
) -> (Wire, Writer) {
    let (of_client, lines) = mpsc::channel(WAITING);
    let (out, mut answers) = mpsc::channel::<Vec<u8>>(WAITING);
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Ok(Some(line)) = next_line(&mut input, LONGEST) {
            if of_client.blocking_send(line).is_err() {
                break;
            }
        }
    });
    let mut output = output;
    let writer = std::thread::spawn(move || {
        while let Some(line) = answers.blocking_recv() {
            if output.write_all(&line).and_then(|()| output.flush()).is_err() {
                break;
            }
        }
    });
    (Wire { lines, out, has_begun: false, closing }, Writer(writer))
}

/// Returns the next line without its line break. Returns `None` at the end of the input. Text after the last
/// line break is ignored, unless it exceeds `longest` bytes.
fn next_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(Line::Whole(line)));
    }
    if line.len() <= longest {
        return Ok(None);
    }
    loop {
        let rest = input.fill_buf()?;
        let (end, len) = (rest.iter().position(|byte| *byte == b'\n'), rest.len());
        input.consume(end.map_or(len, |end| end + 1));
        if end.is_some() || len == 0 {
            return Ok(Some(Line::TooLong));
        }
    }
}

/// How to handle a line.
enum Read1 {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Answer(Value),
    Nothing,
}

fn error(id: Value, code: ErrorCode, message: &str) -> Read1 {
    Read1::Answer(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}}))
}

/// Parses a line. `has_begun` is true once the client has sent a request.
fn read(line: &Line, has_begun: bool) -> Read1 {
    let Line::Whole(line) = line else {
        return error(Value::Null, ErrorCode::INVALID_REQUEST, "a message may have at most 1 MiB");
    };
    if line.iter().all(u8::is_ascii_whitespace) {
        return Read1::Nothing;
    }
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(cause) => return error(Value::Null, ErrorCode::PARSE_ERROR, &format!("not JSON: {cause}")),
    };
    let is_call = value.get("method").is_some();
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    if !is_call && value.get("result").is_none() && value.get("error").is_none() {
        let message = "a message must be one JSON-RPC 2.0 object";
        return error(id.unwrap_or_default(), ErrorCode::INVALID_REQUEST, message);
    }
    let is_request = is_call && value.get("id").is_some();
    if !is_request && !has_begun {
        return Read1::Nothing;
    }
    match serde_json::from_value(value) {
        Ok(message) => Read1::Message(Box::new(message)),
        Err(cause) if is_request => {
            let message = format!("not a request of MCP: {cause}");
            error(id.unwrap_or_default(), ErrorCode::INVALID_REQUEST, &message)
        }
        Err(_) => Read1::Nothing,
    }
}

fn to_line(message: &impl serde::Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (line, out) = (to_line(&message), self.out.clone());
        async move { out.send(line?).await.map_err(|_| io::ErrorKind::BrokenPipe.into()) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Some(line) = self.lines.recv().await else {
                self.closing.send_replace(true);
                return None;
            };
            match read(&line, self.has_begun) {
                Read1::Message(message) => {
                    self.has_begun = true;
                    return Some(*message);
                }
                // The answer is dropped if the client sends such lines faster than it reads answers.
                Read1::Answer(answer) => _ = to_line(&answer).map(|line| self.out.try_send(line)),
                Read1::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_what_follows_a_long_one_is_read() {
        let mut input = BufReader::with_capacity(3, &b"1234\n123456789\n\n12"[..]);
        let mut next = || next_line(&mut input, 5).unwrap();
        assert_eq!(next(), Some(Line::Whole(b"1234".into())));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), Some(Line::Whole(Vec::new())));
        assert_eq!(next(), None);
    }

    /// Returns the code of the error that a line gets, or `None`.
    fn code(line: &str, has_begun: bool) -> Option<i64> {
        match read(&Line::Whole(line.into()), has_begun) {
            Read1::Answer(answer) => answer["error"]["code"].as_i64(),
            _ => None,
        }
    }

    #[test]
    fn what_is_no_message_gets_an_error() {
        for (line, wanted) in [
            ("{", -32700),
            ("\u{0}\u{1}", -32700),
            ("[]", -32600),
            ("7", -32600),
            (r#"{"jsonrpc":"2.0","id":3}"#, -32600),
            (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        ] {
            assert_eq!(code(line, true), Some(wanted), "{line}");
            assert_eq!(code(line, false), Some(wanted), "{line}");
        }
    }

    #[test]
    fn only_a_request_begins() {
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let is_message =
            |line: &str, has_begun| matches!(read(&Line::Whole(line.into()), has_begun), Read1::Message(_));
        assert!(!is_message(notification, false));
        assert!(is_message(request, false));
        assert!(is_message(notification, true));
    }
}
