//! The queue: one measurement at a time on a machine.
//!
//! Simultaneous measurements would disturb each other. Each holds a lock on a file in the user's cache
//! folder, regardless of project, worktree and store. A Derny command that a measurement starts does not wait
//! for the lock, because it would wait forever.

use crate::error::{Doing, Error, Result};
use derny_engine::discover::cache;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Environment variable that a measurement sets for its processes, and with which users switch off the queue.
pub const VARIABLE: &str = "DERNY_NO_QUEUE";
/// Name of the lock file.
const NAME: &str = "measuring";
/// Time between two attempts to take the lock.
const PAUSE: Duration = Duration::from_millis(50);

/// The right to measure, which is released on drop.
#[derive(Debug)]
pub struct Turn {
    _file: Option<File>,
}

/// Waits until no other measurement is in progress. Calls `wait` once before waiting, with the process id of
/// the other engine if it is known.
///
/// # Errors
/// Fails if the file cannot be opened, or with [`Error::Interrupted`] if the user stops.
pub fn take(stop: &AtomicBool, wait: &mut dyn FnMut(Option<u32>)) -> Result<Turn> {
    if std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty()) {
        return Ok(Turn { _file: None });
    }
    let folder = cache::folder().doing(|| "cannot find the cache folder".into())?;
    of_file(&folder.join(NAME), stop, wait)
}

fn of_file(path: &std::path::Path, stop: &AtomicBool, wait: &mut dyn FnMut(Option<u32>)) -> Result<Turn> {
    let open = File::options().create(true).truncate(false).read(true).write(true).open(path);
    let mut file = open.doing(|| format!("cannot open {}", path.display()))?;
    let mut is_waiting = false;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if stop.load(Ordering::Relaxed) => return Err(Error::Interrupted),
            Err(TryLockError::WouldBlock) => {
                if !std::mem::replace(&mut is_waiting, true) {
                    wait(holder(&mut file));
                }
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).doing(|| format!("cannot lock {}", path.display()));
            }
        }
    }
    // The id is only for a message, so it does not matter if it cannot be written.
    let _ = file.set_len(0).and_then(|()| file.rewind());
    let _ = write!(file, "{}", std::process::id());
    Ok(Turn { _file: Some(file) })
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().and_then(|()| file.take(20).read_to_string(&mut text)).ok()?;
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_waits_for_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let go = AtomicBool::new(false);
        let first = of_file(&path, &go, &mut |_| panic!("no other measurement runs")).unwrap();
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            let second = scope.spawn(|| of_file(&path, &go, &mut |pid| told.send(pid).unwrap()).unwrap());
            assert_eq!(heard.recv().unwrap(), Some(std::process::id()));
            assert!(!second.is_finished());
            drop(first);
            drop(second.join().unwrap());
        });
    }

    #[test]
    fn a_waiting_command_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let _first = of_file(&path, &AtomicBool::new(false), &mut |_| {}).unwrap();
        let stopped = of_file(&path, &AtomicBool::new(true), &mut |_| {});
        assert!(matches!(stopped, Err(Error::Interrupted)));
    }
}
