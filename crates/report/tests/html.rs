//! The HTML report as text. What it looks like is tested in a browser, in `web/`.

mod build;

use build::{case, estimate, measured, mixed, result, time};
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_model::{CaseResult, Phase};
use derny_report::html::{Page, html};
use serde_json::{Value, json};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)><!-- ]]> & \"' \u{2028}";

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
    let traces = vec![vec![ProcessTrace { process: 3, block: 1, variant: 0, turns: vec![turn; 2] }]];
    html(&Page {
        document: &document,
        traces: &traces,
        scalings: &[],
        explanations: &[("DY302", HOSTILE, HOSTILE)],
    })
}

/// What an element of data holds, as it stands there.
fn text<'a>(page: &'a str, id: &str) -> &'a str {
    let mark = format!("<script type=\"application/json\" id=\"{id}\">");
    let from = page.find(&mark).expect(id) + mark.len();
    &page[from..from + page[from..].find("</script").unwrap()]
}

fn data(page: &str, id: &str) -> Value {
    serde_json::from_str(text(page, id)).unwrap()
}

#[test]
fn names_cannot_leave_their_place() {
    let page = page();
    let head = data(&page, "data");
    let rows = head["rows"].as_array().unwrap();
    assert_eq!(page.matches("<script").count(), rows.len() + 2, "data, cases and program");
    assert_eq!(page.matches("</script").count(), rows.len() + 2);
    assert!(!page.contains("<img") && page.contains("<title>Derny: run k3fzscript</title>"));
    let at = rows.iter().position(|row| row["id"]["benchmark"] == HOSTILE).expect("it arrives as it is");
    assert_eq!(data(&page, &format!("case-data-{at}"))[0]["case"]["id"]["benchmark"], HOSTILE);
    assert_eq!(data(&page, "case-data-0")[1][0][3][0], json!([1.2, 41.312, 50.0, 37]));
}

#[test]
fn a_case_is_whole_and_the_overview_has_what_it_shows() {
    let document = build::decoder();
    let page = html(&Page { document: &document, traces: &[], scalings: &[], explanations: &[] });
    let head = data(&page, "data");
    for (index, case) in document.cases().enumerate() {
        let read: CaseResult =
            serde_json::from_value(data(&page, &format!("case-data-{index}"))[0].clone()).unwrap();
        assert_eq!(read.case, case.case);
        let (own, time) = (read.variants[0].time.as_ref().unwrap(), case.variants[0].time.as_ref().unwrap());
        assert!((own.typical.value / time.typical.value - 1.0).abs() < 1e-7, "eight digits");
        assert_eq!(head["rows"][index]["variants"][0]["time"]["typical"]["value"], json!(own.typical.value));
    }
    assert_eq!(head["document"]["suites"][0]["cases"], document.cases().count());
}

#[test]
fn nothing_is_fetched() {
    let page = page();
    let shell: String =
        page.lines().filter(|line| !line.starts_with("<script type=\"application/json\"")).collect();
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
        let traces = vec![vec![ProcessTrace {
            process: 0,
            block: 0,
            variant: 0,
            turns: (0..turns).map(turn).collect(),
        }]];
        let page = html(&Page { document: &document, traces: &traces, scalings: &[], explanations: &[] });
        let turns = data(&page, "case-data-0")[1][0][3].as_array().unwrap().len();
        (data(&page, "data")["thinned"].as_u64(), turns)
    };
    assert_eq!(told(1000), (None, 1000));
    assert_eq!(told(200_000), (Some(0), 100_000));
    assert_eq!(told(400_000), (Some(2), 100_000));
}
