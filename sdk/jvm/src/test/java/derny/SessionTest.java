package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Tests the builder and the conversation beyond the protocol's test vectors. */
final class SessionTest {
    void testTheFieldsOfACase() throws IOException {
        Suite suite = Talk.suite(s -> s.group("g", () -> s.define("x").param("n", 1, 2).param("ratio", 0.5).operations(p -> p.real("n") / 2)
            .unit("row").bytes(p -> 8 * p.number("n")).jvmArgs("-Xmx1g", "-Da=b,c").tags("slow").isolate().maxIterations(1).place("X.java", 7).run(() -> { })));
        String[] lines = Talk.with(suite, "list mode=test");
        equal("case benchmark=g/x p.n=1 p.ratio=0.5 group=g ops=0.5 unit=row bytes=8 args=-Xmx1g,-Da%3Db%2Cc tags=slow isolate=1 "
            + "max_iterations=1 file=X.java line=7", lines[0]);
        equal("end", lines[1]);
    }

    void testHooksRunAroundEveryBatch() throws IOException {
        List<String> events = new ArrayList<>();
        Suite suite = Talk.suite(s -> s.define("x").setup(params -> events)
            .beforeBatch((list, n) -> list.add("before " + n)).afterBatch((list, n) -> list.add("after"))
            .teardown(list -> list.add("teardown")).runVoid(list -> list.add("body")));
        Talk.with(suite, "open benchmark=x", "measure iterations=2 batches=2 within=1000000000", "close");
        equal("[before 2, body, body, after, before 2, body, body, after, teardown]", events.toString());
    }

    void testFreshInputsAreMadeBeforehandAndUsedOnce() throws IOException {
        List<Object> used = new ArrayList<>();
        int[] made = {0};
        Suite suite = Talk.suite(s -> s.define("x").fresh(params -> ++made[0]).run(input -> used.add(input)));
        String[] lines = Talk.with(suite, "open benchmark=x", "measure iterations=3 batches=2 within=1000000000 hash=1", "check", "close");
        that(lines[2].contains("hash="), lines[2]);
        // The turn calls the body six times, and the check once.
        equal("[1, 2, 3, 4, 5, 6, 7]", used.toString());
    }

    void testEqualResultsHaveEqualHashes() throws IOException {
        Suite suite = Talk.suite(s -> {
            s.bench("one", () -> new java.util.TreeSet<>(java.util.Arrays.asList("a", "b")));
            s.bench("same", () -> new java.util.HashSet<>(java.util.Arrays.asList("b", "a")));
            s.bench("other", () -> new java.util.HashSet<>(java.util.Arrays.asList("b", "c")));
            s.bench("endless", () -> java.util.stream.Stream.iterate(1, i -> i + 1));
        });
        List<String> hashes = new ArrayList<>();
        for (String name : new String[] {"one", "same", "other", "endless"}) {
            hashes.add(Talk.with(suite, "open benchmark=" + name, "check")[1]);
        }
        equal(hashes.get(0), hashes.get(1));
        that(!hashes.get(0).equals(hashes.get(2)), "different sets");
        that(hashes.get(3).matches("checked hash=[0-9a-f]{16}"), hashes.get(3));
    }

    void testALoopOfItsOwnIsDriven() throws IOException {
        int[] calls = {0};
        Loop own = new Loop() {
            @Override
            public long batch(int iterations) {
                calls[0] += iterations;
                return 10L * iterations;
            }

            @Override
            public Object once() {
                calls[0]++;
                return "last";
            }
        };
        Suite suite = Talk.suite(s -> s.define("x").param("n", 1).setup(params -> params).loop(params -> own));
        String[] lines = Talk.with(suite, "open benchmark=x p.n=4", "measure iterations=7 batches=3 within=1000000000");
        equal("times 70 70 70", lines[1]);
        equal(21, calls[0]);
    }

    void testTheOverheadOfABodyThatTimesItselfIsThatOfItsTimer() throws IOException {
        int[] calls = {0};
        Suite suite = Talk.suite(s -> s.define("x").runSelfTimed((timer, params) -> calls[0]++));
        String[] lines = Talk.with(suite, "open benchmark=x", "overhead iterations=70 batches=3", "overhead iterations=1 batches=4096", "close");
        that(lines[1].matches("times( [0-9]+){3}"), lines[1]);
        equal("ops 70 70 70", lines[2]);
        that(lines[5].length() < Wire.LINE_LIMIT, "a line of " + lines[5].length());
        equal(0, calls[0]);
    }

    void testATurnOfLongTimesFitsItsLine() throws IOException {
        Suite suite = Talk.suite(s -> s.define("x").runSelfTimed((timer, params) -> {
            timer.start();
            timer.stop(Math.PI * 1e-7);
        }));
        String[] lines = Talk.with(suite, "open benchmark=x", "measure iterations=1 batches=4096 within=60000000000");
        that(lines[2].length() < Wire.LINE_LIMIT, "a line of " + lines[2].length());
        equal(lines[1].split(" ").length, lines[2].split(" ").length);
    }

    void testAnErrorOfTheVirtualMachineEndsTheConversation() throws IOException {
        Suite suite = Talk.suite(s -> {
            s.bench("memory", (Body.OfVoid) () -> {
                throw new OutOfMemoryError("not really");
            });
            s.bench("depth", (Body.OfVoid) () -> {
                throw new StackOverflowError();
            });
        });
        String[] lines = Talk.with(suite, "open benchmark=memory", "measure iterations=1 batches=1", "close");
        equal(2, lines.length);
        that(lines[1].endsWith(" fatal=1"), lines[1]);
        lines = Talk.with(suite, "open benchmark=depth", "measure iterations=1 batches=1", "close");
        equal("closed", lines[2]);
    }

    void testMisuseIsRefusedInWords() {
        Suite suite = new Suite();
        suite.bench("x", () -> { });
        that(Tests.thrownBy(() -> suite.bench("x", () -> { })).contains("twice"), "a name twice");
        that(Tests.thrownBy(() -> suite.define("y").param("n", 1, "a")).contains("one type"), "two types");
        that(Tests.thrownBy(() -> suite.define("z").fresh(p -> 1).run(() -> { })).contains("fresh input"), "an unused input");
    }
}
