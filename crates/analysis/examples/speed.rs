//! Measures time and memory of the analysis of a large comparison:
//! `cargo run --release -p derny-analysis --example speed [CASES] [PROCESSES]`.
//! By default, there are 10,000 cases with 10 processes per side and 100 batches per process.

#[path = "../tests/build/mod.rs"]
mod build;

use build::{RunBuilder, case, turn, variant};
use derny_analysis::{Input, Options, compare, summarise};
use derny_model::{Phase, Turn};
use derny_stats::Rng;
use std::io::Write;
use std::time::Instant;

const TURNS: u32 = 10;
const BATCHES: usize = 10;

fn records(cases: usize, processes: u32) -> RunBuilder {
    let mut rng = Rng::new(1);
    let mut run = RunBuilder::new((0..cases).map(|i| case("suite", &format!("case{i}"))).collect());
    run.records.header.variants = vec![variant("old"), variant("new")];
    for index in 0..cases as u32 {
        for block in 0..processes {
            for side in 0..2 {
                let process = run.process(side);
                run.records.processes[process as usize].block = index * processes + block;
                let level = 20_000.0 * (0.002 * rng.normal()).exp();
                let turns = (0..TURNS).map(|round| {
                    let time = |rng: &mut Rng| (level * (0.005 * rng.normal()).exp()) as u64;
                    let times = (0..BATCHES).map(|_| time(&mut rng)).collect();
                    Turn { round, ..turn(Phase::Measured, 400, times) }
                });
                run.visit(process, index, &[], turns.collect());
            }
        }
    }
    run
}

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse().expect("a count"));
    let (cases, processes) = (words.next().unwrap_or(10_000), words.next().unwrap_or(10));
    let run = records(cases, processes as u32);
    let start = Instant::now();
    let document = summarise(&run.records);
    let summarised = start.elapsed();
    let side = |variant: u32| Input {
        name: document.run.variants[variant as usize].name.clone(),
        document: &document,
        records: Some(&run.records),
        variant,
    };
    let options = Options::default();
    let comparison = compare(&[side(0), side(1)], &options);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or(" unknown").trim();
    let text = format!(
        "{} cases × {processes} processes a side × {} batches: summarised in {summarised:.2?}, compared in {:.2?}, peak {peak}\n",
        comparison.cases.len(),
        TURNS as usize * BATCHES,
        start.elapsed() - summarised,
    );
    std::io::stdout().write_all(text.as_bytes()).expect("standard output is open");
}
