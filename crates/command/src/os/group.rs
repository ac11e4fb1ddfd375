//! A Linux control group for commands. It measures the combined resources of all processes of a run,
//! including those that are not reaped.
//!
//! This process moves into a new group, in which its children start. Both versions of control groups are
//! supported. If the system permits no group, or a group reports nothing, the metrics of the group are
//! missing. This is not an error.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Prefix of the groups' names. The id of the process that creates the group follows it.
const NAME: &str = "derny-";
const MEMBERS: &str = "cgroup.procs";

/// Combined resources of all processes of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Together {
    /// Processor time in ns, including the time that this process needs to start the run.
    pub cpu_ns: Option<u64>,
    /// Peak memory in bytes, minus the memory in use before the run. Includes the page cache of the
    /// processes.
    pub peak_bytes: Option<u64>,
}

/// The groups of this process. On drop, the process leaves the groups and removes them.
#[derive(Debug)]
pub struct Group {
    joined: Vec<Joined>,
    cpu: Option<Cpu>,
    memory: Option<Memory>,
}

/// Readings of the groups' resource use before a run.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    cpu_ns: Option<u64>,
    bytes: Option<u64>,
}

#[derive(Debug)]
struct Joined {
    group: PathBuf,
    home: PathBuf,
}

/// Path of the file with the processor time used, by version of control groups.
#[derive(Debug)]
enum Cpu {
    First(PathBuf),
    Second(PathBuf),
}

/// The file that contains the memory in use, and the method to measure its peak.
#[derive(Debug)]
struct Memory {
    now: PathBuf,
    peak: Peak,
}

#[derive(Debug)]
enum Peak {
    /// Version 1: writing 0 resets the peak.
    First(PathBuf),
    /// Version 2: any write resets the peak for this handle (Linux 6.12).
    Second(File),
    /// The peak cannot be reset. Only the peak over all runs is known, minus the memory in use before
    /// the first run.
    Whole(PathBuf, u64),
}

impl Group {
    /// Moves this process into new control groups where the system permits it. Returns `None` if it
    /// permits none.
    pub fn join() -> Option<Group> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        Group::below(&mounts, &groups)
    }

    fn below(mounts: &str, groups: &str) -> Option<Group> {
        let own = |controller: Option<&str>| own_folder(mounts, groups, controller);
        let mut group = Group { joined: Vec::new(), cpu: None, memory: None };
        if let Some(home) = own(None) {
            group.second(&home);
        }
        if group.memory.is_none() {
            group.memory =
                own(Some("memory")).and_then(|home| group.enter(&home, &home)).and_then(first_memory);
        }
        if group.cpu.is_none() {
            group.cpu = own(Some("cpuacct")).and_then(|home| group.enter(&home, &home)).and_then(first_cpu);
        }
        (group.cpu.is_some() || group.memory.is_some()).then_some(group)
    }

    /// Joins a new cgroup v2 group. A cgroup that contains processes cannot enable controllers for its
    /// children, so a sibling of this process's cgroup is tried first.
    fn second(&mut self, home: &Path) {
        let gives_memory = |parent: &&Path| {
            let given = fs::read_to_string(parent.join("cgroup.subtree_control")).unwrap_or_default();
            given.split_whitespace().any(|controller| controller == "memory")
        };
        let beside = home.parent().filter(gives_memory).and_then(|parent| self.enter(home, parent));
        let Some(group) = beside.or_else(|| self.enter(home, home)) else { return };
        let file = group.join("cpu.stat");
        self.cpu = file.is_file().then_some(Cpu::Second(file));
        self.memory = second_memory(&group);
    }

    /// Creates a group in `parent`, and moves this process there from `home`.
    fn enter(&mut self, home: &Path, parent: &Path) -> Option<PathBuf> {
        remove_abandoned(parent);
        let group = parent.join(format!("{NAME}{}", std::process::id()));
        _ = fs::remove_dir(&group); // left behind by an ended process with the same id
        fs::create_dir(&group).ok()?;
        let joined = Joined { group, home: home.to_owned() };
        let moved = move_to(&joined.group, &std::process::id().to_string());
        let place = moved.then(|| joined.group.clone());
        self.joined.push(joined);
        place
    }

    /// Returns true if the groups measure processor time.
    pub fn knows_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    /// Returns true if the groups measure memory.
    pub fn knows_memory(&self) -> bool {
        self.memory.is_some()
    }

    /// Reads the state before a run. If the peak cannot be reset and other commands run before or after
    /// the run, the peak is unknown because it would include them.
    pub fn before(&mut self, is_surrounded: bool) -> Before {
        let memory =
            self.memory.as_mut().filter(|memory| !(is_surrounded && matches!(memory.peak, Peak::Whole(..))));
        Before { cpu_ns: self.cpu.as_ref().and_then(Cpu::used_ns), bytes: memory.and_then(Memory::begin) }
    }

    /// Returns the resources used since `before`.
    pub fn after(&mut self, before: Before) -> Together {
        let most = self.memory.as_mut().and_then(Memory::most);
        let used = self.cpu.as_ref().and_then(Cpu::used_ns);
        Together {
            cpu_ns: used.zip(before.cpu_ns).map(|(after, before)| after.saturating_sub(before)),
            peak_bytes: most.zip(before.bytes).map(|(most, before)| most.saturating_sub(before)),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for Joined { group, home } in &self.joined {
            // Processes that `--prepare` has started are moved back, not killed.
            for member in fs::read_to_string(group.join(MEMBERS)).unwrap_or_default().lines() {
                move_to(home, member);
            }
            _ = fs::remove_dir(group);
        }
    }
}

impl Cpu {
    fn used_ns(&self) -> Option<u64> {
        match self {
            Cpu::First(file) => number(file),
            Cpu::Second(file) => {
                let text = fs::read_to_string(file).ok()?;
                let used = text.lines().find_map(|line| line.strip_prefix("usage_usec "))?;
                used.trim().parse::<u64>().ok()?.checked_mul(1000)
            }
        }
    }
}

impl Memory {
    /// Resets the peak if possible. Returns the memory use to subtract from it, in bytes.
    fn begin(&mut self) -> Option<u64> {
        match &mut self.peak {
            Peak::First(file) => fs::write(file, "0").ok()?,
            Peak::Second(file) => file.write_all(b"0").ok()?,
            Peak::Whole(_, before) => return Some(*before),
        }
        number(&self.now)
    }

    fn most(&mut self) -> Option<u64> {
        match &mut self.peak {
            Peak::First(file) | Peak::Whole(file, _) => number(file),
            Peak::Second(file) => {
                let mut text = String::new();
                file.seek(SeekFrom::Start(0)).ok()?;
                file.read_to_string(&mut text).ok()?;
                text.trim().parse().ok()
            }
        }
    }
}

fn first_cpu(group: PathBuf) -> Option<Cpu> {
    let file = group.join("cpuacct.usage");
    file.is_file().then_some(Cpu::First(file))
}

fn first_memory(group: PathBuf) -> Option<Memory> {
    let [now, peak] = ["memory.usage_in_bytes", "memory.max_usage_in_bytes"].map(|name| group.join(name));
    peak.is_file().then_some(Memory { now, peak: Peak::First(peak) })
}

fn second_memory(group: &Path) -> Option<Memory> {
    let [now, file] = ["memory.current", "memory.peak"].map(|name| group.join(name));
    let before = number(&now).filter(|_| file.is_file())?;
    let peak = match OpenOptions::new().read(true).write(true).open(&file) {
        Ok(handle) => Peak::Second(handle),
        Err(_) => Peak::Whole(file, before),
    };
    Some(Memory { now, peak })
}

fn number(file: &Path) -> Option<u64> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

fn move_to(group: &Path, process: &str) -> bool {
    fs::write(group.join(MEMBERS), process).is_ok()
}

/// Removes the empty groups that killed processes left behind. Keeps groups that still contain
/// processes.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.strip_prefix(NAME)) else { continue };
        if process.parse::<u32>().is_ok() && !Path::new("/proc").join(process).exists() {
            _ = fs::remove_dir(entry.path());
        }
    }
}

/// Returns the folder of this process's control group: in version 1 the group of `controller`, and in
/// version 2, where `controller` is `None`, the only group. `mounts` is the content of
/// `/proc/self/mountinfo`, and `groups` that of `/proc/self/cgroup`.
fn own_folder(mounts: &str, groups: &str, controller: Option<&str>) -> Option<PathBuf> {
    let has = |list: &str| list.split(',').any(|one| Some(one) == controller);
    let path = groups.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let is_meant = if controller.is_none() { controllers.is_empty() } else { has(controllers) };
        is_meant.then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (left, right) = line.split_once(" - ")?;
        let mut right = right.split(' ');
        let (kind, options) = (right.next()?, right.nth(1)?);
        let is_meant =
            if controller.is_none() { kind == "cgroup2" } else { kind == "cgroup" && has(options) };
        let mut left = left.split(' ').skip(3);
        let (root, place) = (left.next()?, left.next()?);
        let below = Path::new(path).strip_prefix(root).ok().filter(|_| is_meant)?;
        Some(Path::new(place).join(below))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// Returns a temporary folder to use as a control group. Unlike in a real one, the system creates no
    /// files in it.
    fn folder() -> PathBuf {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("derny-group-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn written(folder: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(folder).unwrap();
        files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    }

    #[test]
    fn the_folder_of_a_group_is_found_in_both_versions() {
        let mounts = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
                      35 31 0:32 /box /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n\
                      41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw,nsdelegate\n";
        let groups = "4:memory:/box/a\n2:cpu,cpuacct:/\n0::/user.slice/b.scope\n";
        let own = |controller| own_folder(mounts, groups, controller);
        assert_eq!(own(Some("memory")), Some("/sys/fs/cgroup/memory/a".into()));
        assert_eq!(own(Some("cpuacct")), Some("/sys/fs/cgroup/cpu,cpuacct/".into()));
        assert_eq!(own(None), Some("/sys/fs/cgroup/unified/user.slice/b.scope".into()));
        assert_eq!(own(Some("io")), None);
        // A group outside the mounts has no folder.
        assert_eq!(own_folder(mounts, "4:memory:/elsewhere\n", Some("memory")), None);
    }

    #[test]
    fn the_second_version_is_read_beside_the_own_group() {
        let parent = folder();
        let home = parent.join("a.scope");
        written(&parent, &[("cgroup.subtree_control", "cpu memory\n")]);
        fs::create_dir(&home).unwrap();
        // No process has this id, so the group counts as left behind.
        fs::create_dir(parent.join("derny-4294967295")).unwrap();
        let mut group = Group { joined: Vec::new(), cpu: None, memory: None };
        let own = group.enter(&home, &parent).unwrap();
        assert!(!parent.join("derny-4294967295").exists());
        assert_eq!(fs::read_to_string(own.join(MEMBERS)).unwrap(), std::process::id().to_string());
        written(
            &own,
            &[
                ("cpu.stat", "usage_usec 7\nuser_usec 3\n"),
                ("memory.current", "100\n"),
                ("memory.peak", "900\n"),
            ],
        );
        group.cpu = Some(Cpu::Second(own.join("cpu.stat")));
        let before = number(&own.join("memory.current")).unwrap();
        let whole = Peak::Whole(own.join("memory.peak"), before);
        group.memory = Some(Memory { now: own.join("memory.current"), peak: whole });
        let [alone, surrounded] = [false, true].map(|is_surrounded| group.before(is_surrounded));
        written(&own, &[("cpu.stat", "usage_usec 12\n")]);
        let used = |peak_bytes| Together { cpu_ns: Some(5_000), peak_bytes };
        assert_eq!(group.after(alone), used(Some(800)));
        assert_eq!(group.after(surrounded), used(None));
        fs::remove_dir_all(parent).unwrap();
    }

    #[test]
    fn a_peak_of_either_version_begins_anew() {
        let own = folder();
        written(&own, &[("memory.usage_in_bytes", "40\n"), ("memory.max_usage_in_bytes", "90\n")]);
        let mut memory = first_memory(own.clone()).unwrap();
        assert_eq!(memory.begin(), Some(40));
        assert_eq!(memory.most(), Some(0), "it was written to");
        written(&own, &[("memory.current", "40\n"), ("memory.peak", "90\n")]);
        let mut memory = second_memory(&own).unwrap();
        assert!(matches!(memory.peak, Peak::Second(_)));
        assert_eq!((memory.begin(), memory.most()), (Some(40), Some(0)));
        fs::remove_dir_all(own).unwrap();
    }

    #[test]
    fn without_permission_there_is_no_group() {
        assert!(Group::below("", "").is_none());
        let mounts = "41 31 0:38 / /nowhere rw - cgroup2 cgroup2 rw\n35 31 0:32 / /nowhere rw - cgroup cgroup rw,memory\n";
        assert!(Group::below(mounts, "4:memory:/\n0::/\n").is_none());
    }
}
