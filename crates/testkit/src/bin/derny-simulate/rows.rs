//! Rows of the tables: scenes of one case, and families of cases.

use crate::scenes::PAIRS;
use derny_model::Collector;
use derny_testkit::simulator::scene::{Cycle, Pauses, Scene, Side, Visit};

pub struct Row {
    pub name: &'static str,
    pub scene: Scene,
    /// Number of pairs after which the budget is used up.
    pub most: usize,
    /// True if no rule can measure the scene's mean time, because parts of it are rare or not due to the
    /// program.
    pub is_beyond: bool,
}

fn of(change: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = Scene { process: 0.005, ..Scene::default() };
    change(&mut scene);
    scene
}

/// Returns a scene with pauses of 10 ms in 1 % of the second side's turns. The arguments are the
/// numbers of warm-up and measured turns.
fn pausing(warm_up: u32, rounds: u32) -> Scene {
    of(|scene| {
        scene.sides[1].pauses = Pauses { share: 0.01, ns: 1e7 };
        (scene.warm_up, scene.rounds) = (warm_up, rounds);
    })
}

fn both(mut scene: Scene) -> Scene {
    scene.sides[0] = scene.sides[1];
    scene
}

/// Returns a scene with counted collections, whose visits have complete cycles of up to `most` turns.
fn counted(scene: Scene, most: u32) -> Scene {
    Scene { collector: Collector::Counted, visit: Visit::Whole(most), ..scene }
}

/// Returns a scene with a regular collector on both sides. The arguments are the number of turns per
/// cycle and the duration of a collection in ms.
fn cycles(turns: f64, ms: f64) -> Scene {
    let scene = of(|scene| {
        scene.sides[1].cycle = Some(Cycle { turns, ns: 1e6 * ms });
        scene.warm_up = 3 * turns as u32;
    });
    counted(both(scene), 400)
}

fn preempted(base: f64, new: f64, ms: f64) -> Scene {
    let side = |share| Side { preempted: Pauses { share, ns: 1e6 * ms }, ..Side::default() };
    of(|scene| scene.sides = [side(base), side(new)])
}

pub fn rows() -> Vec<Row> {
    let order = |scene: &mut Scene| scene.order = 0.03;
    let modes = |scene: &mut Scene| scene.modes = (0.3, 0.2);
    let warming = |turns| of(|scene| scene.sides[1].warming = (turns, 0.3));
    let new = |scene: Scene, cycle| {
        let mut scene = scene;
        scene.sides[1].cycle = Some(cycle);
        scene
    };
    let mut none = cycles(20.0, 4.0);
    none.sides[0].cycle = None;
    let rows = [
        ("nothing differs", of(|_| ()), PAIRS),
        ("nothing differs, processes by 1.5 %", Scene::default(), PAIRS),
        ("+1 %", of(|_| ()).slower(0.01), PAIRS),
        ("+2 %, processes by 1.5 %", Scene::default().slower(0.02), PAIRS),
        ("bimodal turns", of(modes), PAIRS),
        ("bimodal turns, +2 %", of(modes).slower(0.02), PAIRS),
        ("the machine drifts by 10 %", of(|scene| scene.drift = 0.1), PAIRS),
        ("launch order ±3 %", of(order), PAIRS),
        ("launch order ±3 %, +2 %", of(order).slower(0.02), PAIRS),
        ("launch order ±3 %, +2 %, time over at 11 pairs", of(order).slower(0.02), 11),
        ("one side compiles in 8 of 12 turns", warming(8), PAIRS),
        ("one side compiles in 3 of 12 turns", warming(3), PAIRS),
        ("time over at 10 pairs", Scene::default(), 10),
        ("time over at 10 pairs, +2 %", Scene::default().slower(0.02), 10),
        ("rare pauses, 12 turns, seldom seen", pausing(20, 12), PAIRS),
        ("rare pauses, 12 turns, seen in warm-up", pausing(400, 12), PAIRS),
        ("rare pauses, 48 turns, seen in warm-up", pausing(400, 48), PAIRS),
        ("rare pauses, 96 turns, seen in warm-up", pausing(400, 96), PAIRS),
        ("rare pauses on both sides, 48 turns, seen in warm-up", both(pausing(400, 48)), PAIRS),
        ("rare pauses that are collections, whole cycles", counted(pausing(400, 12), 1000), PAIRS),
        ("the same on both sides", counted(both(pausing(400, 12)), 1000), PAIRS),
        ("cycles of 20 turns", cycles(20.0, 4.0), PAIRS),
        ("cycles of 20 turns, +2 %", cycles(20.0, 4.0).slower(0.02), PAIRS),
        ("collections take twice as long", new(cycles(20.0, 4.0), Cycle { turns: 20.0, ns: 8e6 }), PAIRS),
        ("cycles of 60 turns and of 5", new(cycles(60.0, 4.8), Cycle { turns: 5.0, ns: 4e5 }), PAIRS),
        ("cycles of 60 turns, 48 turns a visit", Scene { rounds: 48, ..cycles(60.0, 10.0) }, PAIRS),
        (
            "cycles of 100 turns, 12 at a random place",
            Scene { visit: Visit::AtRandom, ..cycles(100.0, 10.0) },
            PAIRS,
        ),
        ("more than one pair in twenty has no whole cycle", counted(cycles(100.0, 10.0), 180), PAIRS),
        ("the base allocates nothing", none, PAIRS),
        ("1 % of turns preempted for 2 ms", preempted(0.01, 0.01, 2.0), PAIRS),
        ("1 % of turns preempted, and 5 %", preempted(0.01, 0.05, 1.0), PAIRS),
        ("1 % of turns preempted, and 30 %", preempted(0.01, 0.3, 1.0), PAIRS),
    ];
    let beyond = |name: &str| ["seldom", "compiles", "preempted, and"].iter().any(|word| name.contains(word));
    rows.map(|(name, scene, most)| Row { name, scene, most, is_beyond: beyond(name) }).into()
}

pub struct Family {
    pub name: &'static str,
    pub cases: usize,
    pub changed: usize,
    pub change: f64,
    pub gate: bool,
    pub scene: Scene,
    /// Number of runs relative to that of a single case.
    pub share: f64,
    /// Minimum share of changes to detect, or of gates that must fail.
    pub least: Option<f64>,
}

pub fn families() -> Vec<Family> {
    let family = |name, cases, changed, change| {
        let (gate, scene, share, least) = (false, Scene::default(), 1.0, None);
        Family { name, cases, changed, change, gate, scene, share, least }
    };
    // The ratios of pairs in this scene have a standard deviation of 1 %.
    let quiet = || Scene { process: 0.007, ..Scene::default() };
    let gate =
        |name, changed, change, scene| Family { gate: true, scene, ..family(name, 20, changed, change) };
    let finds = |least, family| Family { least: Some(least), ..family };
    let order = Scene { order: 0.03, ..quiet() };
    vec![
        family("10 cases, none changed", 10, 0, 0.0),
        finds(0.98, family("10 cases, 3 changed by 2 %", 10, 3, 0.02)),
        finds(0.97, family("24 cases, 3 changed by 2 %", 24, 3, 0.02)),
        finds(0.97, Family { share: 0.2, ..family("100 cases, 9 changed by 2 %", 100, 9, 0.02) }),
        Family { share: 0.2, ..family("100 cases, 5 changed by 1 %", 100, 5, 0.01) },
        gate("gate over 20 cases, none changed", 0, 0.0, quiet()),
        finds(0.97, gate("gate over 20 cases, one worse by 2 %", 1, 0.02, quiet())),
        gate("gate over 20 cases, one worse by 1 %", 1, 0.01, quiet()),
        Family { least: Some(0.0), ..gate("the same by 2 %, processes by 1.5 %", 1, 0.02, Scene::default()) },
        Family { cases: 200, share: 0.1, ..gate("gate over 200 cases, launch order ±3 %", 0, 0.0, order) },
    ]
}
