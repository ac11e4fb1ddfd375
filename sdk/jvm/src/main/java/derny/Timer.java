package derny;

/**
 * The timer of a body that measures its own time. The body calls {@link #start} and {@link #stop} once each,
 * around the code to measure. It passes the number of operations to {@code stop} if that is not {@link
 * #iterations}.
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

    /** Returns the counters of the turn, or null if there are none. */
    Counters counters() {
        return counters;
    }

    /** Returns the number of operations that the engine asks for. */
    public long iterations() {
        return iterations;
    }

    /** Starts the clock. */
    public void start() {
        if (started) throw new IllegalStateException("the timer was started twice");
        started = true;
        startNs = System.nanoTime();
    }

    /** Stops the clock. The number of operations is {@link #iterations}. */
    public void stop() {
        stop(iterations);
    }

    /**
     * Stops the clock after {@code operations} operations. The number must be positive and need not be an
     * integer.
     */
    public void stop(double operations) {
        long now = System.nanoTime();
        if (!started) throw new IllegalStateException("the timer was stopped before it was started");
        if (elapsedNs >= 0) throw new IllegalStateException("the timer was stopped twice");
        if (!(operations > 0) || Double.isInfinite(operations)) {
            throw new IllegalArgumentException("the number of operations must be positive, not " + operations);
        }
        elapsedNs = now - startNs;
        this.operations = operations;
    }

    /** Reports a time that was measured with another clock. */
    void tell(long elapsedNs, double operations) {
        started = true;
        this.elapsedNs = elapsedNs;
        this.operations = operations;
    }

    long elapsedNs() {
        if (elapsedNs < 0) throw new IllegalStateException("the body returned without stopping its timer");
        return elapsedNs;
    }

    double operations() {
        return operations;
    }
}
