//! Traces: one panel per case, with its turns in chronological order.

use super::canvas::Anchor;
use super::frame::{Frame, MARGIN};
use super::look::Look;
use super::ruler::tooltip;
use super::scale::Scale;
use crate::numbers;
use crate::style::Style;
use derny_model::Phase;
use derny_model::picture::{Panel, Picture, ProcessTrace, TurnPoint};

/// Signs for the events in a turn, in the order of [`TurnPoint::CAUSES`].
const SIGNS: [&str; 4] = ["G", "C", "L", "P"];

/// Draws the turns of each case at equal distances. The labels below count the time from the first turn of
/// the case. Time spent on other cases takes no room.
pub(super) fn traces(picture: &Picture, panels: &[Panel<Vec<ProcessTrace>>], look: &Look) -> String {
    let mut frame = Frame::new(picture, look);
    let seen = panels.iter().flat_map(|panel| &panel.content).flat_map(|process| &process.turns);
    let seen = seen.fold(0, |bits, turn| bits | turn.causes);
    let signs = (0..4).filter(|bit| seen & (1 << bit) != 0).map(|bit| (SIGNS[bit], TurnPoint::CAUSES[bit].0));
    frame.key("warm-up or rejected", &signs.collect::<Vec<_>>());
    let height = f64::from(look.height.unwrap_or(190));
    for panel in panels {
        one(&mut frame, picture, panel, height);
    }
    let bottom = frame.top;
    frame.finish(bottom)
}

fn one(frame: &mut Frame<'_>, picture: &Picture, panel: &Panel<Vec<ProcessTrace>>, height: f64) {
    let look = frame.look;
    let span = (MARGIN + 56.0, frame.right());
    let (top, bottom) = (frame.top + 26.0, frame.top + 26.0 + height);
    let mut order: Vec<(u64, usize, usize)> = Vec::new();
    for (number, process) in panel.content.iter().enumerate() {
        order.extend(process.turns.iter().enumerate().map(|(place, turn)| (turn.at_ns, number, place)));
    }
    order.sort_unstable();
    let turn = |at: &(u64, usize, usize)| &panel.content[at.1].turns[at.2];
    let scale =
        Scale::new(shown(&order.iter().map(turn).collect::<Vec<_>>()).into_iter(), picture.log, bottom, top);
    let unit = frame.values_left(&scale, (top, bottom), span.0, span.1, false);
    frame.panel(&panel.name, &unit, top - 16.0);
    let step = (span.1 - span.0) / order.len().max(1) as f64;
    let radius = (0.42 * step).clamp(1.2, 3.4);
    times(frame, &order, span, step, bottom);
    for (index, at) in order.iter().enumerate() {
        let (process, turn) = (&panel.content[at.1], turn(at));
        let x = span.0 + (index as f64 + 0.5) * step;
        let colour = look.series(process.variant as usize);
        let measured = turn.phase == Phase::Measured;
        if measured {
            frame.canvas.line((x, scale.within(turn.range.0)), (x, scale.within(turn.range.1)), colour, 0.7);
        }
        let fill = if measured { colour } else { look.ground() };
        let y = scale.within(turn.value);
        let tip = tip(picture, process, turn);
        frame.canvas.mark((x, y), process.variant as usize, radius, fill, colour, &tip);
        if let Some(bit) = (0..4).find(|bit| measured && turn.causes & (1 << bit) != 0) {
            frame.canvas.text((x, (y - 6.0).max(top + 8.0)), Anchor::Middle, 9.0, look.ink(), SIGNS[bit]);
        }
    }
    frame.top = bottom + 38.0;
}

/// Returns the values that the axis must contain: the fastest batches and almost all measured turns, with
/// some room for slower batches. Very slow batches leave the panel at the top instead of squeezing all others
/// into a line.
fn shown(turns: &[&TurnPoint]) -> Vec<f64> {
    let measured: Vec<&&TurnPoint> = turns.iter().filter(|turn| turn.phase == Phase::Measured).collect();
    let mut values: Vec<f64> = measured.iter().map(|turn| turn.value).collect();
    if values.is_empty() {
        values.extend(turns.iter().map(|turn| turn.value));
    }
    values.sort_unstable_by(f64::total_cmp);
    values.truncate(values.len() - values.len() / 50);
    let typical = values.get(values.len() / 2).copied().unwrap_or_default();
    let most = values.last().copied().unwrap_or(typical).max(1.25 * typical);
    values.extend(measured.iter().map(|turn| turn.range.0));
    values.extend(measured.iter().map(|turn| turn.range.1).filter(|slowest| *slowest <= 1.1 * most));
    values
}

fn times(frame: &mut Frame<'_>, order: &[(u64, usize, usize)], span: (f64, f64), step: f64, bottom: f64) {
    let (look, start) = (frame.look, order.first().map_or(0, |first| first.0));
    frame.canvas.line((span.0, bottom), (span.1, bottom), look.faint(), 1.0);
    let (labels, mut last) = (6.min(order.len()), String::new());
    for label in 0..labels {
        let index = if labels > 1 { label * (order.len() - 1) / (labels - 1) } else { 0 };
        let (x, anchor) = match label {
            0 => (span.0, Anchor::Start),
            _ if label + 1 == labels => (span.1, Anchor::End),
            _ => (span.0 + (index as f64 + 0.5) * step, Anchor::Middle),
        };
        let after = numbers::duration((order[index].0 - start) as f64, &Style::default());
        let text = if label == 0 { "first turn".to_owned() } else { format!("+{after}") };
        if text != last {
            frame.canvas.text((x, bottom + 16.0), anchor, 11.0, look.faint(), &text);
        }
        last = text;
    }
}

fn tip(picture: &Picture, process: &ProcessTrace, turn: &TurnPoint) -> String {
    let mut words = vec![format!("process {}", process.process)];
    if picture.series.len() > 1 {
        words.extend(picture.series.get(process.variant as usize).cloned());
    }
    words.push(tooltip(turn.value, &picture.unit));
    match turn.phase {
        Phase::WarmUp => words.push("warm-up".to_owned()),
        Phase::Rejected => words.push("rejected".to_owned()),
        _ => {}
    }
    let causes = TurnPoint::CAUSES.iter().enumerate().filter(|(bit, _)| turn.causes & (1 << bit) != 0);
    words.extend(causes.map(|(_, (word, _))| (*word).to_owned()));
    words.join(" · ")
}
