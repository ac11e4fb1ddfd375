package derny;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * The heap of a young process, brought to the state of one that has run for seconds. The first write to a
 * page of memory costs a fault. A moving collector pays for it until it has passed once through the committed
 * heap, and a benchmark would report it as its time.
 */
final class Heap {
    /**
     * Small enough for every collector to treat as an ordinary object, large enough to need no compiled code.
     */
    private static final int CHUNK = 64 << 10;
    /** Number of chunks between two checks of the heap. */
    private static final int CHUNKS = 64;
    /** Number of times that garbage fills a heap that does not grow. */
    private static final int MOST_PASSES = 3;
    /** A heap of many gigabytes is touched in part only. */
    private static final long LIMIT_NS = 3_000_000_000L;
    /**
     * Number of collections that decide whether G1 lets a heap grow: it considers the time of the last ten.
     */
    private static final int MOST_COLLECTIONS = 12;
    /** Share of Eden: more than half of a survivor space and less than a whole one, with HotSpot's sizes. */
    private static final int CROWD = 12;
    private static final String[] GIVING_BACK = {"G1", "ZGC", "Shenandoah"};

    private static volatile byte[] garbage;

    private Heap() {}

    /** Returns true if there is a collector: without one, garbage would fill the heap. */
    static boolean canSettle() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (!bean.getName().contains("Epsilon")) return true;
        }
        return false;
    }

    /**
     * Returns true if {@code System.gc()} returns memory to the system, so that its next use is a first touch
     * again.
     */
    static boolean givesBack() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            for (String name : GIVING_BACK) if (bean.getName().startsWith(name)) return true;
        }
        return false;
    }

    /**
     * Makes garbage until the heap is at rest for as long as possible. G1 lets a young heap grow at its fourth collection, and then at
     * every fourth at most. So it is at rest for longest right after it has grown and has been touched to its new size. A heap that does
     * not grow has been touched completely after enough garbage to fill it. Takes some 0.2 s for 384 MB.
     *
     * <p>A body that will allocate no more than {@code bytes} needs less: that much touched space, right after a collection. The next
     * objects are made there, because a collector reuses the space that it emptied last.
     *
     * <p>Objects that the program keeps are old afterwards, as in a program that has run for seconds. While they are young, each collection
     * copies them, and writing to them costs no barrier. Under the serial collector and G1, objects grow old by surviving 15 collections,
     * or at the next one if the survivors of the last one filled more than half of their space. So some of the garbage is kept until there
     * was a collection.
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
            // Right after a collection.
            isEnough = isOld && since == 0 && between >= bytes;
        } while (System.nanoTime() - start < LIMIT_NS && !isEnough && !(isOld && isTouched(made, first, begun, grownAt)));
        garbage = null;
    }

    /** Returns the size of the space for new objects in generational collectors; else 0. */
    private static long edenBytes() {
        for (MemoryPoolMXBean bean : ManagementFactory.getMemoryPoolMXBeans()) {
            if (bean.getName().contains("Eden")) return bean.getUsage().getCommitted();
        }
        return 0;
    }

    private static boolean isTouched(long made, long first, long begun, long grownAt) {
        // A collector that returns memory also requests more.
        if (grownAt < 0) return made >= MOST_PASSES * first && (!givesBack() || collections() >= begun + MOST_COLLECTIONS);
        return made >= first && collections() > grownAt;
    }

    private static long collections() {
        long count = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) count += Math.max(bean.getCollectionCount(), 0);
        return count;
    }
}
