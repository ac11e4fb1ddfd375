package derny;

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Counts what the JVM does besides the measured code, for callers that attribute it to single runs.
 * Collections and classes come from the management beans, which update them at once. The beans report
 * compilations in whole milliseconds, which hides short ones, so their number and time come from HotSpot's
 * own counters ({@link PerfData}).
 */
public final class Events {
    private static final GarbageCollectorMXBean[] COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans().toArray(new GarbageCollectorMXBean[0]);
    private static final ClassLoadingMXBean CLASSES = ManagementFactory.getClassLoadingMXBean();
    private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();
    private static final PerfData PERF = PerfData.own(Runtimes.pid());
    private static final int COMPILES = PERF == null ? -1 : PERF.find("sun.ci.totalCompiles");
    private static final int COMPILE_TICKS = PERF == null ? -1 : PERF.find("java.ci.totalTime");
    private static final double TICK_NS = tickNs();

    private Events() {}

    /**
     * Returns the current counters: collections, their time in ns, compilations, their time in ns, and
     * classes loaded and unloaded. The number of compilations is -1 if this JVM does not report it.
     */
    public static long[] read() {
        long collections = 0;
        long collectionMillis = 0;
        for (GarbageCollectorMXBean one : COLLECTORS) {
            collections += Math.max(0, one.getCollectionCount());
            collectionMillis += Math.max(0, one.getCollectionTime());
        }
        long classes = CLASSES.getTotalLoadedClassCount() + CLASSES.getUnloadedClassCount();
        long compiles = COMPILES < 0 ? -1 : PERF.at(COMPILES);
        return new long[] {collections, collectionMillis * 1_000_000, compiles, compileNs(), classes};
    }

    private static long compileNs() {
        if (COMPILE_TICKS >= 0) return (long) (PERF.at(COMPILE_TICKS) * TICK_NS);
        return COMPILER != null && COMPILER.isCompilationTimeMonitoringSupported() ? COMPILER.getTotalCompilationTime() * 1_000_000 : 0;
    }

    private static double tickNs() {
        int place = PERF == null ? -1 : PERF.find("sun.os.hrt.frequency");
        return place < 0 || PERF.at(place) <= 0 ? 1 : 1e9 / PERF.at(place);
    }
}
