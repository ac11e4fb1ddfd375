package derny;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Values that are read before and after each turn, outside the readings of the clock. Reading does not
 * allocate. The values are read in an order that excludes what the readings themselves do: the thread's
 * allocation is read last before a turn, and first after it.
 *
 * <p>Reading costs 0.4 µs for the thread's CPU time, 0.1 µs for the collector beans, 20 to 40 ns for
 * allocation and classes, and less than 1 ns for HotSpot's shared counters, measured with Java 17 on a
 * virtual machine with 2 cores.
 */
final class Counters {
    private static final double MILLI = 1e6;
    /**
     * Number of trial turns. HotSpot compiles code after 200 calls, which must not happen during a real turn.
     */
    private static final int TRIALS = 150;

    private final List<String> items = new ArrayList<>();
    private LongSupplier[] readers = {};
    private double[] factors = {};
    private final long[] begun;
    private final long[] totals;
    private boolean isStopped;
    /**
     * Amounts by which each total grows through a reading: old versions of Java allocate to report
     * allocations.
     */
    private final long[] own;

    Counters(long pid) {
        PerfData perf = PerfData.own(pid);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) add("cpu:ns:total:less", 1, threads::getCurrentThreadCpuTime);
        List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
        GarbageCollectorMXBean[] collectors = beans.toArray(new GarbageCollectorMXBean[0]);
        add("gc:count:total:less", 1, () -> collections(collectors));
        addCollectorTime(perf, collectors);
        addCompiler(perf);
        addSafepoints(perf);
        ClassLoadingMXBean loading = ManagementFactory.getClassLoadingMXBean();
        add("classes:count:total:less", 1, loading::getTotalLoadedClassCount);
        if (threads instanceof com.sun.management.ThreadMXBean) addAllocation((com.sun.management.ThreadMXBean) threads);
        if (isInterpreted()) add("evaluated:count:total:less", 1, () -> 0);
        begun = new long[readers.length];
        totals = new long[readers.length];
        own = new long[readers.length];
        // The first access to the beans loads classes, which takes 0.1 to 0.3 s and must not happen during a
        // turn.
        for (int i = 0; i < TRIALS; i++) {
            start();
            stop();
        }
        for (int i = 0; i < own.length; i++) if (items.get(i).startsWith("allocated")) own[i] = totals[i];
    }

    private void add(String item, double factor, LongSupplier reader) {
        items.add(item);
        readers = Arrays.copyOf(readers, items.size());
        readers[items.size() - 1] = reader;
        factors = Arrays.copyOf(factors, items.size());
        factors[items.size() - 1] = factor;
    }

    private void addCollectorTime(PerfData perf, GarbageCollectorMXBean[] collectors) {
        int[] places = {-1, -1, -1};
        for (int i = 0; perf != null && i < places.length; i++) places[i] = perf.find("sun.gc.collector." + i + ".time");
        double tickNs = tickNs(perf);
        if (places[0] < 0 || tickNs == 0) {
            add("gc_time:ns:total:less", MILLI, () -> collectionMillis(collectors));
            return;
        }
        add("gc_time:ns:total:less", tickNs, () -> {
            long sum = 0;
            for (int place : places) if (place >= 0) sum += perf.at(place);
            return sum;
        });
    }

    private void addCompiler(PerfData perf) {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (compiler == null) return;
        int count = perf == null ? -1 : perf.find("sun.ci.totalCompiles");
        int time = perf == null ? -1 : perf.find("java.ci.totalTime");
        if (count >= 0) add("compiled:count:total:less", 1, () -> perf.at(count));
        if (time >= 0 && tickNs(perf) > 0) {
            add("compile_time:ns:total:less", tickNs(perf), () -> perf.at(time));
        } else if (compiler.isCompilationTimeMonitoringSupported()) {
            add("compile_time:ns:total:less", MILLI, compiler::getTotalCompilationTime);
        }
    }

    /** Adds the number and time of safepoints, which only HotSpot's shared memory contains. */
    private void addSafepoints(PerfData perf) {
        int count = perf == null ? -1 : perf.find("sun.rt.safepoints");
        int time = perf == null ? -1 : perf.find("sun.rt.safepointTime");
        if (count >= 0) add("safepoints:count:total:less", 1, () -> perf.at(count));
        if (time >= 0 && tickNs(perf) > 0) add("safepoint_time:ns:total:less", tickNs(perf), () -> perf.at(time));
    }

    private void addAllocation(com.sun.management.ThreadMXBean threads) {
        if (!threads.isThreadAllocatedMemorySupported() || !threads.isThreadAllocatedMemoryEnabled()) return;
        add("allocated:B:total:less:exact", 1, Allocation.reader(threads));
    }

    private static double tickNs(PerfData perf) {
        int place = perf == null ? -1 : perf.find("sun.os.hrt.frequency");
        return place < 0 || perf.at(place) <= 0 ? 0 : 1e9 / perf.at(place);
    }

    private static long collections(GarbageCollectorMXBean[] collectors) {
        long sum = 0;
        for (GarbageCollectorMXBean one : collectors) sum += Math.max(0, one.getCollectionCount());
        return sum;
    }

    private static long collectionMillis(GarbageCollectorMXBean[] collectors) {
        long sum = 0;
        for (GarbageCollectorMXBean one : collectors) sum += Math.max(0, one.getCollectionTime());
        return sum;
    }

    /** Returns true if this JVM never compiles (`-Xint`), so that every call is interpreted. */
    static boolean isInterpreted() {
        return System.getProperty("java.vm.info", "").startsWith("interpreted");
    }

    /** Returns the items of the field `metrics`. */
    List<String> items() {
        return items;
    }

    /** Begins a turn, or resets its counts to zero. */
    void start() {
        isStopped = false;
        Arrays.fill(totals, 0);
        resume();
    }

    /** Excludes everything until {@code resume} from the turn, such as set-up between batches. */
    void pause() {
        for (int i = begun.length - 1; i >= 0; i--) totals[i] += readers[i].getAsLong() - begun[i] - own[i];
    }

    /** Ends the exclusion that {@code pause} began. */
    void resume() {
        for (int i = 0; i < begun.length; i++) begun[i] = readers[i].getAsLong();
    }

    /** Ends the turn. Has no effect if it has already ended. */
    void stop() {
        if (!isStopped) pause();
        isStopped = true;
    }

    /**
     * Adds an amount to a count of this turn, for example the amount that other threads have counted. A
     * negative amount excludes work that is not the body's.
     */
    void add(String name, long amount) {
        for (int i = 0; i < totals.length; i++) if (items.get(i).startsWith(name + ':')) totals[i] += amount;
    }

    /** Returns a reader of the calling thread's CPU time, or null if unavailable. */
    static LongSupplier ownCpu() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled() ? threads::getCurrentThreadCpuTime : null;
    }

    /** Returns a reader of the bytes that the calling thread has allocated, or null if unavailable. */
    static LongSupplier ownBytes() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        if (!(threads instanceof com.sun.management.ThreadMXBean)) return null;
        return () -> ((com.sun.management.ThreadMXBean) threads).getThreadAllocatedBytes(self);
    }

    int size() {
        return totals.length;
    }

    /**
     * Returns the total of the last turn in the unit of its item. The turn made {@code calls} calls of the
     * body.
     */
    double total(int index, long calls) {
        return items.get(index).startsWith("evaluated") ? calls : totals[index] * factors[index];
    }
}
