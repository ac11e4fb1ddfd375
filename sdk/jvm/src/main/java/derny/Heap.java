package derny;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * The heap of a young process, and how it becomes that of one that has run for seconds. The first write to a page of memory costs
 * a fault. A collector that moves objects pays for it until it has gone once through the committed heap, and a benchmark would
 * report that as its time.
 */
final class Heap {
    /** Small enough for every collector to take as an ordinary object, large enough to need no compiled code. */
    private static final int CHUNK = 64 << 10;
    private static final int LEAST_PASSES = 2, MOST_PASSES = 5;
    /** A heap of many gigabytes is touched in part. */
    private static final long LIMIT_NS = 3_000_000_000L;
    private static final String[] GIVING_BACK = {"G1", "ZGC", "Shenandoah"};

    private static volatile byte[] garbage;

    private Heap() {}

    /** Whether there is a collector: without one, garbage would fill the heap. */
    static boolean canSettle() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!bean.getName().contains("Epsilon")) return true;
        }
        return false;
    }

    /** Whether {@code System.gc()} gives memory back to the system, so that it is touched for the first time again. */
    static boolean givesBack() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            for (String name : GIVING_BACK) if (bean.getName().startsWith(name)) return true;
        }
        return false;
    }

    /**
     * Makes garbage, each time as much as the committed heap has room for, until the heap does not grow any more. G1 lets a young heap
     * grow after four collections, and then not before four more: a heap that has just grown is at rest for longest, and what it
     * has grown by has to be touched too. Takes some 0.25 s for 384 MB that become 490.
     */
    static void settle() {
        long start = System.nanoTime();
        boolean hasGrown = true;
        for (int pass = 0; (pass < LEAST_PASSES || hasGrown) && pass < MOST_PASSES && isEarly(start); pass++) {
            long committed = Runtime.getRuntime().totalMemory();
            for (long left = committed; left > 0 && isEarly(start); left -= CHUNK) garbage = new byte[CHUNK];
            hasGrown = Runtime.getRuntime().totalMemory() > committed;
        }
        garbage = null;
    }

    private static boolean isEarly(long start) {
        return System.nanoTime() - start < LIMIT_NS;
    }
}
