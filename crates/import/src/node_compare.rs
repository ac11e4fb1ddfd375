//! Reads the CSV of Node's compare.js: alternating processes of the old and the new binary, each with all
//! configurations of a file.

use crate::cases::CaseIdentity;
use crate::csv::{Row, rows};
use crate::{Foreign, Input, ReadError, node};
use std::collections::HashMap;
use std::sync::Arc;

const HEAD: [&str; 5] = ["binary", "filename", "configuration", "rate", "time"];

pub(crate) fn matches(input: &Input<'_>) -> bool {
    head(input).is_some_and(|row| row == HEAD)
}

pub(crate) fn head(input: &Input<'_>) -> Option<Vec<String>> {
    let line = input.head().lines().next()?;
    rows(line).next()?.ok().map(|row| row.fields)
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = node::foreign("node compare.js");
    foreign.says(
        "order within a pair (compare.js always measures the old binary first; it counts as paired here)",
    );
    let text = input.text()?;
    let mut all = rows(text);
    match all.next().transpose()? {
        Some(Row { fields, .. }) if fields == HEAD => {}
        _ => return Err(ReadError::at(1, "the header is not that of compare.js")),
    }
    // The old binary is the base, whichever comes first.
    if rows(text).flatten().any(|row| row.fields.first().is_some_and(|name| name == "old")) {
        foreign.variant("old");
    }
    let mut blocks: HashMap<(usize, usize), usize> = HashMap::new();
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    for row in all {
        let Row { line, fields, .. } = row?;
        let [binary, file, configuration, rate, time] = &fields[..] else {
            let found = fields.len();
            return Err(ReadError::at(line, format!("expected 5 fields, found {found}")));
        };
        let params = node::configuration(line, configuration)?;
        let sample = node::sample(line, rate, time)?;
        let (variant, case) = {
            let own = format!("{file}\0{configuration}");
            (foreign.variant(binary), foreign.case(CaseIdentity::Named(&own), node::SUITE, file, params))
        };
        let count = seen.entry((variant, case)).or_default();
        let next = blocks.len();
        let block = *blocks.entry((case, *count)).or_insert(next);
        *count += 1;
        let process = foreign.process(variant, block);
        foreign.visit((process, case), &Arc::default(), &[sample], Vec::new());
    }
    Ok(foreign)
}
