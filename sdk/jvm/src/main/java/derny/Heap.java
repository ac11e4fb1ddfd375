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
    /** Between two looks at the heap. */
    private static final int CHUNKS = 64;
    /** How often garbage fills a heap that does not grow. */
    private static final int MOST_PASSES = 3;
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
     * Makes garbage until the heap is at rest for as long as can be had. G1 lets a young heap grow at its fourth collection, and then
     * not before the fourth after that: right after it has grown, and has been touched as far as it has grown, it is at rest for longest.
     * A heap that does not grow has been touched when it has had room for all that garbage. Takes some 0.2 s for 384 MB.
     */
    static void settle() {
        long start = System.nanoTime(), first = Runtime.getRuntime().totalMemory(), committed = first;
        long made = 0, grownAt = -1;
        do {
            for (int chunk = 0; chunk < CHUNKS; chunk++) garbage = new byte[CHUNK];
            made += (long) CHUNKS * CHUNK;
            long now = Runtime.getRuntime().totalMemory();
            if (now > committed) grownAt = collections();
            committed = now;
        } while (System.nanoTime() - start < LIMIT_NS && !isTouched(made, first, grownAt));
        garbage = null;
    }

    private static boolean isTouched(long made, long first, long grownAt) {
        if (grownAt < 0) return made >= MOST_PASSES * first;
        return made >= first && collections() > grownAt;
    }

    private static long collections() {
        long count = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) count += Math.max(bean.getCollectionCount(), 0);
        return count;
    }
}
