//! Reads the CSV of Node's scatter.js: one file, with a column per parameter and one process per row.

use crate::cases::CaseIdentity;
use crate::csv::{Row, rows};
use crate::node_compare::head;
use crate::{Foreign, Input, ReadError, node};
use std::sync::Arc;

fn is_head(row: &[String]) -> bool {
    matches!(row, [file, params @ .., rate, time]
        if file == "filename" && rate == "rate" && time == "time" && params != ["configuration"])
}

pub(crate) fn matches(input: &Input<'_>) -> bool {
    head(input).is_some_and(|row| is_head(&row))
}

pub(crate) fn read(input: &Input<'_>) -> Result<Foreign, ReadError> {
    let mut foreign = node::foreign("node scatter.js");
    let mut rows = rows(input.text()?);
    let keys = match rows.next().transpose()? {
        Some(Row { fields, .. }) if is_head(&fields) => fields[1..fields.len() - 2].to_vec(),
        _ => return Err(ReadError::at(1, "the header is not that of scatter.js")),
    };
    for (number, row) in rows.enumerate() {
        let Row { line, fields, quoted } = row?;
        let [file, values @ .., rate, time] = &fields[..] else {
            return Err(ReadError::at(line, "fields are missing"));
        };
        if values.len() != keys.len() {
            let (wanted, found) = (keys.len() + 3, fields.len());
            return Err(ReadError::at(line, format!("expected {wanted} fields, found {found}")));
        }
        let params = keys.iter().cloned().zip(values.iter().cloned()).collect();
        // Quotes distinguish the text `"1"` from the number `1`.
        let own = format!("{file}\0{values:?}{quoted:?}");
        let case = foreign.case(CaseIdentity::Named(&own), node::SUITE, file, params);
        let sample = node::sample(line, rate, time)?;
        let process = foreign.process(0, number);
        foreign.visit((process, case), &Arc::default(), &[sample], Vec::new());
    }
    Ok(foreign)
}
