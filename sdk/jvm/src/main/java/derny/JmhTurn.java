package derny;

/**
 * The batches of one turn, each a run of a benchmark's loop, or several.
 *
 * <p>A JVM compiles a method by how often it was called and how often its loop went round, and code that it replaces within a loop
 * is not what it enters at the next call. Batches of a turn are few, so that the loop would be entered as interpreted or half
 * compiled code for as long as it is measured. In its first thousands of runs it is left and entered again after a few calls, which is what
 * a compiler takes for the whole.
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
