//! The HTML report as text. What it looks like is tested in a browser, in `web/`.

mod build;

use build::{case, estimate, measured, mixed, result, time};
use derny_model::Phase;
use derny_model::picture::{ProcessTrace, TurnPoint};
use derny_report::html::{Page, html};

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

/// What stands between a mark and the next `</script>`.
fn script<'a>(page: &'a str, mark: &str) -> &'a str {
    let from = page.find(mark).expect(mark) + mark.len();
    &page[from..from + page[from..].find("</script").unwrap()]
}

#[test]
fn names_cannot_leave_their_place() {
    let page = page();
    assert_eq!(page.matches("<script").count(), 2, "data and program");
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && page.contains("<title>Derny: run k3fzscript</title>"));
    let data: serde_json::Value = serde_json::from_str(script(&page, "id=\"data\">")).unwrap();
    let cases = data["document"]["suites"][0]["cases"].as_array().unwrap();
    assert_eq!(cases.last().unwrap()["case"]["id"]["benchmark"], HOSTILE, "and arrive as they are");
    assert_eq!(data["traces"][0][0][3][0], serde_json::json!([1.2, 41.312, 50.0, 37]));
}

#[test]
fn nothing_is_fetched() {
    let page = page();
    let shell = page.replace(script(&page, "id=\"data\">"), "");
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
        let data: serde_json::Value = serde_json::from_str(script(&page, "id=\"data\">")).unwrap();
        (data["thinned"].as_u64(), data["traces"][0][0][3].as_array().unwrap().len())
    };
    assert_eq!(told(1000), (None, 1000));
    assert_eq!(told(200_000), (Some(0), 100_000));
    assert_eq!(told(400_000), (Some(2), 100_000));
}
