package derny;

/**
 * The batches of one turn. Each consists of one or more runs of the benchmark's loop.
 *
 * <p>A JVM decides to compile a method by its number of calls and loop iterations. If it replaces code while
 * a loop is running, the next call of the method still enters the old code. A turn has few batches, so the
 * loop would be entered as interpreted or partly compiled code during the whole measurement. Therefore the
 * first thousands of runs end after a few calls, which makes the JVM compile the complete method.
 */
final class JmhTurn {
    /** Number of short runs, after which all code around the loop has been compiled. */
    private static final int SHORT_RUNS = 6_000;
    /** Calls per short run: enough for the compiler to treat the loop's backward branch as the usual one. */
    private static final int SHORT = 20;

    private int shortRuns;
    private long calls;
    private long left;
    private long part;
    private int most;
    private long untilNs;
    private long batchNs;
    private int count;

    /**
     * Begins a turn of {@code batches} batches with {@code calls} calls each, which ends early after {@code
     * withinNs}. Returns the number of calls of the first run.
     */
    long begin(long calls, int batches, long withinNs) {
        this.calls = calls;
        left = calls;
        most = batches;
        long now = System.nanoTime();
        untilNs = withinNs > Long.MAX_VALUE - Math.max(now, 0) ? Long.MAX_VALUE : now + withinNs;
        batchNs = 0;
        count = 0;
        return part();
    }

    /**
     * Records the time of the last run. Returns the number of calls of the next run, or 0 at the end of the
     * turn.
     */
    long next(long elapsedNs, long nowNs) {
        batchNs += elapsedNs;
        left -= part;
        if (left > 0) return part();
        Opened.TIMES[count++] = batchNs;
        batchNs = 0;
        if (count >= most || nowNs >= untilNs) return 0;
        left = calls;
        return part();
    }

    private long part() {
        part = left;
        if (shortRuns < SHORT_RUNS) {
            shortRuns++;
            part = Math.min(left, SHORT);
        }
        return part;
    }

    /** Returns the number of completed batches. */
    int count() {
        return count;
    }
}
