//! Snapshots of Benchfella, for `mix bench.cmp` and `mix bench.graph`: operations and the time of all of them, in µs.

use derny_model::Document;

/// The whole document. A snapshot has one figure per test: the time of all that was measured, collections included, which
/// is what Benchfella itself measures. Parameters become part of the test's name.
///
/// # Errors
/// In words: there are several variants, for which it has no column.
pub fn snapshot(document: &Document) -> Result<String, String> {
    if document.run.variants.len() > 1 {
        return Err("a snapshot has no column for variants".to_owned());
    }
    let mut rows = String::new();
    let mut longest: f64 = 0.0;
    for case in document.cases() {
        let Some(time) = case.variants.first().and_then(|variant| variant.time.as_ref()) else { continue };
        let measured: f64 = time.processes.iter().map(|process| process.measured_ns).sum();
        let each = time.amortised.value;
        // An old document does not say how long was measured: a second, as Benchfella itself would.
        let measured = if measured > 0.0 { measured } else { 1e9_f64.max(each) };
        let iterations = (measured / each).round().max(1.0);
        longest = longest.max(measured / 1e9);
        let (module, test) = (word(&case.case.id.suite), word(&case.case.id.name()));
        let elapsed_us = (iterations * each / 1e3).round();
        rows.push_str(&format!("{module}\t{test}\t\t{iterations:.0}\t{elapsed_us:.0}\n"));
    }
    let duration = longest.max(0.1);
    Ok(format!(
        "duration:{duration:.1};mem stats:false;sys mem stats:false\nmodule;test;tags;iterations;elapsed\n{rows}"
    ))
}

/// A name without what separates fields.
fn word(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}
