//! The rarely used data of a turn: a separate thread, and undeclared values.

use crate::codec::varint::{Reader, put};
use derny_model::{Direction, Kind, Metric, Outside, Reported, Turn};

/// The kinds of metrics in the order of their codes. The order is part of the format, so new kinds are
/// appended.
pub(super) const KINDS: [Kind; 5] = [Kind::Total, Kind::Level, Kind::Peak, Kind::Rate, Kind::Reported];
pub(super) const DIRECTIONS: [Direction; 3] = [Direction::Less, Direction::More, Direction::None];

pub fn has_more(turn: &Turn) -> bool {
    turn.thread.is_some() || !turn.reported.is_empty()
}

pub fn put_more(out: &mut Vec<u8>, turn: &Turn) {
    put(out, turn.thread.map_or(0, |thread| u64::from(thread) + 1));
    put(out, turn.reported.len() as u64);
    for Reported { metric, value } in &turn.reported {
        for text in [&metric.name, &metric.unit] {
            put(out, text.len() as u64);
            out.extend(text.as_bytes());
        }
        out.extend([kind_code(metric.kind), direction_code(metric.direction), u8::from(metric.exact)]);
        out.extend(value.to_bits().to_le_bytes());
    }
}

pub fn read_more(reader: &mut Reader<'_>, turn: &mut Turn) -> Option<()> {
    turn.thread = reader.varint()?.checked_sub(1).map(u32::try_from).transpose().ok()?;
    for _ in 0..reader.count(1)? {
        let mut text = || {
            let length = reader.count(1)?;
            String::from_utf8(reader.bytes(length)?.to_vec()).ok()
        };
        let (name, unit) = (text()?, text()?);
        let kind = *KINDS.get(usize::from(reader.byte()?))?;
        let direction = *DIRECTIONS.get(usize::from(reader.byte()?))?;
        let exact = reader.byte()? != 0;
        let value = f64::from_bits(u64::from_le_bytes(reader.bytes(8)?.try_into().ok()?));
        turn.reported.push(Reported { metric: Metric { name, unit, kind, direction, exact }, value });
    }
    Some(())
}

pub fn put_outside(out: &mut Vec<u8>, outside: &Outside) {
    put(out, outside.wall_ns);
    put(out, outside.lead_ns);
    put(out, outside.cpu_ns.map_or(0, |ns| ns.saturating_add(1)));
    put(out, outside.wait_ns.map_or(0, |ns| ns.saturating_add(1)));
}

pub fn read_outside(reader: &mut Reader<'_>) -> Option<Outside> {
    Some(Outside {
        wall_ns: reader.varint()?,
        lead_ns: reader.varint()?,
        cpu_ns: reader.varint()?.checked_sub(1),
        wait_ns: reader.varint()?.checked_sub(1),
    })
}

/// Returns the index of a kind in [`KINDS`]. A new kind causes a compile error here until it has a code.
fn kind_code(kind: Kind) -> u8 {
    match kind {
        Kind::Total => 0,
        Kind::Level => 1,
        Kind::Peak => 2,
        Kind::Rate => 3,
        Kind::Reported => 4,
    }
}

fn direction_code(direction: Direction) -> u8 {
    match direction {
        Direction::Less => 0,
        Direction::More => 1,
        Direction::None => 2,
    }
}
