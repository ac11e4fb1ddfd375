//! Runs this program in a child process for a call, and limits its time and its output.

use crate::place::Place;
use derny_engine::launch::reaper::Leftover;
use derny_engine::os;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// Maximum size of the standard output that is kept, in bytes.
const LARGEST: usize = 64 << 20;
/// Number of bytes that are kept from the end of standard error.
const LAST: usize = 8 << 10;
/// Time in which a stopped program may store what it measured.
const GRACE: Duration = Duration::from_secs(10);
/// Maximum time to read output after the program has ended. A process that it started may keep the streams
/// open.
const AFTER: Duration = Duration::from_secs(1);

/// Why a call was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The time limit of the call passed.
    Limit,
    /// The client cancelled the call.
    Cancelled,
    /// The client has closed the connection.
    Closing,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code, unless a signal ended the program.
    pub code: Option<i32>,
    /// Standard output.
    pub out: Vec<u8>,
    /// True if standard output was too large, and is incomplete.
    pub is_cut: bool,
    /// The end of standard error.
    pub err: String,
    /// Why the program was stopped, if it was.
    pub stop: Option<Stop>,
}

/// The kept part of a program's output. It changes while the program runs.
#[derive(Debug, Clone, Default)]
pub struct Stream(Arc<Mutex<Vec<u8>>>);

impl Stream {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last line that contains text.
    pub fn last_line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.lock()).into_owned();
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }
}

/// Part of a stream to keep, with its maximum number of bytes.
#[derive(Debug, Clone, Copy)]
enum Keep {
    First(usize),
    Last(usize),
}

/// Reads `from` to its end in a separate task, and keeps a part of it in `to`.
fn drain(mut from: impl AsyncRead + Send + Unpin + 'static, to: &Stream, keep: Keep) -> JoinHandle<()> {
    let to = to.clone();
    tokio::spawn(async move {
        let mut buffer = vec![0; 16 << 10];
        while let Ok(read @ 1..) = from.read(&mut buffer).await {
            let mut kept = to.lock();
            kept.extend_from_slice(&buffer[..read]);
            match keep {
                Keep::First(most) => kept.truncate(most),
                Keep::Last(most) => {
                    let over = kept.len().saturating_sub(most);
                    kept.drain(..over);
                }
            }
        }
    })
}

/// Runs `place.program` in `folder` with these words as arguments. `said` receives what the program prints to
/// standard error. Stops the program when `stop` is ready, or after `limit`.
///
/// # Errors
///
/// Fails if the program cannot be started.
pub async fn run(
    place: &Place,
    folder: &Path,
    words: &[String],
    (limit, stop): (Duration, impl Future<Output = Stop>),
    said: &Stream,
) -> io::Result<Ended> {
    let mut command = Command::new(&place.program);
    command.args(&place.options).args(words).current_dir(folder).kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Use a separate process group, so that a signal ends the program and all processes that it started, but
    // not this server.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    let group = child.id().map(|pid| (pid, Leftover::Group(pid)));
    if let Some((_, leftover)) = &group {
        place.reaper.watch(leftover);
    }
    let printed = Stream::default();
    // Read one byte more than the limit, to detect output that exceeds it.
    let out = child.stdout.take().map(|out| drain(out, &printed, Keep::First(LARGEST + 1)));
    let err = child.stderr.take().map(|err| drain(err, said, Keep::Last(LAST)));
    let (status, stop) = tokio::select! {
        status = child.wait() => (status, None),
        stop = stop => (end(&mut child).await, Some(stop)),
        () = tokio::time::sleep(limit) => (end(&mut child).await, Some(Stop::Limit)),
    };
    if let Some((pid, leftover)) = &group {
        if stop.is_some() {
            os::kill_group(*pid, os::SIGKILL);
        }
        place.reaper.forget(leftover);
    }
    for reader in [out, err].into_iter().flatten() {
        let stopped = reader.abort_handle();
        let _ = tokio::time::timeout(AFTER, reader).await;
        stopped.abort();
    }
    let mut out = std::mem::take(&mut *printed.lock());
    let is_cut = out.len() > LARGEST;
    out.truncate(LARGEST);
    let err = String::from_utf8_lossy(&said.lock()).into_owned();
    Ok(Ended { code: status?.code(), out, is_cut, err, stop })
}

/// Asks a program to stop, so that it stores what it measured. Kills the program if it is still running after
/// [`GRACE`].
async fn end(child: &mut Child) -> io::Result<ExitStatus> {
    if let Some(pid) = child.id() {
        os::kill_group(pid, os::SIGTERM);
    }
    match tokio::time::timeout(GRACE, child.wait()).await {
        Ok(status) => status,
        Err(_) => {
            if let Some(pid) = child.id() {
                os::kill_group(pid, os::SIGKILL);
            }
            let _ = child.start_kill();
            child.wait().await
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &'static str, keep: Keep) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let stream = Stream::default();
        runtime.block_on(async { drain(text.as_bytes(), &stream, keep).await }).unwrap();
        String::from_utf8(stream.lock().clone()).unwrap()
    }

    #[test]
    fn a_stream_is_bounded_at_its_end_or_at_its_beginning() {
        assert_eq!(kept("abcdef", Keep::First(4)), "abcd");
        assert_eq!(kept("abcdef", Keep::Last(4)), "cdef");
        assert_eq!(kept("abc", Keep::First(4)), "abc");
        assert_eq!(kept("abc", Keep::Last(4)), "abc");
    }

    #[test]
    fn the_last_line_is_one_with_text() {
        let stream = Stream::default();
        assert_eq!(stream.last_line(), None);
        stream.lock().extend_from_slice(b"one\n two \n\n");
        assert_eq!(stream.last_line().as_deref(), Some("two"));
    }
}
