//! What a Java virtual machine tells of itself from outside: the counters that it keeps in a file of its own
//! (`hsperfdata_USER/PID` in its temporary folder), which every HotSpot writes unless `-XX:-UsePerfData` forbids it.
//!
//! The file is mapped by the process, so that a reading costs a few calls and the process nothing. Which file it is stands in
//! the process's own list of maps: a file that an earlier process of the same number has left behind is not taken for it.
//! Where there is none, nothing is added and nothing said.

use std::collections::HashMap;
use std::fs::File;
use std::path::PathBuf;

/// The quantities, each with its unit.
pub const NAMES: [(&str, &str); 5] = [
    ("compiled", "count"),
    ("compile_time", "ns"),
    ("classes", "count"),
    ("safepoints", "count"),
    ("safepoint_time", "ns"),
];

/// Where they stand in the file: names of one or more counters that are added up, and whether they are in ticks.
const SOURCES: [(&[&str], bool); NAMES.len()] = [
    (&["sun.ci.totalCompiles"], false),
    (&["java.ci.totalTime"], true),
    (&["java.cls.loadedClasses", "java.cls.sharedLoadedClasses"], false),
    (&["sun.rt.safepoints"], false),
    (&["sun.rt.safepointTime"], true),
];

/// Totals since the process's start, in the order of [`NAMES`]; none for one that this machine does not keep.
pub type Totals = [Option<f64>; NAMES.len()];

/// The counters of one process.
#[derive(Debug)]
pub struct Jvm {
    file: File,
    big_endian: bool,
    /// Offsets of the counters of every quantity.
    offsets: [Vec<u64>; NAMES.len()],
    tick_ns: f64,
}

impl Jvm {
    /// Those of process `pid`; none where it is no such machine.
    pub fn open(pid: u32) -> Option<Jvm> {
        let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).ok()?;
        let line = maps.lines().find(|line| line.contains("/hsperfdata_"))?;
        let path = &line[line.find('/')?..];
        // In a container the process sees another tree.
        let seen = PathBuf::from(format!("/proc/{pid}/root{path}"));
        Jvm::read_from(File::open(seen).or_else(|_| File::open(path)).ok()?)
    }

    #[cfg(unix)]
    fn read_from(file: File) -> Option<Jvm> {
        use std::os::unix::fs::FileExt;
        let mut bytes = vec![0; 1 << 20];
        let length = file.read_at(&mut bytes, 0).ok()?;
        let table = Table::parse(&bytes[..length])?;
        let frequency =
            table.long("sun.os.hrt.frequency").filter(|&ticks| ticks > 0).unwrap_or(1_000_000_000);
        let offsets = SOURCES.map(|(names, _)| names.iter().filter_map(|name| table.at(name)).collect());
        Some(Jvm { file, big_endian: table.big_endian, offsets, tick_ns: 1e9 / frequency as f64 })
    }

    #[cfg(not(unix))]
    fn read_from(_file: File) -> Option<Jvm> {
        None
    }

    /// The totals now.
    pub fn totals(&self) -> Totals {
        let mut totals = [None; NAMES.len()];
        for ((total, offsets), (_, in_ticks)) in totals.iter_mut().zip(&self.offsets).zip(SOURCES) {
            let values = offsets.iter().map(|&at| self.long(at).map(|value| value as f64));
            let sum: Option<f64> = values.sum();
            let unit = if in_ticks { self.tick_ns } else { 1.0 };
            *total = sum.filter(|_| !offsets.is_empty()).map(|sum| sum * unit);
        }
        totals
    }

    #[cfg(unix)]
    fn long(&self, at: u64) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut bytes = [0; 8];
        self.file.read_exact_at(&mut bytes, at).ok()?;
        Some(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    #[cfg(not(unix))]
    fn long(&self, _at: u64) -> Option<u64> {
        let _ = (&self.file, self.big_endian);
        None
    }
}

/// The entries of the file, version 2: a header, then entries of a name, a type and a place for the data.
struct Table<'a> {
    bytes: &'a [u8],
    big_endian: bool,
    /// Offsets of the numbers of 64 bits.
    longs: HashMap<String, u64>,
}

const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
const LONG: u8 = b'J';

impl<'a> Table<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Table<'a>> {
        if bytes.get(..4)? != MAGIC || *bytes.get(5)? != 2 {
            return None;
        }
        let mut table = Table { bytes, big_endian: *bytes.get(4)? == 0, longs: HashMap::new() };
        let (mut at, count) = (table.int(24)? as usize, table.int(28)?);
        for _ in 0..count {
            let length = table.int(at)? as usize;
            let (name, elements) = (at + table.int(at + 4)? as usize, table.int(at + 8)?);
            let (kind, data) = (*bytes.get(at + 12)?, at + table.int(at + 16)? as usize);
            let end = bytes.get(name..)?.iter().position(|&byte| byte == 0)?;
            if kind == LONG && elements == 0 {
                let name = std::str::from_utf8(&bytes[name..name + end]).ok()?;
                table.longs.insert(name.to_string(), data as u64);
            }
            // An entry that claims no length would keep this loop where it is.
            at += length.max(20);
        }
        Some(table)
    }

    fn int(&self, at: usize) -> Option<u32> {
        let bytes: [u8; 4] = self.bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if self.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn at(&self, name: &str) -> Option<u64> {
        self.longs.get(name).copied()
    }

    fn long(&self, name: &str) -> Option<u64> {
        let at = self.at(name)? as usize;
        let bytes: [u8; 8] = self.bytes.get(at..at + 8)?.try_into().ok()?;
        Some(if self.big_endian { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::FileExt;

    /// A file with these counters, as HotSpot lays it out.
    fn written(counters: &[(&str, u64)], big_endian: bool) -> Vec<u8> {
        let int = |value: u32| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
        let long = |value: u64| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
        let mut bytes = [&MAGIC[..], &[u8::from(!big_endian), 2, 0, 1]].concat();
        bytes.extend([0; 16]);
        bytes.extend(int(32));
        bytes.extend(int(counters.len() as u32));
        for (name, value) in counters {
            let data = (20 + name.len() + 1).next_multiple_of(8);
            bytes.extend([int(data as u32 + 8), int(20), int(0)].concat());
            bytes.extend([LONG, 1, 1, 2]);
            bytes.extend(int(data as u32));
            bytes.extend(name.as_bytes());
            bytes.resize(bytes.len() + data - 20 - name.len(), 0);
            bytes.extend(long(*value));
        }
        bytes
    }

    fn jvm(bytes: &[u8]) -> (Option<Jvm>, PathBuf) {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("derny-jvm-{}-{number}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        (Jvm::read_from(File::open(&path).unwrap()), path)
    }

    #[test]
    fn counters_are_found_and_read_again() {
        for big_endian in [false, true] {
            let counters = [
                ("java.ci.totalTime", 3_000),
                ("sun.os.hrt.frequency", 100_000_000),
                ("sun.ci.totalCompiles", 41),
                ("java.cls.loadedClasses", 500),
                ("java.cls.sharedLoadedClasses", 20),
            ];
            let bytes = written(&counters, big_endian);
            let (jvm, path) = jvm(&bytes);
            let jvm = jvm.unwrap();
            // 100 MHz: a tick is 10 ns. What this machine does not keep is not told.
            assert_eq!(jvm.totals(), [Some(41.0), Some(30_000.0), Some(520.0), None, None]);
            let more = if big_endian { 42_u64.to_be_bytes() } else { 42_u64.to_le_bytes() };
            let file = File::options().write(true).open(&path).unwrap();
            file.write_all_at(&more, jvm.offsets[0][0]).unwrap();
            assert_eq!(jvm.totals()[0], Some(42.0));
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn what_is_no_such_file_is_nothing() {
        let whole = written(&[("sun.rt.safepoints", 1)], false);
        for bytes in [&b""[..], b"hello", &whole[..40], &[&MAGIC[..], &[1, 9, 0, 1]].concat()] {
            let (jvm, path) = jvm(bytes);
            assert!(jvm.is_none(), "{bytes:?}");
            std::fs::remove_file(path).unwrap();
        }
        assert!(Jvm::open(std::process::id()).is_none());
        assert!(Jvm::open(u32::MAX).is_none());
    }
}
