package derny;

/**
 * Clock of a body that times itself: the body calls {@link #start} and {@link #stop} once each around the
 * timed region, and reports its number of operations.
 */
public final class Timer {
    private final long iterations;
    private long startNs;
    private boolean started;
    private long elapsedNs = -1;
    private double operations;

    private final Counters counters;

    Timer(long iterations) {
        this(iterations, null);
    }

    Timer(long iterations, Counters counters) {
        this.iterations = iterations;
        this.counters = counters;
    }

    /** Returns the counters of the turn; null if there are none. */
    Counters counters() {
        return counters;
    }

    /** Returns the requested number of operations. */
    public long iterations() {
        return iterations;
    }

    /** Starts the clock. */
    public void start() {
        if (started) throw new IllegalStateException("the timer was started twice");
        started = true;
        startNs = System.nanoTime();
    }

    /** Stops the clock after the requested number of operations. */
    public void stop() {
        stop(iterations);
    }

    /** Stops the clock after {@code operations}, a number above 0 that need not be whole. */
    public void stop(double operations) {
        long now = System.nanoTime();
        if (!started) throw new IllegalStateException("the timer was stopped before it was started");
        if (elapsedNs >= 0) throw new IllegalStateException("the timer was stopped twice");
        if (!(operations > 0) || Double.isInfinite(operations)) {
            throw new IllegalArgumentException("the number of operations must be above 0, not " + operations);
        }
        elapsedNs = now - startNs;
        this.operations = operations;
    }

    /** Reports the measurement of another clock. */
    void tell(long elapsedNs, double operations) {
        started = true;
        this.elapsedNs = elapsedNs;
        this.operations = operations;
    }

    long elapsedNs() {
        if (elapsedNs < 0) throw new IllegalStateException("the body returned and had not stopped its timer");
        return elapsedNs;
    }

    double operations() {
        return operations;
    }
}
