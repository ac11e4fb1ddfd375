package derny;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Runs iterations of a JMH benchmark as JMH does, only shorter: all threads call the benchmark until a
 * given time has passed. Fixtures of level Iteration run before and after. Used for benchmarks with several
 * threads, with such fixtures, or with their own counters.
 */
final class JmhIterations {
    /** Minimum length of an iteration on one thread. */
    private static final long ALONE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Minimum length of an iteration on several threads. They need more time, because they must wake up and
     * do not start at the same time.
     */
    private static final long TOGETHER_NS = TimeUnit.MILLISECONDS.toNanos(4);
    private static final long MOST_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final JmhTrial trial;
    private final boolean isRate;
    private final long leastNs;
    private final ExecutorService clock = Executors.newSingleThreadExecutor(JmhTrial::daemon);
    private final AtomicLong othersCpuNs = new AtomicLong();
    private final AtomicLong othersBytes = new AtomicLong();
    private final Opened opened = new Opened();
    private long lengthNs;

    private JmhIterations(JmhTrial trial, boolean isRate) {
        this.trial = trial;
        this.isRate = isRate;
        leastNs = trial.threads > 1 ? TOGETHER_NS : ALONE_NS;
        lengthNs = leastNs;
    }

    static Opened open(JmhBenchmark of, Map<String, String> params) throws Throwable {
        // The mode determines whether counted values are reported as rates or as times.
        boolean isRate = of.modes.contains("Throughput");
        JmhTrial trial = new JmhTrial(of, of.generated(), isRate ? "Throughput" : "AverageTime", params);
        trial.open();
        JmhIterations iterations = new JmhIterations(trial, isRate);
        iterations.opened.selfTimed = iterations::run;
        iterations.opened.close = iterations::close;
        return iterations.opened;
    }

    /** Actions of one thread around its loop: it counts events and reports that it has started. */
    private final class Part implements JmhHooks.Watch {
        private final Counters counters;
        private final CountDownLatch started;
        private final LongSupplier cpu;
        private final LongSupplier bytes;
        private long cpuNs;
        private long allocated;
        private boolean isIn;

        Part(Counters counters, CountDownLatch started, LongSupplier cpu, LongSupplier bytes) {
            this.counters = counters;
            this.started = started;
            this.cpu = cpu;
            this.bytes = bytes;
        }

        @Override
        public void isSetUp() { }

        @Override
        public void begins() {
            isIn = true;
            if (counters != null) counters.resume();
            if (cpu != null) cpuNs = cpu.getAsLong();
            if (bytes != null) allocated = bytes.getAsLong();
            started.countDown();
        }

        @Override
        public void ended() {
            if (!isIn) return;
            isIn = false;
            if (counters != null) counters.pause();
            if (bytes != null) othersBytes.addAndGet(bytes.getAsLong() - allocated);
            if (cpu != null) othersCpuNs.addAndGet(cpu.getAsLong() - cpuNs);
        }
    }

    private void run(Timer timer) throws Throwable {
        Counters counters = timer.counters();
        long begun = System.nanoTime(), length = lengthNs;
        if (counters != null) counters.pause();
        tell(timer, iteration(length, false, counters));
        if (counters != null) {
            counters.add("cpu", othersCpuNs.getAndSet(0));
            counters.add("allocated", othersBytes.getAndSet(0));
            counters.resume();
        }
        // Make iterations as long as their overhead, so that at most half of the time is overhead.
        long beside = System.nanoTime() - begun - length;
        lengthNs = Math.min(MOST_NS, Math.max(leastNs, Math.max(beside, length / 2)));
    }

    private List<Object> iteration(long length, boolean isLast, Counters counters) throws Throwable {
        Object control = JmhApi.control(trial.params, JmhApi.iteration(length, trial.of.batchSize()), trial.threads, false, isLast);
        CountDownLatch started = new CountDownLatch(trial.threads);
        Future<?> end = clock.submit(() -> {
            started.await();
            long until = System.nanoTime() + length;
            for (long left = length; left > 0; left = until - System.nanoTime()) LockSupport.parkNanos(left);
            JmhApi.get(control, "announceDone");
            return null;
        });
        try {
            return trial.iteration(control, thread -> thread == 0 ? new Part(counters, started, null, null)
                : new Part(null, started, Counters.ownCpu(), Counters.ownBytes()));
        } finally {
            end.cancel(true);
        }
    }

    /**
     * Reports the mean time per operation over all threads, as JMH does, and other results of the generated
     * code.
     */
    private void tell(Timer timer, List<Object> results) {
        double perOperation = 0, elapsed = 0, operations = 0;
        Map<String, List<Double>> more = new LinkedHashMap<>();
        for (Object result : results) {
            long own = (Long) JmhApi.get(result, "getMeasuredOps");
            operations += own;
            for (Object one : (Iterable<?>) JmhApi.get(result, "getResults")) {
                double score = (Double) JmhApi.get(one, "getScore");
                if (JmhApi.name(JmhApi.get(one, "getRole")).equals("PRIMARY")) {
                    double time = isRate ? 1 / score : score;
                    perOperation += time / results.size();
                    elapsed += time * own / results.size();
                } else {
                    more.computeIfAbsent(key(one), key -> new ArrayList<>()).add(score);
                }
            }
        }
        for (Map.Entry<String, List<Double>> one : more.entrySet()) report(one.getKey(), one.getValue(), operations);
        timer.tell(Math.max(1, Math.round(elapsed)), Math.max(elapsed, 1) / perOperation);
    }

    private static String key(Object result) {
        return JmhApi.get(result, "getLabel") + "\n" + JmhApi.get(result, "getScoreUnit");
    }

    private void report(String key, List<Double> scores, double operations) {
        String name = key.substring(0, key.indexOf('\n')), unit = key.substring(key.indexOf('\n') + 1);
        double sum = 0, inverse = 0;
        for (double one : scores) {
            sum += one;
            inverse += 1 / one;
        }
        String text = Wire.encode(Wire.part(name)).replaceAll("[^\\x21-\\x7e]", "_");
        if (unit.equals("#")) {
            opened.reported.put(text + ":count/op:level", sum / operations);
        } else if (!trial.of.labels.contains(name)) {
            opened.reported.put(isRate ? text + ":1/s:rate" : text + ":ns:level", isRate ? sum * 1e9 : sum / scores.size());
        } else {
            opened.reported.put(text + ":ns:level:less", (isRate ? inverse : sum) / scores.size());
        }
    }

    /**
     * Runs the trial-level tear-down, as part of a last iteration in which each thread makes one call.
     */
    private void close() throws Throwable {
        try {
            iteration(0, true, null);
        } finally {
            clock.shutdownNow();
            trial.close();
        }
    }
}
