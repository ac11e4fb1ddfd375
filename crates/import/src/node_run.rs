//! Reads the CSV of Node's run.js, with one process per row.

use crate::cases::CaseIdentity;
use crate::csv::{Row, rows};
use crate::node_compare::head;
use crate::{Foreign, Input, ReadError, node};
use std::sync::Arc;

const HEAD: [&str; 4] = ["filename", "configuration", "rate", "time"];

pub(crate) fn matches(input: &Input<'_>) -> bool {
    head(input).is_some_and(|row| row == HEAD)
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = node::foreign("node run.js");
    let mut rows = rows(input.text()?);
    match rows.next().transpose()? {
        Some(Row { fields, .. }) if fields == HEAD => {}
        _ => return Err(ReadError::at(1, "the header is not that of run.js")),
    }
    for (number, row) in rows.enumerate() {
        let Row { line, fields, .. } = row?;
        let [file, configuration, rate, time] = &fields[..] else {
            let found = fields.len();
            return Err(ReadError::at(line, format!("expected 4 fields, found {found}")));
        };
        let own = format!("{file}\0{configuration}");
        let params = node::configuration(line, configuration)?;
        let case = foreign.case(CaseIdentity::Named(&own), node::SUITE, file, params);
        let sample = node::sample(line, rate, time)?;
        let process = foreign.process(0, number);
        foreign.visit((process, case), &Arc::default(), &[sample], Vec::new());
    }
    Ok(foreign)
}
