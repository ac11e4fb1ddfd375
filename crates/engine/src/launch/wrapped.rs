//! A harness behind a wrapper: its process is not a child of the engine, so its end is watched and its exit
//! status stays unknown.

use crate::os;
use std::fs::File;

/// A process that another program has started.
#[derive(Debug)]
pub struct Wrapped {
    pid: u32,
    /// A handle of the process itself, not of its number; `None` if the system lacks such handles.
    handle: Option<os::Handle>,
}

impl Wrapped {
    /// Watches `pid`, if it belongs to the program that the engine has started as `group`: it has the
    /// conversation's `commands` open, or is in the group. The number alone proves nothing: inside a
    /// container it denotes another process.
    pub fn watch(pid: u32, group: u32, commands: &File) -> Option<Wrapped> {
        let handle = os::process_handle(pid);
        let is_ours = os::has_open(pid, commands).unwrap_or_else(|| os::group_of(pid) == Some(group));
        is_ours.then_some(Wrapped { pid, handle })
    }

    /// Returns the process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Returns a descriptor that becomes readable when the process ends, or -1.
    pub fn descriptor(&self) -> os::RawFd {
        self.handle.as_ref().map_or(-1, os::descriptor)
    }

    /// Returns true if it has ended.
    pub fn is_over(&self) -> bool {
        match &self.handle {
            Some(handle) => os::poll([os::descriptor(handle)], 0) == [true],
            None => !os::is_alive(self.pid),
        }
    }

    /// Ends it, and its group if it leads one.
    pub fn kill(&self) {
        if !self.is_over() {
            os::kill_group(self.pid, os::SIGKILL);
            os::kill_process(self.pid, self.handle.as_ref(), os::SIGKILL);
        }
    }
}
