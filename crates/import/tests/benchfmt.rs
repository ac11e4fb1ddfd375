//! Tests Go's benchmark format: output of `go test -bench`, and damaged files.

use derny_import::{Foreign, Input, ReadError, format, guess};
use derny_model::{Direction, Kind, Metric};

const GO: &str = include_str!("files/go-bench.txt");

fn read(text: &[u8]) -> Result<Foreign, ReadError> {
    (format("benchfmt").unwrap().read)(&Input { bytes: text, name: "old.txt", parts: &[] })
}

fn times(foreign: &Foreign) -> Vec<String> {
    let each = |(case, samples): (derny_model::Case, Vec<derny_import::Sample>)| {
        let [sample] = &samples[..] else { panic!("{} samples in a line", samples.len()) };
        let time = if sample.untimed { "none".to_owned() } else { format!("{:.4}", sample.per_operation()) };
        format!("{} {time}", case.id)
    };
    foreign.visits().map(each).collect()
}

fn metrics(foreign: &Foreign, benchmark: &str) -> Vec<(Metric, f64)> {
    let lines = foreign.visits().zip(foreign.told());
    let mut own = lines.filter(|((case, _), _)| case.id.benchmark == benchmark);
    let ((_, samples), (_, metrics, _)) = own.next().unwrap();
    let operations = samples[0].operations.unwrap_or(samples[0].iterations as f64);
    let each =
        |metric: &Metric, value: f64| if metric.kind == Kind::Total { value / operations } else { value };
    let values = metrics.iter().zip(&samples[0].counters);
    values.map(|(metric, value)| (metric.clone(), each(metric, value.unwrap()))).collect()
}

#[test]
fn every_line_is_a_process_with_all_that_it_says() {
    let foreign = read(GO.as_bytes()).unwrap();
    assert_eq!(
        times(&foreign),
        [
            "example.com/words/BenchmarkJoin 1686.0000",
            "example.com/words/BenchmarkJoin 941.3000",
            "example.com/words/BenchmarkSort/random n=10 52.2600",
            "example.com/words/BenchmarkHidden none",
            "example.com/words/sub/BenchmarkEmpty 1.9300",
        ]
    );
    let own = |benchmark: &str| -> Vec<(String, Direction, f64)> {
        metrics(&foreign, benchmark).into_iter().map(|(m, value)| (m.name, m.direction, value)).collect()
    };
    let close = |found: &[(String, Direction, f64)], wanted: &[(&str, Direction, f64)]| {
        assert_eq!(found.len(), wanted.len());
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!((found.0.as_str(), found.1), (wanted.0, wanted.1));
            assert!((found.2 / wanted.2 - 1.0).abs() < 1e-12, "{found:?}");
        }
    };
    close(
        &own("BenchmarkJoin"),
        &[
            ("MB/s", Direction::More, 59.31),
            ("allocated", Direction::Less, 192.0),
            ("allocations", Direction::Less, 1.0),
        ],
    );
    close(
        &own("BenchmarkSort/random"),
        &[("items/op", Direction::None, 10.0), ("sorts/s", Direction::More, 19_139_287.0)],
    );
    let hidden = metrics(&foreign, "BenchmarkHidden");
    assert_eq!((hidden[0].0.direction, hidden[0].0.exact), (Direction::More, true), "a line `Unit` decides");
    let machine = &foreign.machine;
    assert_eq!((machine.os.as_str(), machine.cpu.as_str()), ("linux", "AMD EPYC"));
    assert_eq!((machine.facts["goarch"].as_str(), machine.facts["GOMAXPROCS"].as_str()), ("amd64", "2"));
    let says = |part: &str| {
        assert!(foreign.unknown().iter().any(|one| one.contains(part)), "{:?}", foreign.unknown())
    };
    says("first in line 9");
    says("better direction of items/op, so there is no verdict");
    assert_eq!(foreign.cases().get(1).printed.as_deref(), Some("BenchmarkSort/n=10/random-2"));
}

#[test]
fn what_changes_within_a_file_is_a_parameter() {
    let text = "toolchain: go1.25\nnote: x\nBenchmarkA 10 5 ns/op\nBenchmarkA-4 10 3 ns/op\n\
        toolchain: go1.26\nnote:\nBenchmarkA-4 10 2 sec/op\nBenchmarkA-4 10 NaN ns/op 7 B/op\n";
    let foreign = read(text.as_bytes()).unwrap();
    assert_eq!(
        times(&foreign),
        [
            "go/BenchmarkA cpu=1 note=x toolchain=go1.25 5.0000",
            "go/BenchmarkA cpu=4 note=x toolchain=go1.25 3.0000",
            "go/BenchmarkA cpu=4 toolchain=go1.26 2000000000.0000",
            "go/BenchmarkA cpu=4 toolchain=go1.26 none",
        ]
    );
    let named = read(b"commit: abc123\nbranch: main\ndate: 2026-11-26T12:00:00Z\ntoolchain: go1.26.1\nBenchmarkA 1 1 ns/op\n");
    let named = named.unwrap();
    assert_eq!(named.commit.unwrap().branch.as_deref(), Some("main"));
    assert_eq!((named.started_ms, named.tool.as_str()), (Some(1_795_694_400_000), "go 1.26.1"));
}

#[test]
fn broken_files_are_named_and_others_are_not_taken() {
    let cut = &GO[..GO.find("941.3 ns/op").unwrap() + 5];
    let error = read(cut.as_bytes()).unwrap_err();
    assert_eq!(error.line, Some(6), "{error}");
    assert!(error.reason.contains("truncated"), "{error}");
    let error = read(b"BenchmarkA\xff 10 5 ns/op\n").unwrap_err();
    assert_eq!(error.line, Some(1));
    // Output that is not text is ignored.
    assert_eq!(read(b"\xff\xfe\r\nBenchmarkA 10 5 ns/op\r\n").unwrap().samples(), 1);
    for other in [
        "",
        "Benchmark",
        "BenchmarkA",
        "Benchmark 3 of 4 is done\n",
        "BenchmarkA 10 ns/op 5\n",
        "goos: linux\n",
    ] {
        let input = Input { bytes: other.as_bytes(), name: "x", parts: &[] };
        assert!(guess(&input).is_none(), "{other}");
    }
    let hostile = format!("Benchmark\u{1b}[31m/{} 10 5 ns/op\n", "a=b/".repeat(10_000));
    assert_eq!(read(hostile.as_bytes()).unwrap().samples(), 1);
    let many = format!("BenchmarkA 99999999999999999999 5 ns/op\nBenchmarkA 5 5{} ns/op\n", "0".repeat(400));
    assert!(read(many.as_bytes()).unwrap().visits().all(|(_, samples)| samples[0].untimed));
}
