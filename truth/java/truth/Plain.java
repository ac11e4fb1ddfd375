package truth;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A plain loop around one body: Plain BODY [WARM_MS [MEASURE_MS [SLICE_NS [PAUSE_MS]]]]. With a
 * pause, it works in turns like one of several processes that are measured together: some slices,
 * which count after a lead, then the pause.
 *
 * <p>One process runs one body, so the call in its loop has only one target, which the compiler inlines.
 */
public final class Plain {
    /** Maximum number of times in the median. */
    private static final int SLICES = 200_000;
    /** Parts of a turn: the lead, which does not count, and the rest. */
    private static final long LEAD_NS = 300_000, TURN_NS = 1_500_000;

    private static final List<GarbageCollectorMXBean> BEANS = ManagementFactory.getGarbageCollectorMXBeans();

    /**
     * The last result. Storing results here forces their computation. Only the last one is alive.
     */
    public static volatile Object object;
    public static volatile long integer;
    public static volatile double number;

    /** Calls the body n times and returns the time in nanoseconds. */
    public interface Slice {
        long take(long n);
    }

    private static Slice objects(Supplier<Object> body) {
        return n -> {
            long start = System.nanoTime();
            for (long i = 0; i < n; i++) object = body.get();
            return System.nanoTime() - start;
        };
    }

    private static Slice integers(LongSupplier body) {
        return n -> {
            long start = System.nanoTime();
            for (long i = 0; i < n; i++) integer = body.getAsLong();
            return System.nanoTime() - start;
        };
    }

    private static Slice numbers(DoubleSupplier body) {
        return n -> {
            long start = System.nanoTime();
            for (long i = 0; i < n; i++) number = body.getAsDouble();
            return System.nanoTime() - start;
        };
    }

    private static Slice choose(String name, Bodies bodies) {
        switch (name) {
            case "objects": return objects(bodies::objects);
            case "buffer": return objects(bodies::buffer);
            case "strings": return objects(bodies::strings);
            case "join": return objects(bodies::join);
            case "builder": return objects(bodies::builder);
            case "map": return objects(bodies::map);
            case "sort": return objects(bodies::sort);
            case "parse": return objects(bodies::parse);
            case "closures": return objects(bodies::closures);
            case "stream": return objects(bodies::stream);
            case "sum": return numbers(bodies::sum);
            case "mix": return integers(bodies::mix);
            case "search": return integers(bodies::search);
            case "matrix": return objects(bodies::matrix);
            default: throw new IllegalArgumentException("no body is called " + name);
        }
    }

    public static void main(String[] words) {
        Slice slice = choose(words[0], new Bodies());
        System.out.println(measure(slice, Arrays.copyOfRange(words, 1, words.length)));
    }

    /**
     * Warms up and measures. Clojure's plain loop calls this method with its own slices.
     *
     * @param slice calls the body n times and returns the time in nanoseconds
     * @param words the plan, as on the command line
     */
    public static String measure(Slice slice, String... words) {
        long[] plan = {1500, 1500, 20_000, 0};
        for (int i = 0; i < words.length; i++) plan[i] = Long.parseLong(words[i]);
        long warmMs = plan[0], measureMs = plan[1], sliceNs = plan[2], pauseMs = plan[3];
        long[] times = new long[SLICES];
        // Fill the array in advance, so that its pages exist before the measurement.
        Arrays.fill(times, 1);
        long n = warmUp(slice, warmMs, sliceNs);
        long collections = collections(), collectionMs = collectionMs(), faults = faults();
        long start = System.nanoTime(), end = start + measureMs * 1_000_000, now = start;
        int slices = 0;
        long counted = 0, turn = start - LEAD_NS;
        while (now < end) {
            long ns = slice.take(n);
            now = System.nanoTime();
            if (now < turn + LEAD_NS) continue;
            if (slices < SLICES) times[slices] = ns;
            slices++;
            counted += ns;
            if (pauseMs > 0 && now >= turn + LEAD_NS + TURN_NS) {
                pause(pauseMs);
                turn = System.nanoTime();
            }
        }
        double window = pauseMs > 0 ? counted : now - start;
        faults = faults < 0 ? -1 : faults() - faults;
        collections = collections() - collections;
        collectionMs = collectionMs() - collectionMs;
        long calls = slices * n;
        return "{\"median_ns\":" + median(times, Math.min(slices, SLICES)) / n
            + ",\"mean_ns\":" + window / calls + ",\"calls\":" + calls + ",\"slices\":" + slices
            + ",\"collections\":" + collections + ",\"collection_ns\":" + collectionMs * 1_000_000
            + ",\"faults\":" + (faults < 0 ? "null" : Long.toString(faults)) + "}";
    }

    private static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    /**
     * Calls the slice until the time has passed. Returns the suitable number of calls per slice.
     */
    private static long warmUp(Slice slice, long warmMs, long sliceNs) {
        long end = System.nanoTime() + warmMs * 1_000_000;
        long n = 1;
        while (System.nanoTime() < end) {
            long ns = Math.max(slice.take(n), 1);
            n = Math.max(1, Math.min(2 * n, Math.round((double) n * sliceNs / ns)));
        }
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 5; i++) best = Math.min(best, (double) slice.take(n) / n);
        return Math.max(1, Math.round(sliceNs / best));
    }

    private static double median(long[] times, int count) {
        Arrays.sort(times, 0, count);
        int half = count / 2;
        return count % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2.0;
    }

    private static long collections() {
        long count = 0;
        for (GarbageCollectorMXBean bean : BEANS) count += bean.getCollectionCount();
        return count;
    }

    /**
     * HotSpot adds up finer times and rounds only the returned value, so milliseconds are precise
     * enough over a second.
     */
    private static long collectionMs() {
        long ms = 0;
        for (GarbageCollectorMXBean bean : BEANS) ms += bean.getCollectionTime();
        return ms;
    }

    /** Returns the minor page faults of this process so far, or -1 if the system has no /proc. */
    private static long faults() {
        try {
            String stat = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.ISO_8859_1);
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[7]);
        } catch (IOException none) {
            return -1;
        }
    }
}
