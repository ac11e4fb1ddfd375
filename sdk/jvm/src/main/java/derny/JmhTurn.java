package derny;

/**
 * The batches of one turn: each consists of one or more runs of a benchmark's loop.
 *
 * <p>A JVM compiles a method by its number of calls and loop iterations, and code that it replaces within a loop is not what the next call
 * enters. A turn has few batches, so the loop would be entered as interpreted or half compiled code during the whole measurement. Therefore
 * its first thousands of runs return after a few calls, which makes the compiler compile the whole method.
 */
final class JmhTurn {
    /** Number of runs after which nothing around the loop is compiled any more. */
    private static final int SHORT_RUNS = 6_000;
    /** Enough for the backward branch to be the common one. */
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
     * Begins a turn of this many batches of at most `calls`, which ends after `withinNs`; returns how many
     * calls come first.
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

    /** Takes the time of the last run; returns how many calls come next, 0 at the end. */
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
