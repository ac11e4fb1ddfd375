//! Tests the speed of the analysis of a large run.

use crate::build;

/// 1,000 cases × 8 processes × 12 turns × 100 batches take about a second in a release build. The limit is
/// far above that. It detects quadratic time, not a slow machine.
#[test]
fn a_thousand_cases_are_summarised_in_linear_time() {
    let cases = if cfg!(debug_assertions) { 100 } else { 1000 };
    let run = build::noisy(cases, 8, 100, 50.0);
    let start = std::time::Instant::now();
    let document = run.document();
    let took = start.elapsed();
    assert_eq!(document.cases().count(), cases);
    assert!(took.as_secs() < 20, "{took:?}");
    if std::env::var_os("DERNY_TEST_TIMES").is_some() {
        std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{cases} cases in {took:?}\n"))
            .unwrap();
    }
}
