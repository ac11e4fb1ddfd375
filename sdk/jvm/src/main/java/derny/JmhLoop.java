package derny;

import java.util.Map;

/**
 * Calls a benchmark of a JMH jar exactly so many times and times the calls alone, without fixtures: by the loop that JMH's generator has
 * made for {@code avgt}, which {@link JmhStubs} lets end after a count. A turn is one iteration of JMH's, whose loop runs once for each batch.
 */
final class JmhLoop extends JmhHooks.Counting {
    private final JmhTrial trial;
    /** Asked for once: asking makes garbage. */
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
            // It is told that this one has failed.
            control = null;
            throw thrown;
        }
        return turn.count();
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
}
