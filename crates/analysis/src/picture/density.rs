//! Charts of distributions.

use super::facts::{facts, name, variants};
use super::quantity::Quantified;
use super::trace::traces;
use derny_model::picture::{Curve, Panel, Picture, ProcessTrace, Shape, TurnPoint};
use derny_model::{CaseResult, Document, Phase, Records};
use derny_stats::density::smooth;
use derny_stats::quantile;

const PLACES: usize = 160;

/// Returns a chart with the density of turn values for every case and variant. Ends at the 99th percentile,
/// because a single preempted turn would squeeze all others into a line.
pub fn densities(document: &Document, records: &Records) -> Picture {
    let series = variants(document);
    let several = document.suites.len() > 1;
    let cases: Vec<&CaseResult> = document.cases().collect();
    let panels = traces(document, records).into_iter().filter_map(|trace| {
        let case = cases[trace.case];
        let curves = curves(document, case, &trace.processes, &series);
        (!curves.is_empty()).then(|| Panel { name: name(case, several), content: curves })
    });
    let panels = panels.collect();
    let mut facts = facts(document);
    facts.push("distribution of turns; one tick per process".to_owned());
    Picture {
        title: "Distributions".to_owned(),
        facts,
        quantity: Quantified::new("time", false).words(),
        unit: "ns".to_owned(),
        series,
        log: false,
        shape: Shape::Densities(panels),
    }
}

fn curves(
    document: &Document,
    case: &CaseResult,
    processes: &[ProcessTrace],
    series: &[String],
) -> Vec<Curve> {
    let of = |name: &str| {
        let variant = document.run.variants.iter().position(|variant| variant.name == name);
        let own = processes.iter().filter(move |process| Some(process.variant as usize) == variant);
        let measured = |turn: &&TurnPoint| turn.phase == Phase::Measured;
        own.flat_map(|process| &process.turns).filter(measured).map(|turn| turn.value).collect::<Vec<f64>>()
    };
    let samples: Vec<Vec<f64>> = series.iter().map(|name| of(name)).collect();
    let all = quantile::sorted(&samples.concat());
    let Some(least) = all.first() else { return Vec::new() };
    let most = quantile::quantile(&all, 0.99);
    let reach = 0.08 * (most - least);
    let (lo, hi) = ((least - reach).max(0.0), most + reach);
    let one = |(place, values): (usize, &Vec<f64>)| {
        let points = smooth(values, lo, hi, PLACES);
        let result = case.variants.iter().find(|result| result.variant == series[place])?;
        let processes = result.time.iter().flat_map(|time| &time.processes).map(|process| process.time_ns);
        let above = values.iter().filter(|value| **value > hi).count() as u32;
        (!points.is_empty()).then(|| Curve { series: place, points, processes: processes.collect(), above })
    };
    samples.iter().enumerate().filter_map(one).collect()
}
