//! A harness behind a wrapper. Its process is not a child of the engine. The engine therefore watches
//! the process itself, and cannot read its exit status.

use crate::os;
use std::fs::File;

/// A harness process that another program has started.
#[derive(Debug)]
pub struct Wrapped {
    pid: u32,
    /// Handle of the process, which unlike its id cannot be reused. `None` if the system has no handles.
    handle: Option<os::Handle>,
}

impl Wrapped {
    /// Watches the process `pid` if it belongs to the program that the engine started as `group`. To
    /// belong, it must have the conversation's `commands` open or, if the system does not reveal that,
    /// be in that group. The id alone proves nothing, because it denotes another process if the harness
    /// runs in a container.
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

    /// Returns true if the process has ended.
    pub fn is_over(&self) -> bool {
        match &self.handle {
            Some(handle) => os::poll([os::descriptor(handle)], 0) == [true],
            None => !os::is_alive(self.pid),
        }
    }

    /// Kills the process, and its group if it leads one.
    pub fn kill(&self) {
        if !self.is_over() {
            os::kill_group(self.pid, os::SIGKILL);
            os::kill_process(self.pid, self.handle.as_ref(), os::SIGKILL);
        }
    }
}
