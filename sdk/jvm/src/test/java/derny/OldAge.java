package derny;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;

/**
 * Keeps 4 MiB, settles the heap (for a number of bytes, if given), and prints whether the kept objects have
 * become old.
 */
final class OldAge {
    private static final byte[][] KEPT = new byte[256][];

    public static void main(String[] words) {
        for (int i = 0; i < KEPT.length; i++) KEPT[i] = new byte[16 << 10];
        long before = oldBytes();
        Heap.settle(words.length > 0 ? Long.parseLong(words[0]) : Long.MAX_VALUE);
        long after = oldBytes();
        System.out.println((after - before >= 4 << 20 ? "became old: " : "is young: ") + before + " to " + after + " bytes");
    }

    private static long oldBytes() {
        for (MemoryPoolMXBean bean : ManagementFactory.getMemoryPoolMXBeans()) {
            if (bean.getName().matches(".*(Old|Tenured).*")) return bean.getUsage().getUsed();
        }
        throw new IllegalStateException("this collector has no old generation");
    }
}
