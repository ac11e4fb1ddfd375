package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.util.ArrayList;
import java.util.List;

/** Tests the counters of a turn with work whose counts are known. */
public final class CountersTest {
    private static final int TURNS = 100;
    static volatile Object kept;

    /** Returns the value of a counter in each of several turns of a body. */
    private static double[] told(String counter, int turns, Body.OfVoid body) throws Throwable {
        Counters counters = new Counters(Runtimes.pid());
        int index = -1;
        for (int i = 0; i < counters.size(); i++) if (counters.items().get(i).startsWith(counter + ':')) index = i;
        that(index >= 0, counter + " is not among " + counters.items());
        double[] told = new double[turns];
        for (int i = 0; i < turns; i++) {
            counters.start();
            body.run();
            counters.stop();
            told[i] = counters.total(index, 1);
        }
        return told;
    }

    void testAllocationIsExactToTheByte() throws Throwable {
        for (int count : new int[] {0, 1, 10, 1000}) {
            double[] told = told("allocated", 20, () -> {
                for (int i = 0; i < count; i++) kept = new byte[100];
            });
            // A header of 16 bytes and 100 of content, rounded up to a multiple of 8.
            equal(120.0 * count, told[told.length - 1]);
        }
    }

    void testEveryCollectionIsSeen() throws Throwable {
        for (double told : told("gc", TURNS, System::gc)) that(told >= 1, "a collection was not seen");
    }

    void testEveryLoadedClassIsSeen() throws Throwable {
        List<Object> loops = new ArrayList<>();
        Body.OfVoid load = () -> loops.add(LoopClass.of(Definition.methodOf(Body.OfVoid.class), (Body.OfVoid) () -> { }, new Object[0],
            java.lang.invoke.MethodHandles.lookup()));
        for (double told : told("classes", TURNS, load)) that(told >= 1, "a loaded class was not seen");
    }

    /**
     * The JVM compiles in the foreground (-Xbatch), so a compilation that begins in a turn ends in it. Each
     * turn compiles a new loop.
     */
    void testEveryCompilationIsSeen() throws Throwable {
        if (PerfData.own(Runtimes.pid()) == null) return;
        Body.OfVoid compile = () -> LoopClass.of(Definition.methodOf(Body.OfVoid.class), (Body.OfVoid) () -> { }, new Object[0],
            java.lang.invoke.MethodHandles.lookup()).batch(200_000);
        for (double told : told("compiled", TURNS, compile)) that(told >= 1, "a compilation was not seen");
        for (double told : told("compile_time", TURNS, compile)) that(told > 0, "a compilation took no time");
    }

    /** A full collection stops all threads. */
    void testEverySafepointIsSeen() throws Throwable {
        if (PerfData.own(Runtimes.pid()) == null) return;
        for (double told : told("safepoints", TURNS, System::gc)) that(told >= 1, "a safepoint was not seen");
        for (double told : told("safepoint_time", TURNS, System::gc)) that(told > 0, "a safepoint took no time");
    }

    void testSetUpBetweenBatchesIsNotTheTurns() throws Throwable {
        Counters counters = new Counters(Runtimes.pid());
        int index = counters.items().indexOf("allocated:B:total:less:exact");
        counters.start();
        counters.pause();
        kept = new byte[1000];
        counters.resume();
        kept = new byte[100];
        counters.stop();
        equal(120.0, counters.total(index, 1));
    }
}
