package derny;

import java.util.Map;

/**
 * Runs a JMH benchmark for an exact number of calls, and times only the calls, without fixtures. It uses the
 * loop that JMH generates for {@code avgt}, which {@link JmhStubs} modifies to end after a count. A turn is
 * one iteration of JMH whose loop runs once per batch.
 */
final class JmhLoop extends JmhHooks.Counting {
    private final JmhTrial trial;
    /** Batch size of JMH. Read only once, because reading it allocates. */
    private final int batchSize;
    private final JmhTurn turn = new JmhTurn();
    private Object control;

    private JmhLoop(JmhTrial trial) {
        this.trial = trial;
        batchSize = trial.of.batchSize();
    }

    static Opened open(JmhBenchmark of, Map<String, String> params) throws Throwable {
        JmhTrial trial = new JmhTrial(of, JmhStubs.counted(of.generated()), "AverageTime", params);
        trial.open();
        JmhLoop loop = new JmhLoop(trial);
        Opened opened = new Opened();
        opened.turn = loop::run;
        opened.floor = JmhLoop::nothing;
        opened.close = trial::end;
        return opened;
    }

    private int run(long iterations, int batches, long withinNs, Counters counters) throws Throwable {
        if (control == null) control = JmhApi.control(trial.params, JmhApi.iteration(0, 1), trial.threads, false, false);
        this.counters = counters;
        JmhHooks.begin(turn, turn.begin(Math.multiplyExact(iterations, (long) batchSize), batches, withinNs));
        try {
            trial.alone(control, this);
        } catch (Throwable thrown) {
            // After a failure, the control cannot be reused.
            control = null;
            throw thrown;
        }
        return turn.count();
    }

    /** Times a loop around an empty body. JMH's figures include this overhead too. */
    private static long nothing(long iterations, Counters counters) {
        JmhHooks.want(iterations);
        return emptyLoop();
    }

    /** Times an empty loop like the one that JMH generates. */
    private static long emptyLoop() {
        long operations = 0;
        long start = System.nanoTime();
        do {
            operations++;
        } while (!JmhHooks.isDone(operations));
        return System.nanoTime() - start;
    }
}
