package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.util.ArrayList;
import java.util.List;

/** What the counters of a turn tell of work whose truth is known. */
public final class CountersTest {
    static volatile Object kept;

    /** The value of a counter in a turn of a body. */
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
            // 16 bytes of header, 100 of content, rounded to 8; headers of 24 without compressed class pointers are rounded alike.
            equal(120.0 * count, told[told.length - 1]);
        }
    }

    void testEveryCollectionIsSeen() throws Throwable {
        for (double told : told("gc", 20, System::gc)) that(told >= 1, "a collection was not seen");
    }

    void testEveryLoadedClassIsSeen() throws Throwable {
        for (double told : told("classes", 20, () -> new Suite().bench("x", () -> { }))) that(told >= 0, "negative");
        List<Object> loops = new ArrayList<>();
        Body.OfVoid load = () -> loops.add(LoopClass.of(Definition.methodOf(Body.OfVoid.class), (Body.OfVoid) () -> { }, new Object[0],
            java.lang.invoke.MethodHandles.lookup()));
        for (double told : told("classes", 20, load)) that(told >= 1, "a loaded class was not seen");
    }

    void testSetUpBetweenBatchesIsNotTheTurns() throws Throwable {
        Counters counters = new Counters(Runtimes.pid());
        int index = counters.items().indexOf("allocated:B");
        counters.start();
        counters.pause();
        kept = new byte[1000];
        counters.resume();
        kept = new byte[100];
        counters.stop();
        equal(120.0, counters.total(index, 1));
    }
}
