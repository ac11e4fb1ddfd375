//! Tests histories as text and CSV.

use derny_model::{
    CaseId, ChangeState, Direction, History, HistoryChange, HistoryConditions, HistoryPlace, Interval,
};
use derny_report::{Style, history};

const DAY_MS: i64 = 86_400_000;

fn change(at: i64, share: f64, state: ChangeState) -> HistoryChange {
    HistoryChange {
        from: hash(at - 1),
        to: hash(at),
        at_ms: at * DAY_MS,
        state,
        change: share,
        interval: Some(Interval { lo: share - 0.01, hi: share + 0.01 }),
        run: Some("x4fz".into()),
        is_machine: false,
        note: None,
    }
}

fn hash(at: i64) -> String {
    format!("{at:07x}{}", "0".repeat(33))
}

fn one(name: &str, host: &str, points: i64) -> History {
    let point = |at: i64| HistoryPlace {
        conditions: u32::from(at > 3),
        at_ms: at * DAY_MS,
        measured_ms: at * DAY_MS,
        commit: hash(at),
        releases: if at == 2 { vec!["v1.0".into()] } else { Vec::new() },
        run: Some(format!("r{at}")),
        value: if at < 3 { 100.0 } else { 110.0 },
        interval: None,
        machine_ns: None,
    };
    let conditions = |runtime: &str| HistoryConditions {
        cpu: "c".into(),
        runtime: runtime.into(),
        tool: "derny 1".into(),
    };
    History {
        case: CaseId { suite: "s".into(), benchmark: name.into(), params: Vec::new() },
        figure: "time".into(),
        unit: "ns".into(),
        better: Direction::Less,
        host: host.into(),
        apart: None,
        against: None,
        conditions: vec![conditions("node/20"), conditions("node/24")],
        points: (0..points).map(point).collect(),
        changes: Vec::new(),
        remarks: Vec::new(),
    }
}

#[test]
fn a_commit_with_several_changes_is_one_line() {
    let mut all = vec![one("a", "h", 4), one("b", "h", 4), one("c", "h", 4)];
    all[0].changes = vec![change(3, 0.1, ChangeState::New)];
    all[1].changes =
        vec![change(3, -0.3, ChangeState::Confirmed), change(2, 0.05, ChangeState::NotConfirmed)];
    all[2].changes = vec![change(1, 0.02, ChangeState::Accepted)];
    let text = history::text(&all, &Style::default());
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" at 000000")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("s/c: +2.0 %") && lines[0].contains("accepted in run x4fz"), "{text}");
    assert!(lines[1].contains("2 cases at 0000003 (1970-01-04): most −30.0 % in s/b"), "{text}");
    assert!(lines[1].contains("1 confirmed or marked"), "{text}");
}

#[test]
fn a_single_history_has_its_points_and_says_where_conditions_change() {
    let text = history::text(&[one("a", "h", 6)], &Style::default());
    let line =
        |day: &str| text.lines().find(|line| line.starts_with(day)).unwrap_or_else(|| panic!("{text}"));
    assert!(line("1970-01-03").contains("v1.0") && line("1970-01-03").contains("r2"), "{text}");
    assert!(line("1970-01-05").contains("node/24") && !line("1970-01-04").contains("node"), "{text}");
    let several = history::text(&[one("a", "h", 6), one("a", "other", 1)], &Style::default());
    assert!(several.contains("s/a @h") && several.contains("s/a @other"), "{several}");
    // The change since the first point is within the same conditions.
    assert!(several.contains("+0.0 %") && !several.contains("+10.0 %"), "{several}");
}

#[test]
fn changes_are_a_table_for_an_issue() {
    let mut own = one("a | <b>", "h", 4);
    assert_eq!(history::markdown(&[own.clone()], &Style::default()), "No change of the level was found.\n");
    own.changes = vec![change(3, 0.1, ChangeState::Confirmed), change(2, 0.2, ChangeState::Accepted)];
    own.changes[1].note = Some("checks\n| its input".into());
    let text = history::markdown(&[own], &Style::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[2].contains("1970-01-03") && lines[2].contains("accepted"), "the newest is last: {text}");
    assert!(lines[3].contains("+9.0 … +11.0") && lines[3].contains("confirmed in run x4fz"), "{text}");
    assert!(!text.contains(" <b>") && lines.iter().all(|line| line.matches(" | ").count() == 4), "{text}");
}

#[test]
fn names_of_others_are_harmless_and_ascii_is_ascii() {
    let mut own = one("a\u{1b}[31m\u{202e}b", "h\u{7}", 4);
    own.remarks = vec!["r\u{1b}".into()];
    own.changes = vec![change(3, 0.1, ChangeState::New)];
    own.changes[0].note = Some("n\u{9b}\nm".into());
    let ascii = Style { ascii: true, ..Style::default() };
    for text in
        [history::text(&[own.clone()], &ascii), history::text(&[own.clone(), one("x", "y", 1)], &ascii)]
    {
        assert!(
            text.chars().all(|sign| sign == '\n' || !sign.is_control() && sign != '\u{202e}'),
            "{text:?}"
        );
    }
    assert!(history::text(&[one("a", "h", 6)], &ascii).is_ascii());
    let csv = history::csv(&[own]);
    assert_eq!(csv.lines().count(), 5);
    assert!(!csv.contains('\u{1b}'));
}
