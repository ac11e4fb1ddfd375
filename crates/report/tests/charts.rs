//! Tests charts of every kind: well-formed, inside their frame, and without markup from names.

use derny_model::picture::*;
use derny_model::{
    CaseId, ChangeState, Direction, Estimate, History, HistoryChange, HistoryConditions, HistoryPlace,
    Interval, Phase,
};
use derny_report::chart::{Look, svg};

const HOSTILE: &str = "</text></svg><script>alert(\"1\")</script>&amp; \u{7}'汉字' n=1000000000000000000000000000000000000000000000";

fn picture(shape: Shape) -> Picture {
    Picture {
        title: format!("Title {HOSTILE}"),
        facts: vec![HOSTILE.to_owned(), "run k3fz".to_owned()],
        quantity: "time per operation".to_owned(),
        unit: "ns".to_owned(),
        series: vec!["old".to_owned(), HOSTILE.to_owned(), "third".to_owned()],
        log: false,
        shape,
    }
}

fn estimate(value: f64) -> Estimate {
    Estimate { value, interval: Some(Interval { lo: value * 0.98, hi: f64::INFINITY }) }
}

fn spread(v: f64) -> Spread {
    let values = vec![v, v * 1.2, v * 9.0];
    Spread { low: v, q1: v * 1.1, median: v * 1.2, q3: v * 1.3, high: v * 1.4, values }
}

fn scatter(numbers: Option<Vec<f64>>, log: bool) -> Shape {
    let value = |tick: usize, series: usize| 10.0 * (tick * 3 + series + 1) as f64;
    let point = |tick, series| ScatterPoint {
        tick,
        series,
        estimate: estimate(value(tick, series)),
        name: HOSTILE.to_owned(),
    };
    let last = if numbers.is_some() { "1000000" } else { HOSTILE };
    Shape::Scatter(Scatter {
        over: HOSTILE.to_owned(),
        ticks: ["1", "1000", last].map(str::to_owned).to_vec(),
        numbers,
        log,
        points: (0..9).map(|at| point(at / 3, at % 3)).collect(),
        lines: (0..3).map(|series| (0..3).map(|tick| (tick, value(tick, series))).collect()).collect(),
    })
}

fn curve(series: usize) -> Curve {
    Curve {
        series,
        points: (0..50).map(|x| (40.0 + f64::from(x), f64::from(x * (50 - x)))).collect(),
        processes: vec![45.0, 60.0],
        above: 2,
    }
}

fn process(variant: u32) -> ProcessTrace {
    let turn = |at: u64| TurnPoint {
        at_ns: at * 1_000_000,
        value: 50.0 + (at % 7) as f64,
        range: (49.0, 900.0),
        phase: if at < 5 { Phase::WarmUp } else { Phase::Measured },
        causes: (at % 16) as u8,
    };
    ProcessTrace { process: variant, block: 0, variant, turns: (0..40).map(turn).collect() }
}

fn history(host: &str) -> History {
    let point = |at: i64| HistoryPlace {
        conditions: u32::from(at > 11),
        at_ms: at * 86_400_000,
        measured_ms: at,
        commit: if at % 4 == 3 { String::new() } else { format!("{at:x}{}", "0".repeat(39)) },
        releases: if at % 5 == 0 { vec![HOSTILE.to_owned()] } else { Vec::new() },
        run: Some(format!("r{at}")),
        value: 100.0 + at as f64,
        interval: (at % 2 == 0).then_some(Interval { lo: 99.0, hi: 900.0 }),
        machine_ns: None,
    };
    let conditions =
        |cpu: &str| HistoryConditions { cpu: cpu.into(), runtime: HOSTILE.into(), tool: "t".into() };
    History {
        case: CaseId { suite: "s".into(), benchmark: HOSTILE.into(), params: Vec::new() },
        figure: "time".into(),
        unit: "ns".into(),
        better: Direction::Less,
        host: host.into(),
        apart: None,
        against: None,
        conditions: vec![conditions("old"), conditions("new")],
        points: (0..20).map(point).collect(),
        changes: [(ChangeState::New, 4), (ChangeState::Confirmed, 18), (ChangeState::NotConfirmed, 6)]
            .map(|(state, at)| HistoryChange {
                from: String::new(),
                to: format!("{at:x}{}", "0".repeat(39)),
                at_ms: at * 86_400_000,
                state,
                change: 0.3,
                interval: None,
                run: None,
                is_machine: false,
                note: Some(HOSTILE.into()),
            })
            .into(),
        remarks: vec![HOSTILE.into()],
    }
}

/// Returns a history of one point.
fn short() -> History {
    let mut one = history("a");
    one.points.truncate(1);
    one
}

const NAMES: [&str; 2] = ["plain n=1", HOSTILE];

fn rows<T>(marks: impl Fn() -> Vec<Option<T>>) -> Vec<PictureRow<T>> {
    NAMES.map(|name| PictureRow { name: name.to_owned(), marks: marks() }).into()
}

fn panels<T>(content: impl Fn() -> T) -> Vec<Panel<T>> {
    NAMES.map(|name| Panel { name: name.to_owned(), content: content() }).into()
}

fn pictures() -> Vec<Picture> {
    let boxes = rows(|| vec![Some(spread(41.0)), None, Some(spread(52.0))]);
    let mut all = vec![
        picture(Shape::Boxes(boxes)),
        picture(Shape::Intervals(rows(|| vec![Some(estimate(41.0)), Some(estimate(52.0)), None]))),
        picture(scatter(Some(vec![1.0, 1e3, 1e6]), true)),
        picture(scatter(None, false)),
        picture(Shape::Densities(panels(|| vec![curve(0), curve(1)]))),
        picture(Shape::Traces(panels(|| vec![process(0), process(1)]))),
        picture(Shape::Histories(panels(|| vec![history("a"), history(HOSTILE)]))),
        picture(Shape::Histories(vec![Panel { name: HOSTILE.to_owned(), content: vec![short()] }])),
    ];
    let mut log = all[0].clone();
    log.log = true;
    all.push(log);
    all
}

type Element = (String, Vec<(String, String)>);

/// Returns the elements of a chart with their attributes. Panics unless the text is well-formed XML that uses
/// only what charts need.
fn elements(text: &str) -> Vec<Element> {
    let (mut open, mut all): (Vec<String>, Vec<Element>) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a bare > in {}", &rest[..at]);
        for entity in rest[..at].split('&').skip(1) {
            assert!(
                ["amp;", "lt;", "gt;", "quot;"].iter().any(|e| entity.starts_with(e)),
                "a bare & before {entity:?}"
            );
        }
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut found = Vec::new();
        while let Some((key, after)) = attributes.trim_start().split_once("=\"") {
            let (value, after) = after.split_once('"').expect("a value ends");
            found.push((key.to_owned(), value.to_owned()));
            attributes = after;
        }
        if !empty {
            open.push(name.to_owned());
        }
        all.push((name.to_owned(), found));
    }
    assert!(open.is_empty(), "{open:?} stay open");
    all
}

fn kind(picture: &Picture) -> &'static str {
    match picture.shape {
        Shape::Boxes(_) => "boxes",
        Shape::Intervals(_) => "intervals",
        Shape::Scatter(_) => "scatter",
        Shape::Densities(_) => "densities",
        Shape::Traces(_) => "traces",
        Shape::Histories(_) => "histories",
    }
}

#[test]
fn charts_are_well_formed_and_names_are_only_text() {
    for picture in pictures() {
        let text = svg(&picture, &Look::default());
        let elements = elements(&text);
        let known = ["svg", "title", "rect", "line", "path", "circle", "polygon", "text"];
        for (name, _) in &elements {
            assert!(known.contains(&name.as_str()), "<{name}> in {}", kind(&picture));
        }
        assert!(!text.contains("NaN") && !text.contains("inf"), "{}", kind(&picture));
        assert!(text.contains("&lt;script&gt;"), "names are there");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()));
        assert_eq!(text, svg(&picture, &Look::default()), "the same text for the same picture");
    }
}

#[test]
fn marks_stay_inside_the_frame() {
    for (width, height) in [(860, None), (300, Some(120)), (1600, Some(900))] {
        let look = Look { width, height, dark: true };
        for picture in pictures() {
            let elements = elements(&svg(&picture, &look));
            let get = |attributes: &[(String, String)], key: &str| {
                attributes
                    .iter()
                    .find(|(name, _)| name == key)
                    .map(|(_, value)| value.parse::<f64>().unwrap())
            };
            let (right, bottom) =
                (get(&elements[0].1, "width").unwrap(), get(&elements[0].1, "height").unwrap());
            for (name, attributes) in &elements {
                for (key, most) in [
                    ("cx", right),
                    ("cy", bottom),
                    ("x1", right),
                    ("x2", right),
                    ("y1", bottom),
                    ("y2", bottom),
                    ("x", right),
                    ("y", bottom),
                ] {
                    let Some(value) = get(attributes, key) else { continue };
                    assert!(
                        (0.0..=most).contains(&value),
                        "{key} of {name} is {value} of {most} at {width}: {}",
                        kind(&picture)
                    );
                }
            }
        }
    }
}

#[test]
fn axes_name_units_and_legends_name_series() {
    for picture in pictures() {
        let text = svg(&picture, &Look::default());
        assert!(
            text.contains("time per operation (ns") || text.contains("   ns<"),
            "{}: {text}",
            kind(&picture)
        );
        assert!(text.contains(">old<") && text.contains(">third<"));
    }
    let dark = svg(&pictures()[0], &Look { dark: true, ..Look::default() });
    assert_ne!(dark, svg(&pictures()[0], &Look::default()));
}

#[test]
fn nothing_to_draw_is_still_a_document() {
    for shape in [
        Shape::Boxes(Vec::new()),
        Shape::Densities(Vec::new()),
        Shape::Traces(Vec::new()),
        Shape::Histories(Vec::new()),
    ] {
        elements(&svg(&picture(shape), &Look::default()));
    }
}
