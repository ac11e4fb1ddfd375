package derny;

import java.util.concurrent.atomic.AtomicLong;

/** The benchmarks that `derny dev conform` runs; see protocol/IMPLEMENTING.md. Half of them are annotated. */
public final class Conformance {
    private Conformance() {}

    public static void main(String[] args) {
        Suite suite = new Suite();
        suite.group("conform", () -> define(suite));
        suite.add(Throws.class).add(Counts.class).add(Busy.class).add(Combinations.class).add(Answers.class);
        suite.main();
    }

    static void busy(long us) {
        long end = System.nanoTime() + us * 1000;
        while (System.nanoTime() < end) {
            // Spin until the time is over.
        }
    }

    private static void define(Suite suite) {
        suite.bench("empty", () -> { });

        suite.define("setup").beforeBatch((params, iterations) -> busy(2000)).run(() -> busy(20));

        suite.define("text").param("text", "plain").setup(params -> params.text("text")).run(text -> text);

        suite.bench("print", () -> {
            System.out.println("times 1 2 3");
            System.err.println("error message=printed fatal=1");
        });

        suite.define("self").param("us", 20).runSelfTimed((timer, params) -> {
            timer.start();
            for (long i = 0; i < timer.iterations(); i++) busy(params.number("us"));
            timer.stop();
        });

        suite.define("skip").skip(params -> "not here").run(() -> { });
    }

    public static class Busy {
        @Param({"20", "200"})
        public long us;

        @Benchmark("conform/busy")
        public void busy() {
            Conformance.busy(us);
        }
    }

    public static class Counts {
        private final AtomicLong calls = new AtomicLong();

        @Benchmark("conform/count")
        public void count() {
            calls.incrementAndGet();
        }

        @Metric(unit = "count", kind = Kind.TOTAL, exact = true)
        public long calls() {
            return calls.getAndSet(0);
        }
    }

    public static class Combinations {
        @Param({"1", "2"})
        public int size;
        @Param({"a", "b"})
        public String kind;

        @Filter
        public boolean isKept() {
            return !(size == 2 && kind.equals("b"));
        }

        @Benchmark("conform/params")
        public void params() {
        }
    }

    public static class Throws {
        @Param({"setup", "call", "teardown"})
        public String at;

        private void failAt(String place) {
            if (at.equals(place)) throw new IllegalStateException("thrown in " + place);
        }

        @Setup
        public void setup() {
            failAt("setup");
        }

        @TearDown
        public void teardown() {
            failAt("teardown");
        }

        @Benchmark("conform/throw")
        public void call() {
            failAt("call");
        }
    }

    public static class Answers {
        @Metric(better = Better.MORE, exact = true)
        public int answer() {
            return 42;
        }

        @Benchmark(value = "conform/value", untimed = true)
        public void value() {
        }
    }
}
