//! Tests output for users on a terminal.

use crate::build::{
    ASCII, UNICODE, case, decoder, document, estimate, expect, figure, measured, metric, mixed, of_metric,
    result, time, wide,
};
use derny_model::{CaseState, Estimate, RankedCase, Ranking, Warning};
use derny_report::{Style, detail, failure, footer, markdown, terminal, warning};

#[test]
fn the_session_of_the_design_looks_as_designed() {
    let designed = "\
node 22.11 · Linux 6.1 · AMD EPYC 7B13 · 4 cases · 10 processes × 12 turns
                time/op  95 % interval    op/s  alloc/op
string_decoder
├─ ascii 32     41.3 ns    41.1 … 41.6  24.2 M       0 B
├─ utf8 32      58.9 ns    58.4 … 59.3  17.0 M      48 B
├─ utf8 4096    3.21 µs    3.20 … 3.24   311 k    4.1 kB
└─ base64 128    204 ns      196 … 213  4.90 M     192 B  ! DY204
";
    assert_eq!(terminal::summary(&decoder(), &UNICODE), designed);
    let warned = "\
warning DY204: base64 128 rises 6 % from first to last batch in 7 of 10 processes; the interval does not cover drift; try --set processes=30
";
    assert_eq!(warning::of_run(&decoder(), false, &UNICODE), warned);
    assert_eq!(
        footer::footer(&decoder(), &UNICODE),
        "saved run k3fz · 41 s · show it again with `derny show k3fz`\n"
    );
}

#[test]
fn the_fastest_comes_first_with_bars() {
    let place = |case: u32, name: &str, typical: f64, interval: Option<(f64, f64)>| RankedCase {
        case,
        name: name.to_owned(),
        typical,
        times: Estimate {
            value: typical / 41.3,
            interval: interval.map(|(lo, hi)| derny_model::Interval { lo, hi }),
        },
        slower: interval.is_some_and(|(lo, _)| lo > 1.0),
    };
    let mut ranked = decoder();
    ranked.rankings.push(Ranking {
        suite: "string_decoder".to_owned(),
        common: vec![("n".to_owned(), "10".to_owned())],
        places: vec![
            place(0, "ascii 32", 41.3, None),
            place(1, "latin1", 41.6, Some((0.991, 1.024))),
            place(1, "utf8 32", 58.9, Some((1.41, 1.44))),
            place(2, "utf8 4096", 3212.0, None),
        ],
    });
    let text = terminal::summary(&ranked, &UNICODE);
    let expected = "
fastest first: n=10
  ascii 32   41.3 ns  ▎                     fastest so far
  latin1     41.6 ns  ▎                     1.01× (0.99 … 1.02), not certain
  utf8 32    58.9 ns  ▍                     1.43× slower (1.41 … 1.44)
  utf8 4096  3.21 µs  ████████████████████  77.8×
";
    assert!(text.ends_with(expected), "{text}");
    assert!(terminal::summary(&ranked, &ASCII).is_ascii());
    for width in [40, 60, 80] {
        let text = terminal::summary(&ranked, &wide(width));
        let rank = text.split("fastest first").nth(1).unwrap();
        assert!(rank.lines().all(|line| line.chars().count() <= width.max(60)), "{width}: {text}");
    }
    // The first case is certainly the fastest only if every other one is slower.
    let mut certain = ranked.clone();
    let places = &mut certain.rankings[0].places;
    places.truncate(3);
    let first = |document: &derny_model::Document| {
        let text = terminal::summary(document, &UNICODE);
        text.lines().find(|line| line.starts_with("  ascii 32 ")).unwrap().to_owned()
    };
    assert!(first(&certain).ends_with(" not certainly fastest"), "{}", first(&certain));
    certain.rankings[0].places.remove(1);
    assert!(first(&certain).ends_with(" fastest"), "{}", first(&certain));
    // Each of many groups has a line.
    ranked.rankings = vec![ranked.rankings[0].clone(); 10];
    let text = terminal::summary(&ranked, &UNICODE);
    assert!(text.contains("\nn=10: ascii 32 and latin1 are fastest; no difference found\n"), "{text}");
    assert!(text.ends_with("2 more groups: `derny show PATTERN` ranks the ones that you select\n"), "{text}");
}

#[test]
fn a_failure_has_four_parts() {
    let designed = "\
error DY302: harness exited before answering `hello`
  where  bench/path.js · node 22.11 · process 1
  why    exit status 1; last lines of its stderr:
           Error: Cannot find module 'derny'
               at x\\x1b[0m
  try    npm install --save-dev derny
";
    assert_eq!(failure::all(&mixed(), &UNICODE), designed);
}

#[test]
fn narrow_tables_lose_columns_from_the_right_and_never_wrap() {
    let heads = |width: usize| {
        let text = terminal::table(&decoder(), &wide(width));
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= width, "{longest} > {width}\n{text}");
        text.lines()
            .next()
            .unwrap()
            .split("  ")
            .filter(|h| !h.is_empty())
            .map(|h| h.trim().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(heads(80), ["time/op", "95 % interval", "op/s", "alloc/op"]);
    assert_eq!(heads(60), ["time/op", "95 % interval", "op/s"]);
    assert_eq!(heads(50), ["time/op", "95 % interval"]);
    assert_eq!(heads(40), ["time/op"]);
}

#[test]
fn every_output_fits_or_says_why() {
    for width in [40, 60, 80, 120] {
        for document in [decoder(), mixed()] {
            let text = terminal::summary(&document, &wide(width));
            let longest = text.lines().skip(1).map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width, "{longest} > {width}\n{text}");
        }
    }
}

#[test]
fn ascii_is_ascii() {
    for document in [decoder(), mixed()] {
        for style in [ASCII, Style { width: Some(60), ..ASCII }] {
            let all = [
                terminal::summary(&document, &style),
                warning::of_run(&document, false, &style),
                failure::all(&document, &style),
                footer::footer(&document, &style),
                detail::case(&document, 0, &style).unwrap(),
            ];
            assert!(all.iter().all(|text| text.is_ascii()), "{all:?}");
        }
    }
    expect("decoder.ascii.txt", &terminal::summary(&decoder(), &ASCII));
}

#[test]
fn parameters_variants_groups_and_states() {
    expect("mixed.txt", &terminal::summary(&mixed(), &UNICODE));
    expect("mixed.60.txt", &terminal::summary(&mixed(), &wide(60)));
    expect("mixed.footer.txt", &footer::footer(&mixed(), &UNICODE));
}

#[test]
fn colour_adds_codes_and_nothing_else() {
    let coloured = Style { colour: true, ..UNICODE };
    for document in [decoder(), mixed()] {
        let plain = terminal::summary(&document, &UNICODE) + &warning::of_run(&document, true, &UNICODE);
        let text = terminal::summary(&document, &coloured) + &warning::of_run(&document, true, &coloured);
        assert!(text.contains('\x1b') && !plain.contains('\x1b'));
        assert_eq!(strip(&text), plain);
    }
}

fn strip(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            chars.by_ref().find(|c| *c == 'm');
        } else {
            out.push(c);
        }
    }
    out
}

#[test]
fn columns_appear_when_they_say_something() {
    let head = |change: &dyn Fn(&mut derny_model::VariantResult)| {
        let mut document = decoder();
        document.suites[0].cases[0].variants.iter_mut().for_each(change);
        let head = terminal::table(&document, &UNICODE).lines().next().unwrap().to_owned();
        head.split("  ").map(str::trim).filter(|head| !head.is_empty()).collect::<Vec<_>>().join("|")
    };
    let plain = "time/op|95 % interval|op/s|alloc/op";
    assert_eq!(head(&|_| {}), plain);
    let with = |name: &str| format!("{plain}|{name}");
    let scale = |v: &mut derny_model::VariantResult, name: &str, by: f64| {
        v.figures.edit(|all| {
            all.iter_mut().filter(|figure| figure.name == name).for_each(|figure| figure.value *= by);
        });
    };
    let push = |v: &mut derny_model::VariantResult, name: &str, value: f64| {
        v.figures.edit(|all| all.push(of_metric(&metric(name, "ns", value))));
    };
    assert_eq!(head(&|v| push(v, "gc_time", 2.0)), with("gc"));
    assert_eq!(head(&|v| push(v, "gc_time", 0.02)), plain);
    // Collections outside of timed regions may take longer than the body.
    assert_eq!(head(&|v| push(v, "gc_time", 1e9)), plain);
    assert_eq!(head(&|v| scale(v, "mean", 1.1)), with("mean/op"));
    assert_eq!(head(&|v| push(v, "cpu", 900.0)), plain);
}

#[test]
fn few_processes_have_a_range_and_no_interval() {
    let few = |count: u32, which: usize| {
        let mut document = decoder();
        for case in document.suites[0].cases.iter_mut().take(which) {
            case.variants[0].processes = count;
            case.variants[0].figures.edit(|all| {
                for figure in all.iter_mut().filter(|figure| ["time", "mean"].contains(&figure.name.as_str()))
                {
                    figure.range = figure.interval.take().filter(|_| count > 1);
                }
            });
        }
        document
    };
    let all = few(4, 4);
    let table = terminal::table(&all, &UNICODE);
    let mut lines = table.lines();
    assert!(lines.next().unwrap().contains("time/op             range  "), "{table}");
    assert!(table.contains("41.3 ns  41.1 … 41.6 of 4"), "{table}");
    let some = terminal::table(&few(2, 1), &UNICODE);
    assert!(some.contains("95 % interval") && some.contains("41.1 … 41.6, range of 2"), "{some}");
    assert!(some.contains("58.4 … 59.3  "), "{some}");
    assert!(terminal::table(&few(1, 4), &UNICODE).contains("  none  "));
    let told = |count| detail::case(&few(count, 1), 0, &UNICODE).unwrap();
    assert!(
        told(4).contains(
            "41.3 ns   range of 4 processes 41.1 … 41.6 (contains the median with a \
            probability of 87 %)"
        ),
        "{}",
        told(4)
    );
    assert!(told(2).contains("41.3 ns   41.1 … 41.6 in 2 processes, no interval"), "{}", told(2));
    assert!(told(1).contains("41.3 ns   no interval"), "{}", told(1));
    assert!(told(4).contains("41.7 ns   range 41.1 … 41.6   +1.0 % of typical"), "{}", told(4));
    assert!(markdown::document(&all, false, &UNICODE).contains("| 41.1 … 41.6 of 4 |"));
}

#[test]
fn metrics_asked_for_by_name_are_the_columns() {
    let mut document = decoder();
    let cpu = of_metric(&metric("cpu", "ns", 41.0));
    let results = document.suites[0].cases.iter_mut().flat_map(|case| &mut case.variants);
    results.for_each(|result| result.figures.edit(|all| all.push(cpu)));
    document.run.settings.metrics = vec!["time".to_owned(), "cpu".to_owned()];
    let text = terminal::table(&document, &UNICODE);
    assert_eq!(text.lines().next().unwrap().trim(), "time/op  95 % interval    op/s   cpu/op");
    document.run.settings.metrics = vec!["allocated".to_owned()];
    assert_eq!(terminal::table(&document, &UNICODE).lines().next().unwrap().trim(), "alloc/op");
}

#[test]
fn a_tool_s_rate_stands_where_the_time_would() {
    let mut http = case("http", "simple", &[]);
    let mut rate = metric("rate", "requests/s", 12_345.0);
    rate.constant = false;
    rate.estimate = estimate(12_345.0, 12_200.0, 12_490.0);
    http.metrics = vec![rate.metric.clone()];
    let text =
        terminal::table(&document(vec![measured(http, vec![result("base", None, vec![rate])])]), &UNICODE);
    let expected = "                        rate  95 % interval
http
└─ simple  12.3 k requests/s    12.2 … 12.5
";
    assert_eq!(text, expected);
}

#[test]
fn operations_have_their_own_name_where_all_agree() {
    let mut document = decoder();
    document.suites[0].cases.iter_mut().for_each(|case| case.case.unit = Some("char".to_owned()));
    assert!(
        terminal::table(&document, &UNICODE).starts_with("                time/char  95 % interval  char/s")
    );
    document.suites[0].cases[0].case.unit = None;
    assert!(terminal::table(&document, &UNICODE).contains("time/op"));
}

#[test]
fn a_case_in_full() {
    expect("detail.txt", &detail::case(&decoder(), 3, &UNICODE).unwrap());
    expect("detail.mixed.txt", &detail::case(&mixed(), 0, &wide(80)).unwrap());
    expect("detail.failed.txt", &detail::case(&mixed(), 3, &UNICODE).unwrap());
    assert_eq!(detail::case(&decoder(), 4, &UNICODE), None);
}

#[test]
fn doubts_about_the_run_follow_all_cases_once() {
    let mut document = decoder();
    document.warnings.push(Warning { code: "DY101".to_owned(), case: None, ..document.warnings[0].clone() });
    let text = detail::cases(&document, &UNICODE);
    assert_eq!(text.matches("warning DY101").count(), 1);
    assert_eq!(text.matches("warning DY204").count(), 1);
    assert!(text.find("warning DY101") > text.find("warning DY204"));
    assert_eq!(text.matches("steady state").count(), 4);
}

#[test]
fn a_case_in_full_leaves_out_what_is_unknown() {
    let mut bare = time(Estimate { value: 100.0, interval: None });
    bare.floor = None;
    bare.cold = None;
    bare.histogram = None;
    bare.processes.edit(|all| all.truncate(1));
    bare.outliers = Default::default();
    bare.steady = Default::default();
    let mut bare = result("base", Some(bare), Vec::new());
    bare.figures.edit(|all| all.retain(|figure| !["collect", "detectable"].contains(&figure.name.as_str())));
    for (name, unit, value) in
        [("slope", "ns", 10.0), ("r_squared", "", 0.999_94), ("robust_slope", "ns", 10.1), ("skew", "", 1.5)]
    {
        bare.figures.edit(|all| all.push(figure(name, unit, Estimate { value, interval: None })));
    }
    let document = document(vec![measured(case("s", "a", &[]), vec![bare])]);
    expect("detail.bare.txt", &detail::case(&document, 0, &UNICODE).unwrap());
}

#[test]
fn the_widest_range_of_the_machine_stands_for_all_cases() {
    let mut document = mixed();
    let told = footer::footer(&document, &UNICODE);
    assert!(told.contains("−4 to +7 %;"), "{told}");
    let wide = {
        let narrow = document.suites[0].cases[0].change.clone().unwrap();
        let machine = Some(derny_model::Interval { lo: -0.09, hi: 0.1 });
        derny_model::PlainChange {
            machine,
            because: "the machine may explain −9 to +10 %".to_owned(),
            ..narrow
        }
    };
    document.suites[0].cases[1].change = Some(wide);
    let told = footer::footer(&document, &UNICODE);
    assert!(told.contains("−9 to +10 % at most;") && !told.contains("+7 %"), "{told}");
}

#[test]
fn what_a_stopped_run_had_not_begun_is_a_number_where_it_is_much() {
    let mut many: Vec<_> = (0..500)
        .map(|n| {
            let mut one = measured(case("suite", &format!("case{n}"), &[]), Vec::new());
            one.state = CaseState::Missing;
            one
        })
        .collect();
    many[7] = measured(case("suite", "reached", &[]), Vec::new());
    many[7].state = CaseState::Passed;
    let text = terminal::table(&document(many), &UNICODE);
    assert!(text.contains("reached") && text.ends_with("\n499 cases not run\n"), "{text}");
    assert!(!text.contains("case8"), "{text}");
}
