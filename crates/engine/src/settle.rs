//! Between warm-up and measured rounds: memory and collector are brought to rest.
//!
//! A young process that allocates pays for the first touch of its heap, and its young generation is small, so that it collects
//! often. A program that has run for seconds does neither. So a body that allocates has its heap settled by the harness, where the
//! harness can (`settle`); else its warm-up goes on until neither becomes less, bounded by the time for warm-up. A forced
//! collection comes before that, never after: where it gives memory back, the first touch would begin again.

use crate::block::{Block, LONG};
use crate::context::Context;
use crate::observe::memory;
use crate::seat::{Seat, Trouble};
use crate::state::CaseState;
use crate::turn::Ask;
use crate::warmth::Warmth;
use crate::wave::{Pending, on_some};
use std::time::Instant;

/// A turn after settling is as long as this many measured ones: long enough to show first touches.
const AFTER: u64 = 2;

/// Settles the processes of all blocks that need it, as many at a time as there are processors: nothing is being measured.
pub(crate) fn all(
    cx: &mut Context<'_>,
    states: &mut [CaseState],
    blocks: &mut Vec<Block>,
    lost: &mut Vec<Pending>,
) {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let variants = cx.variants.len().max(1);
    // Blocks that fail are removed on the way, so that places are counted anew each time.
    let mut at = 0;
    while at < blocks.len() && !cx.stopped() && !cx.over() {
        let count = blocks.len();
        let some: Vec<usize> = (at..count.min(at + (processors / variants).max(1))).collect();
        on_some(cx, states, blocks, lost, &some, |block, cx, _| block.begin_settling(cx));
        let gone = count - blocks.len();
        let left: Vec<usize> = some[..some.len() - gone].to_vec();
        on_some(cx, states, blocks, lost, &left, |block, cx, state| block.end_settling(cx, state));
        at += some.len() - (count - blocks.len());
        // A settled heap is all resident: no more are settled where memory would not hold them.
        let largest =
            blocks.iter().flat_map(|block| &block.seats).map(Seat::resident_bytes).max().unwrap_or(0);
        let needed = largest.saturating_mul((blocks.len().saturating_sub(at) * variants) as u64);
        if memory::available_bytes().is_some_and(|available| needed > available / 2) {
            break;
        }
    }
}

impl Block {
    fn allocates(&self) -> bool {
        self.warmth.iter().any(Warmth::allocates)
    }

    /// All can, and some are not settled yet. The heap of a session that was there before is left as it is.
    fn can_settle(&self, cx: &Context<'_>) -> bool {
        cx.attached.is_none()
            && self.seats.iter().all(|seat| seat.can("settle"))
            && !self.seats.iter().all(Seat::is_settled)
    }

    /// Forces a collection, where one is due, and sends for settled heaps.
    fn begin_settling(&mut self, cx: &mut Context<'_>) -> Result<(), Trouble> {
        if self.warm_left.is_none() {
            return Ok(()); // One call fills the share, or the body runs once: there was no warm-up.
        }
        let allocates = self.allocates() && cx.settings.gc != "never";
        let collects = match cx.settings.gc.as_str() {
            "process" => true,
            "auto" => !(allocates && self.can_settle(cx)) && self.seats.iter().all(|seat| !seat.gives_back()),
            _ => false,
        };
        if collects {
            self.collect(cx)?;
        }
        // After the collection, which may have given back what was settled.
        if allocates && self.can_settle(cx) {
            let processors = cx.settings.pin.clone();
            let first = self.block as usize * self.seats.len();
            for (k, seat) in self.seats.iter_mut().enumerate() {
                let processor = processors.get((first + k) % processors.len().max(1)).copied();
                seat.begin_settling(cx, processor)?;
            }
        }
        Ok(())
    }

    /// Waits for all of them, also where one fails. What it took counts as a cost of the launch, since the processes of other
    /// blocks settle at the same time: the time for rounds is not shortened by it.
    fn end_settling(&mut self, cx: &mut Context<'_>, state: &mut CaseState) -> Result<(), Trouble> {
        let ends: Vec<_> = self.seats.iter_mut().map(|seat| seat.end_settling(cx)).collect();
        let mut settled_ns = 0;
        for end in ends {
            settled_ns = settled_ns.max(end?.unwrap_or(0));
        }
        if settled_ns > 0 {
            self.is_settled = true;
            self.warmth.fill(Warmth::default());
            state.spent_ns += settled_ns;
            state.launches_ns += settled_ns;
        }
        Ok(())
    }

    /// More warm-up turns, until nothing is touched for the first time any more and collections do not become rarer. After settling
    /// there is one at least: it brings the caches back.
    pub(crate) fn come_to_rest(
        &mut self,
        cx: &mut Context<'_>,
        state: &mut CaseState,
    ) -> Result<(), Trouble> {
        let Some(left) = self.warm_left else { return Ok(()) };
        let start = Instant::now();
        let within_ns = cx.settings.turn_ns * if self.is_settled { AFTER } else { LONG };
        let processor = cx.processor();
        let mut is_due = self.is_settled;
        while !cx.stopped() && !cx.over() && (is_due || (!self.is_resting() && start.elapsed() < left)) {
            is_due = false;
            let (ask, times) = self.warm_up_ask(cx, state, within_ns);
            for k in self.order(cx) {
                let told = self.seats[k].turn(cx, Ask { processor, ..ask })?;
                self.warmth[k].add(&told, cx.first_touch_ns);
                if k == 0 {
                    state.batch_ns = told.cost_ns / times as f64;
                }
            }
        }
        self.spend(start);
        Ok(())
    }

    fn is_resting(&self) -> bool {
        self.warmth.iter().all(|warmth| !warmth.is_touching() && !warmth.is_collecting_less())
    }
}
