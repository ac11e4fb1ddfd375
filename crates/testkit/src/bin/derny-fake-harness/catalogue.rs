//! The benchmarks of the scripted harness, and their cases.

use crate::args::{Settings, Twins};
use crate::body::Kind;
use derny_protocol::{Case, Direction, Kind as Values, Metric, Timing};

/// The name that two benchmarks share.
pub const TWIN: &str = "conform/twin";

pub struct Benchmark {
    pub name: String,
    pub kind: Kind,
    axes: Vec<(&'static str, &'static [&'static str])>,
}

pub fn benchmarks(settings: &Settings) -> Vec<Benchmark> {
    let plain = |name: &str, kind| Benchmark { name: name.to_owned(), kind, axes: Vec::new() };
    let with = |name: &str, kind, axis, values| Benchmark { axes: vec![(axis, values)], ..plain(name, kind) };
    let mut all = Vec::new();
    if let Some(count) = settings.cases {
        all.extend((1..=count).map(|number| plain(&format!("fake/copy-{number:03}"), Kind::Steady)));
    } else {
        all.push(plain("fake/steady", Kind::Steady));
        all.push(plain("fake/work", Kind::Work));
        all.push(with("fake/sized", Kind::Sized, "n", &["1", "2"]));
        all.push(plain("fake/slow", Kind::Slow));
    }
    if settings.conform {
        all.push(plain("conform/empty", Kind::Empty));
        all.push(with("conform/busy", Kind::Busy, "us", &["20", "200"]));
        all.push(plain("conform/count", Kind::Count));
        all.push(plain("conform/setup", Kind::Setup));
        let axes: Vec<(_, &[_])> = vec![("size", &["1", "2"]), ("kind", &["a", "b"])];
        all.push(Benchmark { axes, ..plain("conform/params", Kind::Params) });
        all.push(with("conform/text", Kind::Text, "text", &["plain"]));
        all.push(with("conform/throw", Kind::Throw, "at", &["setup", "call", "teardown"]));
        all.push(plain("conform/print", Kind::Print));
        all.push(with("conform/self", Kind::SelfTimed, "us", &["20"]));
        all.push(plain("conform/value", Kind::Value));
        all.push(plain("conform/skip", Kind::Skip));
        all.push(plain("conform/report", Kind::Report));
        all.push(plain(TWIN, Kind::Twin));
    }
    all
}

impl Benchmark {
    /// Returns the cases of the benchmark. Values in `given` replace its own values.
    pub fn cases(&self, given: &[(String, Vec<String>)], test: bool, settings: &Settings) -> Vec<Case> {
        let mut products = vec![Vec::new()];
        for (axis, own) in &self.axes {
            let given = given.iter().find(|(name, _)| name == axis).map(|(_, values)| values.clone());
            let own = own.iter().take(if test { 1 } else { own.len() });
            let values = given.unwrap_or_else(|| own.map(|value| (*value).to_owned()).collect());
            let extend = |product: &Vec<(String, String)>| {
                let pair =
                    |value: &String| [product.clone(), vec![((*axis).to_owned(), value.clone())]].concat();
                values.iter().map(pair).collect::<Vec<_>>()
            };
            products = products.iter().flat_map(extend).collect();
        }
        products.retain(|params| self.kind != Kind::Params || !is_excluded(params));
        let cases = products.into_iter().map(|params| self.case(params, settings));
        if self.kind == Kind::Twin {
            cases.flat_map(|case| twins(&case, settings)).collect()
        } else {
            cases.collect()
        }
    }

    fn case(&self, params: Vec<(String, String)>, settings: &Settings) -> Case {
        let metric = |name: &str, kind, direction| Metric {
            name: name.to_owned(),
            unit: "count".to_owned(),
            kind,
            direction,
            exact: true,
        };
        let scale = settings.scale.filter(|_| self.kind == Kind::Sized).map(|_| "n".to_owned());
        let is_self =
            self.kind == Kind::SelfTimed || scale.is_some() || (settings.self_timed && self.kind.is_fake());
        Case {
            benchmark: self.name.clone(),
            params,
            timing: if is_self { Timing::SelfTimed } else { Timing::Loop },
            again: is_self,
            scale,
            runner: settings.runner.clone().filter(|_| self.kind.is_fake()),
            max_iterations: (self.kind == Kind::Setup).then_some(100),
            metrics: match self.kind {
                Kind::Count => vec![metric("calls", Values::Total, Direction::None)],
                Kind::Value => vec![metric("answer", Values::Level, Direction::More)],
                kind if kind.is_fake() => settings.metrics.iter().map(|(metric, _)| metric.clone()).collect(),
                _ => Vec::new(),
            },
            file: Some(file!().to_owned()),
            ..Case::default()
        }
    }
}

/// Returns two cases with the same name. With `--twins=alike`, nothing distinguishes them.
fn twins(case: &Case, settings: &Settings) -> [Case; 2] {
    ["first", "second"]
        .map(|at| Case { at: (settings.twins != Some(Twins::Alike)).then(|| at.to_owned()), ..case.clone() })
}

fn is_excluded(params: &[(String, String)]) -> bool {
    let value = |name: &str| params.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    value("size") == Some("2") && value("kind") == Some("b")
}
