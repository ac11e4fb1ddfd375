package derny;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Calls a benchmark of a JMH jar exactly so many times and times the calls alone, without fixtures: by the loop that JMH's generator has
 * made for {@code avgt}, which {@link JmhStubs} lets end after a count; a cold one by that for single shots.
 */
final class JmhLoop implements JmhHooks.Watch {
    private static final String SINGLE = "SingleShotTime";
    private static final JmhHooks.Watch OTHER = new JmhHooks.Watch() {
        @Override
        public void isSetUp() { }

        @Override
        public void begins() { }

        @Override
        public void ended() { }
    };
    private static final int TRIALS = 50;

    private final JmhTrial trial;
    private final boolean isCold;
    private final boolean dividesByOperations;
    private final long ownBytes;
    /** Asked for once: asking makes garbage. */
    private final int batchSize;
    private Counters counters;
    private boolean counts;
    private Object control;

    private JmhLoop(JmhTrial trial) {
        this.trial = trial;
        isCold = trial.of.isCold();
        dividesByOperations = dividesByOperations();
        ownBytes = isCold ? ownBytes() : 0;
        batchSize = trial.of.batchSize();
    }

    static Opened open(JmhBenchmark of, Map<String, String> params) throws Throwable {
        Class<?> generated = of.isCold() ? of.generated() : JmhStubs.counted(of.generated());
        JmhTrial trial = new JmhTrial(of, generated, of.isCold() ? SINGLE : "AverageTime", params);
        trial.open();
        JmhLoop loop = new JmhLoop(trial);
        Opened opened = new Opened();
        opened.foreign = loop::run;
        opened.floor = of.isCold() ? null : JmhLoop::nothing;
        opened.once = of.isCold();
        opened.close = loop::close;
        return opened;
    }

    private long run(long iterations, Counters counters) throws Throwable {
        long calls = Math.multiplyExact(iterations, (long) batchSize);
        if (counters != null) counters.pause();
        // Gates of a control that one thread has passed are open for its next iteration, too.
        if (control == null || trial.threads > 1) {
            control = JmhApi.control(trial.params, JmhApi.iteration(0, isCold ? Math.toIntExact(calls) : 1), trial.threads, false, false);
        }
        JmhHooks.want(calls);
        this.counters = counters;
        long longest = 0;
        for (Object one : trial.iteration(control, thread -> thread == 0 ? this : OTHER)) longest = Math.max(longest, elapsedNs(one, calls));
        if (counters != null) {
            counters.add("allocated", -ownBytes);
            counters.resume();
        }
        return longest;
    }

    private long elapsedNs(Object result, long calls) {
        for (Object one : (Iterable<?>) JmhApi.get(result, "getResults")) {
            if (!JmhApi.name(JmhApi.get(one, "getRole")).equals("PRIMARY")) continue;
            double score = (Double) JmhApi.get(one, "getScore");
            if (!isCold) return Math.round(score * calls * trial.of.operations());
            return Math.round(dividesByOperations ? score * (Long) JmhApi.get(result, "getMeasuredOps") : score);
        }
        throw new IllegalStateException("JMH's generated code has told no time");
    }

    /** The loop around a body that does nothing: what each call costs in JMH's figures, too. */
    private static long nothing(long iterations, Counters counters) {
        JmhHooks.want(iterations);
        return emptyLoop();
    }

    /** As JMH's generator has it. */
    private static long emptyLoop() {
        long operations = 0;
        long start = System.nanoTime();
        do {
            operations++;
        } while (!JmhHooks.isDone(operations));
        return System.nanoTime() - start;
    }

    /** Newer versions tell the time of one operation. */
    private static boolean dividesByOperations() {
        for (Constructor<?> one : JmhApi.type("results.SingleShotResult").getConstructors()) {
            if (one.getParameterTypes().length == 5) return true;
        }
        return false;
    }

    /** Bytes that the generated code allocates between the point where it calls us and its loop: the place for its readings. */
    private static long ownBytes() {
        java.lang.management.ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!(threads instanceof com.sun.management.ThreadMXBean)) return 0;
        LongSupplier allocated = Allocation.reader((com.sun.management.ThreadMXBean) threads);
        Class<?> type = JmhApi.type("results.RawResults");
        try {
            Constructor<?> constructor = type.getConstructor();
            // Made here: else each call would make an array of its own.
            Object[] none = {};
            long least = Long.MAX_VALUE;
            for (int i = 0; i < TRIALS; i++) {
                long before = allocated.getAsLong();
                constructor.newInstance(none);
                least = Math.min(least, allocated.getAsLong() - before);
            }
            return least;
        } catch (ReflectiveOperationException unknown) {
            return 0;
        }
    }

    /** The code for single shots does not say that its loop begins. */
    @Override
    public void isSetUp() {
        if (isCold) begins();
    }

    @Override
    public void begins() {
        counts = counters != null;
        if (counts) counters.resume();
    }

    /** Told twice by the code for {@code avgt}: behind its loop, and before its tear-down. */
    @Override
    public void ended() {
        if (counts) counters.pause();
        counts = false;
    }

    /** Fixtures of an iteration have none to themselves here, so that a single shot of no calls is nothing but the tear-down of the trial. */
    private void close() throws Throwable {
        counters = null;
        try {
            trial.iteration(SINGLE, JmhApi.control(trial.params, JmhApi.iteration(0, 0), trial.threads, false, true), thread -> OTHER);
        } finally {
            trial.close();
        }
    }
}
