//! Other running programs: how much processor time each used between two readings.

use std::collections::HashMap;
use std::fs;

/// The name and the processor time so far of every visible process, by process id. Times are in ticks
/// of 10 ms.
#[derive(Debug, Clone, Default)]
pub struct Programs {
    seen: HashMap<u32, (String, u64)>,
}

impl Programs {
    /// Reads all processes, which takes tens of microseconds per process. Returns no processes without
    /// `/proc`.
    pub fn look() -> Programs {
        let Ok(entries) = fs::read_dir("/proc") else { return Programs::default() };
        let ids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let read = |id| Some((id, parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)?));
        Programs { seen: ids.filter_map(read).collect() }
    }

    /// Returns the name and the ticks of other programs that used processor time since `before`,
    /// busiest first. Processes of the same name count together.
    pub fn busiest_since(&self, before: &Programs) -> Vec<(String, u64)> {
        let mut names: HashMap<&str, u64> = HashMap::new();
        for (id, (name, ticks)) in &self.seen {
            // A process that started after the first reading counts in full.
            let earlier = before.seen.get(id).map_or(0, |(_, ticks)| *ticks);
            if *id != std::process::id() {
                *names.entry(program(name)).or_insert(0) += ticks.saturating_sub(earlier);
            }
        }
        let mut busiest: Vec<(String, u64)> = names
            .into_iter()
            .filter(|(_, ticks)| *ticks > 0)
            .map(|(name, ticks)| (name.to_owned(), ticks))
            .collect();
        busiest.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        busiest
    }
}

/// Removes the part of a kernel thread's name after `/`, which changes with every work item.
fn program(name: &str) -> &str {
    if name.starts_with("kworker/") { "kworker" } else { name }
}

/// Parses the name, and the sum of user and system ticks, from a line of `/proc/PID/stat`. The name is
/// in parentheses and may contain any characters.
fn parse(stat: &str) -> Option<(String, u64)> {
    let (start, end) = (stat.find('(')?, stat.rfind(')')?);
    let name = stat.get(start + 1..end)?.to_owned();
    let mut fields = stat.get(end + 1..)?.split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    Some((name, ticks()? + ticks()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn programs(rows: &[(u32, &str, u64)]) -> Programs {
        Programs { seen: rows.iter().map(|(id, name, ticks)| (*id, ((*name).to_owned(), *ticks))).collect() }
    }

    #[test]
    fn names_may_hold_brackets_and_blanks() {
        let line = "42 (a (b) c) S 1 42 42 0 -1 4194560 5 0 0 0 17 4 0 0 20 0 1 0 100 0 0";
        assert_eq!(parse(line), Some(("a (b) c".to_owned(), 21)));
        assert_eq!(parse("42 (a"), None);
    }

    #[test]
    fn processes_of_one_name_count_together_and_new_ones_in_full() {
        let before = programs(&[(1, "cc", 100), (2, "cc", 50), (3, "idle", 7), (4, "old", 90)]);
        let after = programs(&[
            (1, "cc", 110),
            (2, "cc", 55),
            (3, "idle", 7),
            (4, "renamed", 92),
            (5, "kworker/0:1-x", 3),
        ]);
        let expected = [("cc", 15), ("kworker", 3), ("renamed", 2)];
        assert_eq!(after.busiest_since(&before), expected.map(|(name, ticks)| (name.to_owned(), ticks)));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_has_programs() {
        assert!(!Programs::look().seen.is_empty());
    }
}
