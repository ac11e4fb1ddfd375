//! A harness behind a wrapper: its process is not a child of the engine, so that its end is watched for and its exit
//! status stays unknown.

use crate::os;
use std::fs::File;

/// A process that another program has started.
#[derive(Debug)]
pub struct Wrapped {
    pid: u32,
    /// Of the process itself, not of its number; none where the system has no such thing.
    handle: Option<os::Handle>,
}

impl Wrapped {
    /// Watches `pid`, if that is a process of the program that the engine has started as `group`: one that has the
    /// conversation's `commands` open, or belongs to the group. A number alone proves nothing: that of a process in a
    /// container is another one outside of it.
    pub fn watch(pid: u32, group: u32, commands: &File) -> Option<Wrapped> {
        let handle = os::process_handle(pid);
        let is_ours = os::has_open(pid, commands).unwrap_or_else(|| os::group_of(pid) == Some(group));
        is_ours.then_some(Wrapped { pid, handle })
    }

    /// The number of the process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// A descriptor that can be read once the process is over; -1 where there is none.
    pub fn descriptor(&self) -> os::RawFd {
        self.handle.as_ref().map_or(-1, os::descriptor)
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        match &self.handle {
            Some(handle) => os::poll([os::descriptor(handle)], 0) == [true],
            None => !os::is_alive(self.pid),
        }
    }

    /// Ends it, with the group that it leads if it leads one.
    pub fn kill(&self) {
        if !self.is_over() {
            os::kill_group(self.pid, os::SIGKILL);
            os::kill_process(self.pid, self.handle.as_ref(), os::SIGKILL);
        }
    }
}
