package derny;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Calls a benchmark of a JMH jar exactly so many times, by the loop that JMH's generator has made for single shots: it times the
 * calls alone, without fixtures.
 */
final class JmhLoop implements JmhHooks.Watch {
    private static final String MODE = "SingleShotTime";
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
    private final boolean dividesByOperations;
    private final long ownBytes;
    /** Asked for once: asking makes garbage. */
    private final int batchSize;
    private Counters counters;
    private Object control;
    private long prepared = -1;

    private JmhLoop(JmhTrial trial) {
        this.trial = trial;
        dividesByOperations = dividesByOperations();
        ownBytes = ownBytes();
        batchSize = trial.of.batchSize();
    }

    static Opened open(JmhBenchmark of, Map<String, String> params) throws Throwable {
        JmhTrial trial = new JmhTrial(of, MODE, params);
        trial.open();
        JmhLoop loop = new JmhLoop(trial);
        Opened opened = new Opened();
        opened.foreign = loop::run;
        opened.once = of.isCold();
        opened.close = loop::close;
        return opened;
    }

    private long run(long iterations, Counters counters) throws Throwable {
        long calls = Math.multiplyExact(iterations, (long) batchSize);
        long sum = 0;
        for (long left = calls; left > 0; left -= Integer.MAX_VALUE) sum += some((int) Math.min(left, Integer.MAX_VALUE), counters);
        return sum;
    }

    private long some(int calls, Counters counters) throws Throwable {
        if (counters != null) counters.pause();
        // Gates of a control that one thread has passed are open for its next iteration, too.
        if (prepared != calls || trial.threads > 1) control = JmhApi.control(trial.params, JmhApi.iteration(0, calls), trial.threads, false, false);
        prepared = calls;
        this.counters = counters;
        long longest = 0;
        for (Object one : trial.iteration(control, thread -> thread == 0 ? this : OTHER)) longest = Math.max(longest, elapsedNs(one));
        if (counters != null) {
            counters.add("allocated", -ownBytes);
            counters.resume();
        }
        return longest;
    }

    private long elapsedNs(Object result) {
        for (Object one : (Iterable<?>) JmhApi.get(result, "getResults")) {
            if (!JmhApi.name(JmhApi.get(one, "getRole")).equals("PRIMARY")) continue;
            double score = (Double) JmhApi.get(one, "getScore");
            return Math.round(dividesByOperations ? score * (Long) JmhApi.get(result, "getMeasuredOps") : score);
        }
        throw new IllegalStateException("JMH's generated code has told no time");
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

    @Override
    public void isSetUp() {
        if (counters != null) counters.resume();
    }

    @Override
    public void begins() { }

    @Override
    public void ended() {
        if (counters != null) counters.pause();
    }

    /** Fixtures of an iteration have none to themselves here, so that one without calls is nothing but the tear-down of the trial. */
    private void close() throws Throwable {
        counters = null;
        try {
            trial.iteration(JmhApi.control(trial.params, JmhApi.iteration(0, 0), trial.threads, false, true), thread -> OTHER);
        } finally {
            trial.close();
        }
    }
}
