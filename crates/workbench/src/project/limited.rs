//! Waits for a command with a time limit.

use crate::error::{Error, Result};
use derny_engine::measure::now_ms;
use derny_engine::os;
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Interval at which a running command is checked.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits for the leader of a process group. After `limit`, kills the group and returns `None`.
///
/// # Errors
/// Fails with [`Error::Interrupted`] if the user stops. The group is killed then, too.
pub(crate) fn wait(child: &mut Child, limit: Duration, stop: &AtomicBool) -> Result<Option<ExitStatus>> {
    let end_ms = now_ms().saturating_add(i64::try_from(limit.as_millis()).unwrap_or(i64::MAX));
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let is_stopped = stop.load(Ordering::Relaxed);
        if is_stopped || now_ms() >= end_ms {
            os::kill_group(child.id(), os::SIGKILL);
            child.wait()?;
            return if is_stopped { Err(Error::Interrupted) } else { Ok(None) };
        }
        std::thread::sleep(PAUSE);
    }
}
