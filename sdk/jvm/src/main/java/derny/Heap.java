package derny;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * Prepares the heap of a new process so that it behaves like that of a process that has run for seconds. The
 * first write to a memory page causes a page fault. With a moving collector, page faults occur until all of
 * the committed heap has been used. They would be part of the measured time.
 */
final class Heap {
    /**
     * Size of a chunk in bytes. Every collector treats a chunk of this size as an ordinary object, and
     * allocating chunks is fast even in interpreted code.
     */
    private static final int CHUNK = 64 << 10;
    /** Number of chunks allocated between two checks of the heap. */
    private static final int CHUNKS = 64;
    /** Number of times that garbage fills a heap that does not grow, before the heap counts as settled. */
    private static final int MOST_PASSES = 3;
    /** Maximum time for settling, in ns. A heap of many gigabytes is then only partly touched. */
    private static final long LIMIT_NS = 3_000_000_000L;
    /**
     * Number of collections after which G1 has decided whether to grow the heap. G1 considers the times of
     * the last ten.
     */
    private static final int MOST_COLLECTIONS = 12;
    /**
     * Ratio of Eden's size to that of the kept objects. With HotSpot's default sizes, the kept objects then
     * fill more than half of a survivor space, but not all of it.
     */
    private static final int CROWD = 12;
    private static final String[] GIVING_BACK = {"G1", "ZGC", "Shenandoah"};

    private static volatile byte[] garbage;

    private Heap() {}

    /** Returns true if there is a garbage collector. Without one, the garbage would exhaust the heap. */
    static boolean canSettle() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!bean.getName().contains("Epsilon")) return true;
        }
        return false;
    }

    /**
     * Returns true if {@code System.gc()} returns memory to the system, so that using it again causes page
     * faults.
     */
    static boolean givesBack() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            for (String name : GIVING_BACK) if (bean.getName().startsWith(name)) return true;
        }
        return false;
    }

    /**
     * Allocates garbage until the heap is settled. G1 grows a young heap at its fourth collection, and
     * afterwards at most at every fourth. The heap stays unchanged for longest right after it has grown and
     * its new memory has been touched. A heap that does not grow has been touched once enough garbage was
     * allocated to fill it. Takes about 0.2 s for 384 MB.
     *
     * <p>A body that allocates at most {@code bytes} needs only that much touched memory, right after a
     * collection. The collector emptied this memory last, so it is the next to be allocated.
     *
     * <p>Afterwards, objects that the program keeps are in the old generation, as in a program that has run
     * for seconds. Young objects would be copied by each collection, and writes to them would need no
     * barrier. With the serial collector and G1, objects become old after surviving 15 collections, or at the
     * next collection if the survivors of the last one filled more than half of their space. Therefore some
     * of the garbage is kept until the first collection.
     */
    static void settle(long bytes) {
        long start = System.nanoTime(), first = Runtime.getRuntime().totalMemory(), committed = first;
        long made = 0, grownAt = -1, begun = collections(), seen = begun;
        // Bytes allocated since the last collection, and between the last two.
        long since = 0, between = 0;
        byte[][] crowd = new byte[(int) Math.min(edenBytes() / CROWD / CHUNK, Integer.MAX_VALUE)][];
        int kept = 0;
        boolean isOld = crowd.length == 0, isEnough;
        do {
            for (int chunk = 0; chunk < CHUNKS; chunk++) {
                garbage = new byte[CHUNK];
                if (crowd != null && crowd.length > 0) crowd[kept++ % crowd.length] = garbage;
            }
            made += (long) CHUNKS * CHUNK;
            since += (long) CHUNKS * CHUNK;
            long now = Runtime.getRuntime().totalMemory(), count = collections();
            if (now > committed) grownAt = count;
            committed = now;
            if (count > seen) {
                isOld |= crowd == null;
                if (crowd != null && kept >= crowd.length) crowd = null;
                seen = count;
                between = since;
                since = 0;
            }
            // True only right after a collection.
            isEnough = isOld && since == 0 && between >= bytes;
        } while (System.nanoTime() - start < LIMIT_NS && !isEnough && !(isOld && isTouched(made, first, begun, grownAt)));
        garbage = null;
    }

    /** Returns the size of the space for new objects, or 0 if the collector is not generational. */
    private static long edenBytes() {
        for (MemoryPoolMXBean bean : ManagementFactory.getMemoryPoolMXBeans()) {
            if (bean.getName().contains("Eden")) return bean.getUsage().getCommitted();
        }
        return 0;
    }

    private static boolean isTouched(long made, long first, long begun, long grownAt) {
        // A collector that returns memory to the system may still grow the heap, so wait for enough
        // collections too.
        if (grownAt < 0) return made >= MOST_PASSES * first && (!givesBack() || collections() >= begun + MOST_COLLECTIONS);
        return made >= first && collections() > grownAt;
    }

    private static long collections() {
        long count = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) count += Math.max(bean.getCollectionCount(), 0);
        return count;
    }
}
