//! Tests the HTML report as text. Its appearance is tested in a browser, in `web/`.

use crate::build::{self, case, estimate, measured, mixed, result, time};
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{CaseResult, Document, Phase};
use derny_report::html::{Page, Traces, write};
use derny_testkit::page::{data, value};
use serde_json::json;

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)><!-- ]]> & \"' \u{2028}";

fn html(page: &Page) -> String {
    let mut bytes = Vec::new();
    write(page, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn page() -> String {
    let mut document = mixed();
    document.run.id = "k3fz\"><script>".to_owned();
    document.run.note = Some(HOSTILE.to_owned());
    document.run.machine.host = HOSTILE.to_owned();
    let hostile = measured(
        case(HOSTILE, HOSTILE, &[(HOSTILE, HOSTILE)]),
        vec![result(HOSTILE, Some(time(estimate(1.0, 0.9, 1.1))), Vec::new())],
    );
    document.suites[0].cases.push(hostile);
    let turn = TurnPoint {
        at_ns: 1_234_567,
        value: 41.312_345_678,
        range: (40.0, 50.0),
        phase: Phase::Measured,
        causes: 9,
    };
    let traces = |case| match case {
        0 => vec![ProcessTrace { process: 3, block: 1, variant: 0, turns: vec![turn; 2] }],
        _ => Vec::new(),
    };
    html(&Page {
        traces: Some(Traces { count: (2, 2), of: &traces }),
        explanations: &[("DY302", HOSTILE, HOSTILE)],
        project: Some(HOSTILE.to_owned()),
        ..Page::of(&document)
    })
}

#[test]
fn names_cannot_leave_their_place() {
    let page = page();
    let rows = data(&page, "rows-0").as_array().unwrap().clone();
    assert_eq!(page.matches("<script").count(), 4, "data, rows, cases and program");
    assert_eq!(page.matches("</script").count(), 4);
    assert!(!page.contains("<img") && page.contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
    let at = rows.iter().position(|row| row["id"]["benchmark"] == HOSTILE).expect("it arrives as it is");
    assert_eq!(value(&page, "cases", at)[0]["case"]["id"]["benchmark"], HOSTILE);
    assert_eq!(value(&page, "cases", 0)[1][0][3][0], json!([1.2, 41.312, 50.0, 37]));
}

#[test]
fn a_case_is_whole_and_the_overview_has_what_it_shows() {
    let document = build::decoder();
    let page = html(&Page::of(&document));
    let head = data(&page, "data");
    for (index, case) in document.cases().enumerate() {
        let read: CaseResult = serde_json::from_value(value(&page, "cases", index)[0].clone()).unwrap();
        assert_eq!(read.case, case.case);
        let (own, time) = (read.variants[0].time.as_ref().unwrap(), case.variants[0].time.as_ref().unwrap());
        assert!((own.typical.value / time.typical.value - 1.0).abs() < 1e-7, "eight digits");
        assert_eq!(
            value(&page, "rows", index)["variants"][0]["time"]["typical"]["value"],
            json!(own.typical.value)
        );
    }
    assert_eq!(head["document"]["suites"][0]["cases"], document.cases().count());
}

#[test]
fn nothing_is_fetched() {
    let page = page();
    // Skip data and the title, which are text and may contain any word.
    let is_text =
        |line: &&str| line.starts_with("<script type=\"application/json\"") || line.starts_with("<title>");
    let shell: String = page.lines().filter(|line| !is_text(line)).collect();
    for word in [" src=", "<link", "@import", "url(http", "fetch(", "XMLHttpRequest", "WebSocket(", "import("]
    {
        assert!(!shell.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn many_turns_are_thinned_and_that_is_told() {
    let document = build::decoder();
    let turn = |at: u64| TurnPoint {
        at_ns: at,
        value: 1.0,
        range: (1.0, 1.0),
        phase: if at.is_multiple_of(2) { Phase::WarmUp } else { Phase::Measured },
        causes: 0,
    };
    let told = |turns: u64| {
        let of = |case| match case {
            0 => {
                vec![ProcessTrace { process: 0, block: 0, variant: 0, turns: (0..turns).map(turn).collect() }]
            }
            _ => Vec::new(),
        };
        let traces = Some(Traces { count: (turns as usize, turns as usize / 2), of: &of });
        let page = html(&Page { traces, ..Page::of(&document) });
        let turns = value(&page, "cases", 0)[1][0][3].as_array().unwrap().len();
        (data(&page, "data")["thinned"].as_u64(), turns)
    };
    assert_eq!(told(1000), (None, 1000));
    assert_eq!(told(200_000), (Some(0), 100_000));
    assert_eq!(told(400_000), (Some(2), 100_000));
}

#[test]
fn many_cases_take_little_room_each() {
    let mut document = build::decoder();
    let case = document.suites[0].cases[0].clone();
    let own = serde_json::to_string(&case).unwrap().len();
    let copies = (0..2000).map(|copy| {
        let mut case = case.clone();
        case.case.id.benchmark = format!("copy-{copy}");
        case
    });
    let page = |document: &Document| html(&Page::of(document));
    let small = page(&document);
    document.suites[0].cases.extend(copies);
    let large = page(&document);
    let each = (large.len() - small.len()) / 2000;
    assert!(each < own / 4, "{each} bytes for a case of {own}");
    assert_eq!(value(&large, "cases", 1999)[0]["case"]["id"]["benchmark"], {
        let at = 1999 - (document.cases().count() - 2000);
        format!("copy-{at}")
    });
}
