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
 * A plain loop around one body: Plain BODY [WARM_MS [MEASURE_MS [SLICE_NS]]].
 *
 * <p>One process runs one body, so the call in its loop has one target only, which the compiler inlines.
 */
public final class Plain {
    /** Times beyond these are left out of the median. */
    private static final int SLICES = 200_000;

    private static final List<GarbageCollectorMXBean> BEANS = ManagementFactory.getGarbageCollectorMXBeans();

    /** Where results go, so that they must be computed. Only the last one is alive. */
    public static volatile Object object;
    public static volatile long integer;
    public static volatile double number;

    /** Calls the body n times; the nanoseconds that it took. */
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
        long[] plan = {1500, 1500, 20_000};
        for (int i = 1; i < words.length; i++) plan[i - 1] = Long.parseLong(words[i]);
        System.out.println(measure(slice, plan[0], plan[1], plan[2]));
    }

    /**
     * Warms up and measures: Clojure's plain loop is this one with slices of its own.
     *
     * @param slice calls the body n times; the nanoseconds that it took
     */
    public static String measure(Slice slice, long warmMs, long measureMs, long sliceNs) {
        long[] times = new long[SLICES];
        // Written, so that its pages are there before the measurement.
        Arrays.fill(times, 1);
        long n = warmUp(slice, warmMs, sliceNs);
        long collections = collections(), collectionMs = collectionMs(), faults = faults();
        long start = System.nanoTime(), end = start + measureMs * 1_000_000, now = start;
        int slices = 0;
        for (; now < end; now = System.nanoTime()) {
            long ns = slice.take(n);
            if (slices < SLICES) times[slices] = ns;
            slices++;
        }
        faults = faults < 0 ? -1 : faults() - faults;
        collections = collections() - collections;
        collectionMs = collectionMs() - collectionMs;
        long calls = slices * n;
        return "{\"median_ns\":" + median(times, Math.min(slices, SLICES)) / n
            + ",\"mean_ns\":" + (double) (now - start) / calls + ",\"calls\":" + calls + ",\"slices\":" + slices
            + ",\"collections\":" + collections + ",\"collection_ns\":" + collectionMs * 1_000_000
            + ",\"faults\":" + (faults < 0 ? "null" : Long.toString(faults)) + "}";
    }

    /** Calls until the time has passed; the calls per slice that are right after it. */
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

    /** HotSpot adds up finer times and rounds only what it returns, so over a second a millisecond is fine enough. */
    private static long collectionMs() {
        long ms = 0;
        for (GarbageCollectorMXBean bean : BEANS) ms += bean.getCollectionTime();
        return ms;
    }

    /** Minor page faults of this process so far; -1 where the system has no /proc. */
    private static long faults() {
        try {
            String stat = new String(Files.readAllBytes(Paths.get("/proc/self/stat")), StandardCharsets.ISO_8859_1);
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[7]);
        } catch (IOException none) {
            return -1;
        }
    }
}
