//! Runs this program once more, for one call, and bounds its time and its output.

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
/// Size of the end of standard error that is kept, in bytes.
const LAST: usize = 8 << 10;
/// Time in which a stopped program may store what it measured.
const GRACE: Duration = Duration::from_secs(10);
/// Time for which output is read after the end of the program, in case a process that it started keeps it
/// open.
const AFTER: Duration = Duration::from_secs(1);

/// Why a call was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The time limit of the call passed.
    Limit,
    /// The client cancelled the call.
    Cancelled,
    /// The client is gone.
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

/// A stream of a program, while it is read.
#[derive(Debug, Clone, Default)]
pub struct Stream(Arc<Mutex<Vec<u8>>>);

impl Stream {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last line.
    pub fn last_line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.lock()).into_owned();
        text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned)
    }
}

/// What is kept of a stream, in bytes.
#[derive(Debug, Clone, Copy)]
enum Keep {
    First(usize),
    Last(usize),
}

/// Reads a stream to its end, and keeps a part of it.
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

/// Runs `place.program` with the words, in the folder. `said` receives what it prints on standard error.
/// Stops it when `stop` is ready, or after `limit`.
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
    // A group of its own: a signal ends the program with all that it started, and not this server.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    let group = child.id().map(|pid| (pid, Leftover::Group(pid)));
    if let Some((_, leftover)) = &group {
        place.reaper.watch(leftover);
    }
    let printed = Stream::default();
    // One byte more than is kept shows that there was more.
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

/// Stops a program as Ctrl-C does, so that it stores what it measured. Kills it after a while.
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
