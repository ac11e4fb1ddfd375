//! Handles each verb of the conversation and keeps the open case. Does not time bodies.

use crate::panics::{catch, Failure};
use crate::params::Params;
use crate::registry::{Benchmark, Spec, Suite};
use crate::turns::{found, Answer, Order, Turns};
use crate::wire::{Line, Message, Streams};
use std::path::{Path, PathBuf};

/// Serves the engine until `quit` or the end of the stream. `package` is the folder of the package that
/// contains the benchmarks.
///
/// # Errors
///
/// Fails if the conversation cannot continue. The error message has then been sent to the engine, if
/// possible.
pub fn speak(
    mut streams: Streams,
    define: impl FnOnce(&mut Suite),
    package: Option<&str>,
) -> Result<(), String> {
    let mut suite = Suite::default();
    if let Err(failure) = catch(|| define(&mut suite)) {
        return fatal(&mut streams, &failure);
    }
    let mut session = Session {
        suite,
        package: package.map(PathBuf::from),
        open: None,
        was_open: false,
        turns: Turns::new(),
    };
    let lost = |error: std::io::Error| format!("cannot write replies: {error}");
    streams.write(session.turns.hello()?).map_err(lost)?;
    loop {
        let line = match streams.read() {
            Ok(Some(line)) => line,
            Ok(None) => return Ok(()),
            Err(why) => return fatal(&mut streams, &Failure::from(why)),
        };
        if Message::verb_of(&line) == "quit" {
            session.quit();
            return Ok(());
        }
        let answer = session.answer(&line).or_else(|failure| error(&failure).finish())?;
        streams.write(answer).map_err(lost)?;
    }
}

fn error(failure: &Failure) -> Line {
    Line::error(&failure.message, failure.detail.as_deref())
}

/// Sends the engine an error that ends the conversation. Returns the error's message as `Err`.
fn fatal(streams: &mut Streams, failure: &Failure) -> Result<(), String> {
    // If the engine has ended, the caller still prints the message.
    let _ = streams.write(error(failure).field("fatal", 1).finish()?);
    Err(failure.message.clone())
}

struct Session {
    suite: Suite,
    package: Option<PathBuf>,
    open: Option<usize>,
    was_open: bool,
    turns: Turns,
}

impl Session {
    fn answer(&mut self, line: &str) -> Answer {
        let verb = Message::verb_of(line);
        if !["list", "open", "check", "measure", "overhead", "close"].contains(&verb) {
            return Ok(Line::new("unsupported").field("verb", verb).finish()?);
        }
        let message = Message::parse(line)?;
        match verb {
            "list" => self.list(&message),
            "open" => self.open(&message),
            "check" => self.check(),
            "measure" => self.measure(&message),
            "overhead" => self.overhead(&message),
            _ => self.close(),
        }
    }

    fn list(&mut self, message: &Message) -> Answer {
        if self.was_open {
            return Err("list: only allowed before the first open".to_owned().into());
        }
        let given = message.param_lists();
        let is_test = message.get("mode").as_deref() == Some("test");
        let mut lines = String::new();
        for benchmark in self.suite.benchmarks() {
            let spec = benchmark.spec();
            let cases = catch(|| spec.cases(&given))?;
            // In test mode, one case of each benchmark is enough.
            let most = if is_test { 1 } else { usize::MAX };
            for params in cases.iter().take(most) {
                lines.push_str(&catch(|| case(spec, params, self.package.as_deref()))??);
                lines.push('\n');
            }
        }
        lines.push_str("end");
        Ok(lines)
    }

    fn open(&mut self, message: &Message) -> Answer {
        if self.open.is_some() {
            return Err("open: a case is open already".to_owned().into());
        }
        let name = message.needed("benchmark")?;
        let position =
            self.suite.position(&name).ok_or_else(|| format!("open: there is no benchmark {name}"))?;
        let benchmark = self.suite.benchmark(position);
        let params = in_order(benchmark.spec(), message.params())?;
        if let Some(reason) = catch(|| benchmark.spec().skip.as_ref().and_then(|skip| skip(&params)))? {
            return Ok(Line::new("skip").field("reason", reason).finish()?);
        }
        catch(|| benchmark.open(&params))?;
        (self.open, self.was_open) = (Some(position), true);
        Ok("opened".to_owned())
    }

    fn opened(&mut self, verb: &str) -> Result<(&mut Turns, &mut dyn Benchmark), String> {
        let position = self.open.ok_or_else(|| format!("{verb}: no case is open"))?;
        Ok((&mut self.turns, self.suite.benchmark(position)))
    }

    fn check(&mut self) -> Answer {
        self.opened("check").map(|(turns, benchmark)| turns.check(benchmark))?
    }

    fn measure(&mut self, message: &Message) -> Answer {
        let order = Order::measure(message)?;
        self.opened("measure").map(|(turns, benchmark)| turns.measure(order, benchmark))?
    }

    fn overhead(&mut self, message: &Message) -> Answer {
        let order = Order::overhead(message)?;
        self.opened("overhead").map(|(turns, benchmark)| turns.overhead(order, benchmark))?
    }

    fn close(&mut self) -> Answer {
        self.opened("close")?;
        let closed = self.tear_down();
        closed.map(|()| "closed".to_owned())
    }

    /// Closes the open case, if there is one, even if its tear-down fails.
    fn tear_down(&mut self) -> Result<(), Failure> {
        match self.open.take() {
            Some(position) => catch(|| self.suite.benchmark(position).close()),
            None => Ok(()),
        }
    }

    fn quit(&mut self) {
        // Ignore a failing tear-down, because the engine already has all results.
        let _ = self.tear_down();
    }
}

/// Returns the given values in the order of the benchmark's parameters. Fails if one is missing or its
/// parameter is unknown.
fn in_order(spec: &Spec, mut given: Vec<(String, String)>) -> Result<Params, String> {
    let mut values = Vec::new();
    for axis in &spec.axes {
        let position = given.iter().position(|(name, _)| *name == axis.name);
        let position =
            position.ok_or_else(|| format!("open: {} needs a value of {}", spec.name, axis.name))?;
        values.push(given.swap_remove(position));
    }
    match given.first() {
        Some((name, _)) => Err(format!("open: {} has no parameter {name}", spec.name)),
        None => Ok(Params::new(values)),
    }
}

fn case(spec: &Spec, params: &Params, package: Option<&Path>) -> Result<String, String> {
    let mut line = Line::new("case").field("benchmark", &spec.name);
    for (name, value) in params.iter() {
        line = line.field(&format!("p.{name}"), value);
    }
    let amounts = [("ops", &spec.ops), ("bytes", &spec.bytes), ("items", &spec.items)];
    for (key, amount) in amounts {
        if let Some(amount) = amount {
            line = line.field(key, amount(params));
        }
    }
    if let Some(unit) = &spec.unit {
        line = line.field("unit", unit);
    }
    if let Some(most) = spec.max_iterations {
        line = line.field("max_iterations", most);
    }
    if spec.isolate {
        line = line.field("isolate", 1);
    }
    line = line.list("env", &spec.env).list("metrics", &spec.metrics).list("tags", &spec.tags);
    if let Some(group) = &spec.group {
        line = line.field("group", group);
    }
    if let Some(place) = spec.place {
        line = line.field("file", found(place.file(), package).display()).field("line", place.line());
    }
    line.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CountingAllocator;
    use std::cell::Cell;
    use std::rc::Rc;

    #[global_allocator]
    static ALLOCATOR: CountingAllocator = CountingAllocator::system();

    fn session(define: impl FnOnce(&mut Suite)) -> Session {
        let mut suite = Suite::default();
        define(&mut suite);
        Session { suite, package: None, open: None, was_open: false, turns: Turns::new() }
    }

    fn end_of(session: &mut Session, line: &str) -> String {
        let reply = session.answer(line).expect("a turn");
        reply.lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn allocations_of_the_timed_region_are_counted_and_no_others() {
        let mut session = session(|suite| {
            suite.bench("none", || 1);
            suite.bench("one", || Vec::<u8>::with_capacity(100));
            suite
                .define("grown")
                .setup(|_| vec![0_u8; 5000])
                .before_batch(|list, _| list.truncate(4000))
                .fresh(|list| list.clone())
                .run(|mut list| {
                    list.reserve_exact(6000 - list.len());
                    list
                });
        });
        assert!(session.turns.counts());
        for (name, bytes, calls) in [("none", 0, 0), ("one", 100, 1), ("grown", 2000, 1)] {
            session.answer(&format!("open benchmark={name}")).expect("it opens");
            for _ in 0..2 {
                let end = end_of(&mut session, "measure iterations=1500 batches=3 within=9000000000");
                assert_eq!(end, format!("end {} {}", 4500 * bytes, 4500 * calls), "{name}");
            }
            session.answer("close").expect("it closes");
        }
    }

    #[test]
    fn the_last_result_is_hashed_if_the_turn_wants_it() {
        let calls = Rc::new(Cell::new(0_u64));
        let mut session = session(|suite| {
            for drop_outside in [false, true] {
                let calls = Rc::clone(&calls);
                let defined = suite.define(&drop_outside.to_string());
                let defined = if drop_outside { defined.drop_outside() } else { defined };
                defined.run_hashed(move || {
                    calls.set(calls.get() + 1);
                    vec![calls.get()]
                });
            }
        });
        for name in ["false", "true"] {
            session.answer(&format!("open benchmark={name}")).expect("it opens");
            let end = end_of(&mut session, "measure iterations=300 batches=2 within=9000000000");
            assert_eq!(end, "end 4800 600");
            let end = end_of(&mut session, "measure iterations=5 batches=2 within=9000000000 hash=1");
            let hash = crate::hash::of(&vec![610_u64]);
            assert_eq!(end, format!("end 80 10 hash={hash:016x}"));
            assert_eq!(calls.take(), 610);
            session.answer("close").expect("it closes");
        }
    }

    #[test]
    fn a_case_says_all_that_was_defined() {
        let mut session = session(|suite| {
            suite.group("a", |suite| {
                suite
                    .define("b")
                    .param("n", [2, 3])
                    .filter(|params| params.get::<u32>("n") > 2)
                    .ops(|_| 4)
                    .bytes(|params| params.get("n"))
                    .unit("word")
                    .tags(&["x,y", "z"])
                    .env("K", "v")
                    .isolate()
                    .max_iterations(1)
                    .run(|| {});
            });
        });
        let list = session.answer("list").expect("cases");
        let (case, end) = list.split_once('\n').expect("two lines");
        let wanted = "case benchmark=a/b p.n=3 ops=4 bytes=3 unit=word max_iterations=1 isolate=1 env=K%3Dv \
                      tags=x%2Cy,z group=a file=src/session.rs line=";
        assert!(case.starts_with(wanted) && end == "end", "{list}");
        let failure = session.answer("list p.n=many").expect_err("no number");
        assert_eq!(failure.message, "panic: the parameter n is not of type u32: `many`");
    }

    #[test]
    fn a_parameter_is_needed_and_a_strange_one_refused() {
        let mut session = session(|suite| suite.define("a").param("n", [1]).run(|| {}));
        for line in ["open benchmark=a", "open benchmark=a p.n=1 p.m=2", "open benchmark=b"] {
            assert!(session.answer(line).is_err(), "{line}");
        }
        assert_eq!(session.answer("open benchmark=a p.n=7"), Ok("opened".to_owned()));
    }
}
