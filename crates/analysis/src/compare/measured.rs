//! The measurements of a case on one side by process, from which pairs and intervals are computed.

use crate::diagnose::Blame;
use crate::metrics;
use derny_estimate::packed;
use derny_estimate::pair::Replicate;
use derny_estimate::rounds::LEAST_TURNS;
use derny_model::{Case, Metric, Pack, Phase, ProcessStart, Records, VisitRecord};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

pub(crate) struct Measured {
    pub replicates: Vec<Replicate>,
    processes: Vec<u32>,
    /// Each metric with its value in every process of `replicates`.
    pub metrics: Vec<(Metric, Vec<Option<f64>>)>,
}

pub(crate) struct Index<'a> {
    processes: HashMap<u32, &'a ProcessStart>,
    visits: Vec<Vec<&'a VisitRecord>>,
}

impl<'a> Index<'a> {
    pub(crate) fn new(records: &'a Records) -> Index<'a> {
        let mut visits = vec![Vec::new(); records.cases.len()];
        for record in records.visits.iter().filter(|record| record.complete) {
            if let Some(list) = visits.get_mut(record.visit.case as usize) {
                list.push(record);
            }
        }
        let processes = records.processes.iter().map(|process| (process.process, process)).collect();
        Index { processes, visits }
    }

    /// Returns one variant's measurements of `case`, without the turns of `blame`. `index` is the index of
    /// the case in the records.
    pub(crate) fn measured(
        &self,
        index: usize,
        case: &Case,
        variant: u32,
        blame: Option<&Blame>,
    ) -> Measured {
        let of_variant = |record: &&&VisitRecord| {
            let start = self.processes.get(&record.visit.process);
            start.is_some_and(|start| start.variant == variant)
        };
        let own = self.visits[index].iter().filter(of_variant);
        let at_hand = own.filter_map(|record| {
            let record = record.at_hand();
            match blame {
                None => Some(record),
                Some(blame) => left(&record, case, blame).map(Cow::Owned),
            }
        });
        let at_hand: Vec<Cow<'_, VisitRecord>> = at_hand.collect();
        let mut by_process: BTreeMap<u32, (&ProcessStart, Vec<&VisitRecord>)> = BTreeMap::new();
        for record in &at_hand {
            let Some(start) = self.processes.get(&record.visit.process) else { continue };
            let measured = record.turns.iter().any(|turn| turn.phase == Phase::Measured);
            if measured && !is_other(record) {
                by_process.entry(start.process).or_insert_with(|| (start, Vec::new())).1.push(record);
            }
        }
        let others: Vec<&VisitRecord> =
            at_hand.iter().map(AsRef::as_ref).filter(|record| is_other(record)).collect();
        let mut visits: Vec<Vec<&VisitRecord>> = Vec::new();
        for (process, (_, first)) in &by_process {
            let others = others.iter().filter(|record| record.visit.process == *process);
            visits.push(first.iter().chain(others).copied().collect());
        }
        let replicate = |(start, visits): &(&ProcessStart, Vec<&VisitRecord>)| {
            Replicate::of(start, case, visits.iter().copied())
        };
        let replicates: Vec<Replicate> = by_process.values().map(replicate).collect();
        let processes = by_process.into_keys().collect();
        Measured { replicates, processes, metrics: metrics::by_process(case, &visits) }
    }

    /// Reads measurements written by [`Measured::pack`]. `moved` is the offset that merging added to process
    /// numbers.
    pub(crate) fn unpack(&self, mut from: &[u8], variant: u32, moved: u32) -> Option<Measured> {
        let from = &mut from;
        while !from.is_empty() {
            let (own, length) = (u32::unpack(from)?, u64::unpack(from)? as usize);
            let (mut bytes, rest) = from.split_at_checked(length)?;
            if own == variant {
                return self.taken(&mut bytes, moved);
            }
            *from = rest;
        }
        None
    }

    fn taken(&self, from: &mut &[u8], moved: u32) -> Option<Measured> {
        let processes: Vec<u32> = Vec::unpack(from)?;
        let processes: Vec<u32> = processes.iter().map(|process| process + moved).collect();
        let mut replicates = Vec::with_capacity(processes.len());
        for process in &processes {
            // Merging has renumbered blocks, waves and machines.
            let Replicate { block, unit, wave, .. } = Replicate::started(self.processes.get(process)?);
            replicates.push(Replicate { block, unit, wave, ..packed::unpack(from)? });
        }
        Some(Measured { replicates, processes, metrics: Vec::unpack(from)? })
    }
}

impl Measured {
    pub(crate) fn pack(&self, variant: u32, to: &mut Vec<u8>) {
        let mut own = Vec::new();
        self.processes.pack(&mut own);
        self.replicates.iter().for_each(|replicate| packed::pack(&mut own, replicate));
        self.metrics.pack(&mut own);
        variant.pack(to);
        (own.len() as u64).pack(to);
        to.extend(own);
    }
}

fn left(record: &VisitRecord, case: &Case, blame: &Blame) -> Option<VisitRecord> {
    let measured =
        |record: &VisitRecord| record.turns.iter().filter(|turn| turn.phase == Phase::Measured).count();
    let kept = blame.without(record, case);
    (measured(&kept) >= measured(record).min(LEAST_TURNS)).then_some(kept)
}

fn is_other(record: &VisitRecord) -> bool {
    record.visit.mode.is_some()
}
