package derny;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Runs a JMH benchmark in single-shot mode, with the loop that JMH generates for it. Used if the first call
 * in a process is measured.
 */
final class JmhShots extends JmhHooks.Counting {
    private static final int TRIALS = 50;

    private final JmhTrial trial;
    private final boolean dividesByOperations;
    private final long ownBytes;
    private final int batchSize;

    private JmhShots(JmhTrial trial) {
        this.trial = trial;
        dividesByOperations = dividesByOperations();
        ownBytes = ownBytes();
        batchSize = trial.of.batchSize();
    }

    static Opened open(JmhBenchmark of, Map<String, String> params) throws Throwable {
        JmhTrial trial = new JmhTrial(of, of.generated(), JmhTrial.SINGLE, params);
        trial.open();
        JmhShots shots = new JmhShots(trial);
        Opened opened = new Opened();
        opened.foreign = shots::run;
        opened.once = true;
        opened.close = trial::end;
        return opened;
    }

    private long run(long iterations, Counters counters) throws Throwable {
        int calls = Math.toIntExact(iterations * batchSize);
        Object control = JmhApi.control(trial.params, JmhApi.iteration(0, calls), trial.threads, false, false);
        this.counters = counters;
        Object result = trial.iteration(control, thread -> this).get(0);
        if (counters != null) counters.add("allocated", -ownBytes);
        return elapsedNs(result);
    }

    private long elapsedNs(Object result) {
        for (Object one : (Iterable<?>) JmhApi.get(result, "getResults")) {
            if (!JmhApi.name(JmhApi.get(one, "getRole")).equals("PRIMARY")) continue;
            double score = (Double) JmhApi.get(one, "getScore");
            return Math.round(dividesByOperations ? score * (Long) JmhApi.get(result, "getMeasuredOps") : score);
        }
        throw new IllegalStateException("JMH's generated code reported no time: this version of JMH is not supported");
    }

    /** Returns true if this version of JMH reports the time of one operation instead of all. */
    private static boolean dividesByOperations() {
        for (Constructor<?> one : JmhApi.type("results.SingleShotResult").getConstructors()) {
            if (one.getParameterTypes().length == 5) return true;
        }
        return false;
    }

    /**
     * Returns the bytes that the generated code itself allocates between the call of our hook and the loop.
     */
    private static long ownBytes() {
        java.lang.management.ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (!(threads instanceof com.sun.management.ThreadMXBean)) return 0;
        LongSupplier allocated = Allocation.reader((com.sun.management.ThreadMXBean) threads);
        Class<?> type = JmhApi.type("results.RawResults");
        try {
            Constructor<?> constructor = type.getConstructor();
            // Create this array once: a varargs call would allocate one each time.
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

    /**
     * Begins to count here, because the code for single shots does not call the hook at the start of its
     * loop.
     */
    @Override
    public void isSetUp() {
        begins();
    }
}
