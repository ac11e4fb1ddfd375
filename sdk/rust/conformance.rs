//! Benchmarks that `derny dev conform` runs. Their correct results are in
//! protocol/IMPLEMENTING.md.

use derny_bench::{Better, CountingAllocator, Kind, Params, Suite};
use std::cell::Cell;
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

fn busy(us: u64) {
    let start = Instant::now();
    let wait = Duration::from_micros(us);
    while start.elapsed() < wait {}
}

fn fail_at(place: &str, params: &Params) {
    if params.text("at") == place {
        panic!("thrown in {place}");
    }
}

fn conform(suite: &mut Suite) {
    suite.bench("empty", || {});

    suite.define("busy").param("us", [20, 200]).setup(|params| params.get("us")).run(|us| busy(*us));

    let calls = Rc::new(Cell::new(0_u64));
    let counter = Rc::clone(&calls);
    suite
        .define("count")
        .setup(|_| ())
        .exact_metric("calls", "count", Kind::Total, Better::Neither, move |()| calls.take() as f64)
        .run(move |()| counter.set(counter.get() + 1));

    suite.define("setup").setup(|_| ()).before_batch(|(), _| busy(2000)).run(|()| busy(20));

    suite
        .define("params")
        .param("size", [1, 2])
        .param("kind", ["a", "b"])
        .filter(|params| !(params.text("size") == "2" && params.text("kind") == "b"))
        .run(|| {});

    suite
        .define("text")
        .param("text", ["plain"])
        .setup(|params| params.text("text").to_owned())
        .run_hashed(|text| text.clone());

    suite
        .define("throw")
        .param("at", ["setup", "call", "teardown"])
        .setup(|params| {
            fail_at("setup", params);
            params.clone()
        })
        .teardown(|params| fail_at("teardown", &params))
        .run(|params| fail_at("call", params));

    suite.bench("print", || {
        writeln!(std::io::stdout(), "times 1 2 3").expect("standard output is open");
        writeln!(std::io::stderr(), "error message=printed fatal=1").expect("standard error is open");
    });

    suite.define("skip").skip(|_| Some("not here".to_owned())).run(|| {});
}

derny_bench::main!(grouped);

fn grouped(suite: &mut Suite) {
    suite.group("conform", conform);
}
