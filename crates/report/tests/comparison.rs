//! Tests comparisons as shown to users, and as passed to other programs.

use crate::build::comparison::{change, compared, comparison, designed, exact, mixed, side};
use crate::build::{ASCII, UNICODE, case, expect, table, wide};
use derny_model::*;
use derny_report::comparison::{self as report, Parts, annotations, csv, details, junit, markdown};
use derny_report::{Style, failure, warning};

/// Returns the table as a terminal shows it without flags.
fn short(comparison: &Comparison) -> String {
    report::table(comparison, &UNICODE, Parts { header: true, all: false })
}

#[test]
fn one_line_is_about_all_that_is_unclear() {
    let mut designed = designed();
    let last = |text: &str| text.trim_end().lines().last().unwrap_or_default().to_owned();
    assert_eq!(
        last(&short(&designed)),
        "unclear: needs about 60 more processes on each side to decide (margin 1 %)"
    );
    let mut second = designed.cases[3].clone();
    second.case.id.benchmark = "hex".into();
    second.sides[0].changes[0].reason = Some(Reason::Budget);
    second.sides[0].reason = Some(Reason::Budget);
    designed.cases.push(second.clone());
    designed.cases.push(second);
    assert_eq!(last(&short(&designed)), "3 unclear: 2 out of time, 1 too noisy; -v explains each");
    designed.settle = Some(Settle { run: RunId::from("h81q"), total_ns: 180_000_000_000, cases: 2 });
    let settles = "3 unclear: `derny run --resume=h81q --total 3m` would settle about 2";
    assert_eq!(last(&short(&designed)), settles);
    let text = table(&designed, &UNICODE, true);
    assert!(text.contains("needs about 60 more processes") && !text.contains("--resume"), "{text}");
}

#[test]
fn where_all_is_unclear_the_first_line_has_the_reason() {
    let mut designed = designed();
    let open = designed.cases.remove(3);
    designed.cases = vec![open.clone(), open];
    let first = |designed: &Comparison| short(designed).lines().next().unwrap().to_owned();
    assert_eq!(first(&designed), "both unclear; too noisy");
    let mut warning = mixed().warnings.remove(0);
    (warning.code, warning.case) = ("DY101".to_owned(), None);
    warning.message = "other programs used 82 % of 2 processors".to_owned();
    let reason = format!("both unclear; {}", warning.sentence());
    designed.warnings.push(warning);
    assert_eq!(first(&designed), reason);
}

#[test]
fn a_long_table_counts_the_cases_that_are_the_same() {
    let many = |count: usize| {
        let mut designed = designed();
        let same = designed.cases[1].clone();
        for number in 4..count {
            let mut case = same.clone();
            case.case.id.benchmark = format!("more {number}");
            designed.cases.push(case);
        }
        designed
    };
    let text = short(&many(20));
    assert!(text.contains("more 19") && !text.contains("-v lists them"), "{text}");
    let text = short(&many(21));
    assert!(text.contains("18 same: -v lists them") && !text.contains("more 4"), "{text}");
    assert!(text.contains("ascii 32") && text.contains("utf8 4096") && text.contains("base64 128"), "{text}");
    assert!(table(&many(21), &UNICODE, true).contains("more 20"));
}

#[test]
fn the_session_of_the_design_looks_as_designed() {
    let designed_text = "\
1 of 4 slower, worst: utf8 4096 +4.9 %; 1 faster; 1 same; 1 unclear
main 41bc9f2 (h81q) → HEAD 9d31e0a+ (k3fz) · unpaired, against stored run h81q of 3 days earlier · same machine · margin 1 %
                   main     HEAD   change  95 % interval  verdict
string_decoder   time/op
├─ utf8 4096    3.21 µs  3.37 µs   +4.9 %    +4.1 … +5.6  slower
├─ ascii 32     41.3 ns  35.0 ns  −15.3 %  −16.0 … −14.5  faster
├─ base64 128    204 ns   207 ns   +1.6 %    −2.7 … +6.2  unclear ¹
└─ utf8 32      58.9 ns  58.7 ns   −0.3 %    −0.9 … +0.4  same
geometric mean                     −2.6 %    −3.7 … −1.4

¹ needs about 60 more processes on each side to decide (margin 1 %)
4 comparisons, false-discovery rate controlled at 5 %
";
    assert_eq!(table(&designed(), &UNICODE, true), designed_text);
    let mut lines: Vec<&str> = designed_text.lines().collect();
    lines.remove(1);
    assert_eq!(table(&designed(), &UNICODE, false), lines.join("\n") + "\n");
}

#[test]
fn a_new_value_by_the_change_has_the_digits_of_its_own_processes() {
    let mut designed = designed();
    let change = &mut designed.cases[2].sides[0].changes[0];
    (change.new_alone, change.new) = (Some(change.new), 3369.0 * 1.07);
    let row = |text: &str| text.lines().find(|line| line.contains("utf8 4096")).map(str::to_owned);
    let text = table(&designed, &UNICODE, true);
    let shown = text.lines().find(|line| line.contains("─ utf8 4096")).unwrap();
    assert!(shown.contains("3.21 µs  3.60 µs   +4.9 %"), "{shown}");
    assert!(row(&markdown::comparison(&designed, false, &UNICODE)).unwrap().contains("| 3.60 µs |"));
    let csv = csv::comparison(&designed);
    let cells = csv.lines().find(|line| line.contains("utf8 4096")).unwrap();
    assert!(cells.contains(",3604.8"), "{cells}");
    assert!(cells.ends_with(",3369"), "{cells}");
}

#[test]
fn mean_time_that_is_only_shown_stands_beside_the_verdict_where_it_is_loose() {
    let with = |half: f64| {
        let mut designed = designed();
        let side = &mut designed.cases[1].sides[0];
        let mean = change(58.9, 58.9, [0.0, -half, half], 0.01);
        side.changes.push(Change { quantity: Quantity::Mean, only_shown: true, q: None, ..mean });
        let text = table(&designed, &UNICODE, true);
        text.lines().find(|line| line.contains("─ utf8 32")).map(str::to_owned).unwrap()
    };
    assert!(with(4.1).ends_with("same; mean ±4.1 %"), "{}", with(4.1));
    assert!(with(1.9).ends_with("same"), "{}", with(1.9));
}

#[test]
fn sides_quantities_controls_and_doubts() {
    expect("compare.mixed.txt", &table(&mixed(), &UNICODE, true));
    expect("compare.mixed.80.txt", &table(&mixed(), &wide(80), true));
    expect("compare.ascii.txt", &table(&designed(), &ASCII, true));
}

#[test]
fn lines_fit_and_the_verdict_stays() {
    for width in [40, 50, 60, 80, 100, 120] {
        for comparison in [designed(), mixed()] {
            let text = table(&comparison, &wide(width), true);
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width, "{longest} > {width}\n{text}");
            assert!(text.contains("slower") && text.contains("unclear ¹"), "{text}");
        }
    }
    let heads = |width| {
        let text = table(&designed(), &wide(width), false);
        text.lines()
            .find(|line| line.contains("verdict"))
            .unwrap()
            .split("  ")
            .map(str::trim)
            .filter(|h| !h.is_empty())
            .collect::<Vec<_>>()
            .join("|")
    };
    assert_eq!(heads(80), "main|HEAD|change|95 % interval|verdict");
    assert_eq!(heads(62), "main|HEAD|change|95 % interval|verdict");
    assert_eq!(heads(52), "HEAD|change|95 % interval|verdict");
    assert_eq!(heads(45), "change|95 % interval|verdict");
    assert_eq!(heads(32), "change|verdict");
}

#[test]
fn ascii_is_ascii_and_colour_is_only_colour() {
    for comparison in [designed(), mixed()] {
        for style in [ASCII, Style { width: Some(60), ..ASCII }] {
            assert!(table(&comparison, &style, true).is_ascii(), "{}", table(&comparison, &style, true));
        }
        let coloured = table(&comparison, &Style { colour: true, ..UNICODE }, true);
        assert!(coloured.contains("\x1b[33munclear\x1b[0m"), "unclear is yellow\n{coloured:?}");
        assert!(coloured.contains("\x1b[31mslower\x1b[0m") && coloured.contains("\x1b[32m"), "{coloured:?}");
        assert_eq!(anstyle_free(&coloured), table(&comparison, &UNICODE, true));
    }
}

fn anstyle_free(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |out, part| out + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[test]
fn a_side_at_the_floor_has_no_ratio() {
    let mut floored =
        compared(case("s", "empty", &[]), vec![(1, vec![change(5.0, 0.4, [-92.0, -93.0, -91.0], 0.01)])]);
    floored.sides[0].verdict = Verdict::Unclear;
    floored.sides[0].reason = Some(Reason::AtFloor);
    (floored.sides[0].outcome, floored.sides[0].decided_by) = (CaseOutcome::Undecided, Some(0));
    for (time, empty) in floored.times.iter_mut().zip([false, true]) {
        let time = time.as_mut().unwrap();
        time.floor = Some(Floor { time_ns: 0.3, indistinguishable: empty });
    }
    let floored = comparison(designed().sides, vec![floored]);
    let texts = [
        table(&floored, &UNICODE, true),
        markdown::comparison(&floored, false, &UNICODE),
        junit::comparison(&floored),
        annotations::comparison(&floored),
    ];
    for text in texts {
        assert!(text.contains("5.00 ns") && text.contains("≤ 0.4"), "{text}");
        assert!(!text.contains("92") && !text.contains("faster"), "{text}");
    }
    assert!(table(&floored, &ASCII, true).contains("<= 0.4"));
    let line =
        table(&floored, &UNICODE, true).lines().find(|line| line.contains("─ empty")).unwrap().to_owned();
    assert!(line.ends_with("at the floor"), "{line}");
}

/// Counters that explain a time are not results.
#[test]
fn an_observed_counter_has_no_row_beside_a_time() {
    let same = || change(100.0, 100.1, [0.1, -0.2, 0.4], 0.01);
    let worse = |name: &str| exact(name, 1.0, 3.0);
    let rows = |changes: Vec<Change>| {
        let case = compared(case("s", "a", &[]), vec![(1, changes)]);
        table(&comparison(designed().sides, vec![case]), &UNICODE, true)
    };
    for name in ["cpu", "cpu_process", "wait", "preempted", "faults", "touched"] {
        assert!(!rows(vec![same(), worse(name)]).contains("+200"), "{name}");
        assert!(rows(vec![worse(name)]).contains("+200"), "{name} alone was asked for");
    }
    assert!(rows(vec![same(), worse("allocated")]).contains("+200"));
}

/// Returns a case whose typical time is the same, and whose mean time is unclear for `reason`.
fn split(reason: Reason) -> Comparison {
    let typical = change(100.0, 100.1, [0.1, -0.2, 0.4], 0.01);
    let open = change(101.0, 102.0, [1.0, -3.0, 5.0], 0.02);
    let mean = Change { quantity: Quantity::Mean, reason: Some(reason), ..open };
    let mut case = compared(case("s", "a", &[]), vec![(1, vec![typical, mean])]);
    let side = &mut case.sides[0];
    (side.verdict, side.reason, side.split) = (Verdict::Same, None, true);
    let quiet = Observed { wall_ns: 4e8, collections: 12.0, age_ns: 200_000_000, ..Observed::default() };
    let pausing = Observed { collections: 14.0, pauses: 3, paused_ns: 3e7, ..quiet };
    side.observed = Some([quiet, pausing]);
    Comparison { pairing: Pairing::Paired, against: None, ..comparison(designed().sides, vec![case]) }
}

#[test]
fn what_mean_time_is_made_of_is_told() {
    let split = split(Reason::Noise);
    let line = "s/a: observed 400 ms and 400 ms; 12 and 14 collections; 0 and 3 pauses (0 ns and 30.0 ms); \
                processes up to 0.2 s old; mean/op +1.0 % (−3.0 … +5.0), unclear; too noisy";
    assert_eq!(details(&split, &UNICODE), format!("{line}\n"));
    assert!(details(&split, &ASCII).is_ascii());
    assert!(markdown::comparison(&split, false, &UNICODE).contains(&format!("\n- {line}\n")));
    assert_eq!(details(&designed(), &UNICODE), "");
}

#[test]
fn same_with_an_unclear_mean_says_both_and_why() {
    for (reason, words) in [
        (Reason::Noise, "too noisy"),
        (Reason::Budget, "time ran out before there was a verdict"),
        (Reason::StillWarming, "still warming"),
    ] {
        let text = table(&split(reason), &UNICODE, true);
        let row = |name: &str| text.lines().find(|line| line.contains(name)).unwrap_or_default();
        assert!(row("─ a").ends_with("same") && row("mean/op").ends_with("unclear ¹"), "{text}");
        assert!(
            text.starts_with("a: same (mean unclear)\n") && text.contains(&format!("\n¹ {words}\n")),
            "{text}"
        );
    }
}

#[test]
fn the_pairs_that_it_takes_are_named_once() {
    let mut many = split(Reason::MultipleComparisons);
    let mean = &mut many.cases[0].sides[0].changes[1];
    mean.because =
        "not after correction for 8 comparisons (q = 0.06); about 24 pairs would decide".to_owned();
    mean.needed = Some(24);
    let text = table(&many, &UNICODE, true);
    assert!(text.contains("about 24 pairs would decide") && !text.contains("to decide ("), "{text}");
    let mean = &mut many.cases[0].sides[0].changes[1];
    (mean.reason, mean.because) = (Some(Reason::TooFewPairs), "needs 8 pairs".to_owned());
    assert!(table(&many, &UNICODE, true).contains("\n¹ needs 8 pairs\n"));
}

#[test]
fn mean_time_is_held_against_its_own_margin() {
    let mut within = split(Reason::Noise);
    let mean = &mut within.cases[0].sides[0].changes[1];
    (mean.verdict, mean.reason) = (Verdict::WorseWithinMargin, None);
    assert!(table(&within, &UNICODE, true).contains("slower by < 2 %"));
    let mean = &mut within.cases[0].sides[0].changes[1];
    (mean.verdict, mean.needed) = (Verdict::Unclear, Some(30));
    assert!(table(&within, &UNICODE, true).contains("to decide (margin 2 %)"));
}

#[test]
fn equal_footnotes_are_one() {
    let unclear = |name: &str, needed| {
        let mut undecided = change(100.0, 101.0, [1.0, -1.0, 3.0], 0.01);
        undecided.needed = needed;
        compared(case("s", name, &[]), vec![(1, vec![undecided])])
    };
    let cases =
        vec![unclear("a", Some(20)), unclear("b", Some(20)), unclear("c", Some(30)), unclear("d", None)];
    let mut paired =
        comparison(vec![side("old", "k3fz", "1", false), side("new", "k3fz", "1", false)], cases);
    (paired.pairing, paired.against) = (Pairing::Paired, None);
    let text = table(&paired, &UNICODE, true);
    let marks: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("─ "))
        .map(|line| line.rsplit("unclear").next().unwrap().trim())
        .collect();
    assert_eq!(marks, ["¹", "¹", "²", "³"]);
    assert!(text.contains("³ too noisy\n"), "{text}");
    assert!(text.contains("¹ needs about 10 more pairs of processes to decide (margin 1 %)\n"), "{text}");
    assert!(
        text.starts_with("all 4 unclear; too noisy\nold → new · run k3fz 1 · paired · margin 1 %\n"),
        "{text}"
    );
}

#[test]
fn sides_that_are_the_same_code_are_named_first_in_every_form() {
    let mut same = designed();
    same.same = vec![SameCode { side: 1, how: "are the same shop 1.0, byte for byte".to_owned() }];
    let sentence = "main and HEAD are the same shop 1.0, byte for byte";
    assert_eq!(table(&same, &UNICODE, true).lines().next(), Some(sentence));
    assert!(markdown::comparison(&same, false, &UNICODE).lines().nth(2).unwrap().contains(sentence));
    assert!(junit::comparison(&same).contains(sentence));
    assert!(annotations::comparison(&same).contains(sentence));
}

#[test]
fn nothing_in_common_is_said() {
    let mut none = comparison(designed().sides, Vec::new());
    none.alone = vec![(0, "s/a".to_owned()), (1, "s/b".to_owned())];
    none.context.push(ContextDifference {
        side: 1,
        what: "cpu".to_owned(),
        base: "A".to_owned(),
        new: "B".to_owned(),
    });
    let text = table(&none, &UNICODE, true);
    let expected = "\
nothing to compare: no case is on both sides
main 41bc9f2 (h81q) → HEAD 9d31e0a+ (k3fz) · unpaired, against stored run h81q of 3 days earlier · another machine · margin 1 %
also differs: cpu A → B
only in main: s/a
only in HEAD: s/b
";
    assert_eq!(text, expected);
    let unmeasured = table(&comparison(designed().sides, Vec::new()), &UNICODE, true);
    assert!(unmeasured.starts_with("nothing to compare: no case was measured\n"), "{unmeasured}");
    for text in [
        markdown::comparison(&none, false, &UNICODE),
        junit::comparison(&none),
        annotations::comparison(&none),
    ] {
        assert!(!text.is_empty());
    }
}

#[test]
fn a_control_alone_is_shown_as_a_side() {
    let mut only = designed();
    only.sides[1].control = true;
    assert!(table(&only, &UNICODE, true).contains("utf8 4096    3.21 µs  3.37 µs"));
}

#[test]
fn markdown_for_a_pull_request() {
    let text = markdown::comparison(&designed(), false, &UNICODE);
    expect("compare.md", &text);
    let text = markdown::comparison(&mixed(), false, &UNICODE);
    expect("compare.mixed.md", &text);
    assert!(
        !text.contains('\x1b')
            && !text.contains("<b>")
            && !text.contains("<script>")
            && !text.contains("<i>")
    );
    let bars = |line: &str| line.replace("\\\\", "").replace("\\|", "").matches('|').count();
    for block in text.split("\n\n").filter(|block| block.starts_with('|')) {
        let table: Vec<usize> = block.lines().filter(|line| line.starts_with('|')).map(bars).collect();
        assert!(table.iter().all(|count| *count == table[0]), "{block}");
    }
    assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
}

#[test]
fn markdown_says_when_nothing_moved() {
    let mut still = designed();
    still.cases.retain(|case| case.case.id.benchmark == "utf8 32");
    assert!(markdown::comparison(&still, false, &UNICODE).starts_with("### No change beyond 1 %\n"));
}

#[test]
fn csv_has_a_row_per_quantity() {
    expect("compare.csv", &csv::comparison(&designed()));
    let mixed = mixed();
    let changes: usize = mixed.cases.iter().flat_map(|case| &case.sides).map(|side| side.changes.len()).sum();
    let text = csv::comparison(&mixed);
    assert_eq!(text.matches("\r\n").count(), changes + 1, "controls and all quantities");
    assert!(text.contains("\"|x| `y` ::error::z\\x1b[31m\\n,%\""), "a hostile name is one quoted field");
}

#[test]
fn junit_fails_skips_and_passes() {
    expect("compare.junit.xml", &junit::comparison(&designed()));
    let text = junit::comparison(&mixed());
    expect("compare.mixed.junit.xml", &text);
    well_formed(&text);
    let mut barely = designed();
    let change = &mut barely.cases[2].sides[0].changes[0];
    change.change.as_mut().unwrap().interval = Some(Interval { lo: 0.004, hi: 0.056 });
    barely.cases[2].sides[0].outcome = CaseOutcome::Undecided;
    let text = junit::comparison(&barely);
    assert!(!text.contains("<failure") && text.contains("perhaps by less than 1 %"), "{text}");
}

/// Asserts that tags nest, and that no attribute or text contains a character that would begin a tag or an
/// entity.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = text.split_once("?>").unwrap().1;
    for piece in body.split('<').skip(1) {
        let (tag, outside) = piece.split_once('>').expect("every tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (_, true) => {}
            _ => open.push(name),
        }
        for text in [tag, outside] {
            let entities = ["amp;", "lt;", "gt;", "quot;", "apos;"];
            assert!(
                text.split('&').skip(1).all(|rest| entities.iter().any(|e| rest.starts_with(e))),
                "{text}"
            );
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn annotations_are_one_line_each() {
    expect("compare.github.txt", &annotations::comparison(&designed()));
    let text = annotations::comparison(&mixed());
    expect("compare.mixed.github.txt", &text);
    let levels: Vec<&str> = text.lines().map(|line| line.split([':', ' ']).nth(2).unwrap()).collect();
    assert_eq!(levels, ["error", "error", "error", "warning", "notice"]);
    for line in text.lines() {
        let properties = line[2..].split("::").next().unwrap();
        assert!(properties.matches(':').count() == 0 && line.matches("title=").count() == 1, "{line}");
    }
}

#[test]
fn doubts_and_failures_have_the_form_of_a_run_s() {
    let mixed = mixed();
    assert!(warning::each(&mixed.warnings, &UNICODE).starts_with("warning DY204: radix rises 6 %"));
    assert!(failure::each(&mixed.failures, &UNICODE).starts_with("error DY302: harness exited"));
}

#[test]
fn what_is_unclear_says_why_in_its_row_or_below() {
    let tokens = [
        "noise",
        "budget",
        "too-few-pairs",
        "multiple-comparisons",
        "changed-on-the-way",
        "not-measured",
        "still-warming",
        "at-floor",
        "collections",
        "machine",
        "not-together",
        "no-history",
        "no-direction",
        "no-ratio",
        "gate-decided",
        "interrupted",
        "control-failed",
        "of-a-later-version",
    ];
    let reasons = tokens.iter().map(|token| serde_json::from_value(serde_json::json!(token)).unwrap());
    for reason in reasons.map(Some).chain([None]) {
        for needed in [None, Some(30), Some(90_000)] {
            let mut comparison = designed();
            comparison.cases.truncate(1);
            let side = &mut comparison.cases[0].sides[0];
            (side.verdict, side.reason) = (Verdict::Unclear, reason);
            let change = &mut side.changes[0];
            (change.verdict, change.reason, change.needed) = (Verdict::Unclear, reason, needed);
            change.because = String::new();
            let text = table(&comparison, &UNICODE, true);
            let row =
                text.lines().skip(1).find(|line| line.contains("unclear") || line.contains("at the floor"));
            let row = row.unwrap_or_else(|| panic!("{text}"));
            let told = row.contains("at the floor")
                || row.ends_with('¹') && text.lines().any(|line| line.trim_start().starts_with("¹ "));
            assert!(told, "{reason:?}, {needed:?}: {text}");
            let [markdown, junit, github] = [
                markdown::comparison(&comparison, false, &UNICODE),
                junit::comparison(&comparison),
                annotations::comparison(&comparison),
            ];
            let row = markdown.lines().find(|line| line.starts_with('|') && line.contains("unclear"));
            assert!(row.is_none_or(|row| row.contains("unclear: ")), "{reason:?}: {markdown}");
            assert!(!junit.is_empty() && !github.is_empty());
        }
    }
}
