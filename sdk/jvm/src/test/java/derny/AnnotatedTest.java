package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tests the meaning of annotations. */
public final class AnnotatedTest {
    static final List<String> EVENTS = new ArrayList<>();

    enum Mode { FAST, SAFE }

    static class Base {
        @Param({"1", "2"})
        int n;

        @Setup
        void base() {
            EVENTS.add("base " + n);
        }
    }

    static class Everything extends Base {
        @Param
        Mode mode;
        @Param
        boolean on;
        @Param({"0.5"})
        double ratio;

        @Setup(Level.BATCH)
        void batch() {
            EVENTS.add("batch " + mode);
        }

        @TearDown
        void teardown() {
            EVENTS.add("teardown");
        }

        @Benchmark(operations = 2, tags = "all")
        int body(Shared shared, Blackhole hole) {
            hole.consume(shared.size);
            EVENTS.add("body " + shared.size + ' ' + ratio + ' ' + on);
            return n;
        }
    }

    @State
    static class Shared {
        @Param("9")
        int size;

        @Setup
        void setup() {
            EVENTS.add("shared");
        }
    }

    void testStatesParametersAndLevels() throws IOException {
        EVENTS.clear();
        Suite suite = new Suite().add(Everything.class);
        String[] lines = Talk.with(suite, "list");
        equal(9, lines.length);
        equal("case benchmark=Everything/body p.n=1 p.mode=FAST p.on=false p.ratio=0.5 p.size=9 group=Everything ops=2 tags=all "
            + "file=derny/AnnotatedTest.java", lines[0]);
        Talk.with(suite, "open benchmark=Everything/body p.n=7 p.mode=SAFE p.on=true p.ratio=2 p.size=3",
            "measure iterations=2 batches=1 within=1000000000", "close");
        equal("[base 7, shared, batch SAFE, body 3 2.0 true, body 3 2.0 true, teardown]", EVENTS.toString());
    }

    static class EachCall {
        int prepared;

        @Setup(Level.ITERATION)
        void prepare() {
            prepared++;
        }

        @Benchmark
        int body() {
            return prepared--;
        }
    }

    static class Inputs {
        int made;

        @Setup(Level.ITERATION)
        StringBuilder input() {
            return new StringBuilder().append(++made);
        }

        @Benchmark
        String body(CharSequence input) {
            EVENTS.add(input.toString());
            return input.toString();
        }
    }

    void testSetUpBeforeEachIteration() throws IOException {
        that(Talk.with(new Suite().add(EachCall.class), "list")[0].contains(" max_iterations=1"), "one call per batch");
        EVENTS.clear();
        Suite suite = new Suite().add(Inputs.class);
        that(!Talk.with(suite, "list")[0].contains("max_iterations"), "inputs are made beforehand");
        Talk.with(suite, "open benchmark=Inputs/body", "measure iterations=3 batches=1 within=1000000000", "close");
        equal("[1, 2, 3]", EVENTS.toString());
    }

    static class Unknown {
        @Benchmark
        void body(List<String> from) {
        }
    }

    static class Private {
        @Benchmark
        private void body() {
        }
    }

    void testMisuseIsRefusedInWords() {
        that(Tests.thrownBy(() -> new Suite().add(Unknown.class)).contains("nothing provides its parameter java.util.List"), "unknown");
        that(Tests.thrownBy(() -> new Suite().add(Private.class)).contains("must not be private"), "private");
        that(Tests.thrownBy(() -> new Suite().add(String.class)).contains("no method with @Benchmark"), "no benchmarks");
    }

    static class Self {
        @Param("5")
        long us;

        @Benchmark
        void body(Timer timer) {
            timer.start();
            timer.stop(timer.iterations() * us);
        }
    }

    void testABodyWithATimerTimesItself() throws IOException {
        Suite suite = new Suite().add(Self.class);
        that(Talk.with(suite, "list")[0].contains(" timing=self again=1"), "timing=self");
        String[] lines = Talk.with(suite, "open benchmark=Self/body p.us=5", "measure iterations=3 batches=2 within=1000000000");
        equal("ops 15 15", lines[2]);
    }
}
