package derny;

/**
 * Receives calls from JMH's generated code at each step of an iteration. The control object made by this
 * library passes them on. Each measuring thread sets its own observer.
 */
public final class JmhHooks {
    private static final ThreadLocal<Watch> WATCH = new ThreadLocal<>();
    /**
     * Number of calls after which a loop of {@link JmhStubs} ends. Volatile like JMH's flag, because the loop
     * reads it after each call.
     */
    private static volatile long wanted;
    private static JmhTurn turn;
    /**
     * The observer of the only measuring thread, or null if there are several. It avoids a thread-local
     * lookup, whose code might be compiled during a measurement.
     */
    private static Watch alone;

    /** Observes an iteration on one thread. */
    interface Watch {
        /**
         * Called when the states exist and their trial-level set-up has run, but not yet the iteration-level
         * one.
         */
        void isSetUp();

        /** Called just before the loop begins. */
        void begins();

        /** Called when the loop has ended. */
        void ended();
    }

    /** Counts events within the loop. */
    abstract static class Counting implements Watch {
        Counters counters;

        @Override
        public void isSetUp() { }

        /** Discards earlier counts, which are not the benchmark's. */
        @Override
        public void begins() {
            if (counters != null) counters.start();
        }

        /** Called twice: after the loop and before the tear-down. */
        @Override
        public void ended() {
            if (counters != null) counters.stop();
        }
    }

    /** Ends an iteration once its states exist. */
    static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stop() {
            super(null, null, false, false);
        }
    }

    private JmhHooks() {}

    /**
     * Sets the observer for the calling thread. {@code isAlone} is true if there is only one measuring
     * thread.
     */
    static void watch(Watch watch, boolean isAlone) {
        alone = isAlone ? watch : null;
        if (!isAlone) WATCH.set(watch);
    }

    private static Watch watch() {
        return alone != null ? alone : WATCH.get();
    }

    /** Sets the number of calls after which a loop of {@link JmhStubs} ends. */
    static void want(long calls) {
        wanted = calls;
    }

    /**
     * Sets the turn that receives the times of the loops of {@link JmhStubs}, and the number of calls of the
     * first loop.
     */
    static void begin(JmhTurn whose, long calls) {
        turn = whose;
        wanted = calls;
    }

    /**
     * Returns true if a loop of {@link JmhStubs} must run again. {@code realNs} is the time that JMH measured
     * if it stopped the clock for fixtures, and 0 otherwise.
     */
    public static boolean again(long startNs, long stopNs, long realNs) {
        long calls = turn.next(realNs > 0 ? realNs : stopNs - startNs, stopNs);
        wanted = calls;
        return calls > 0;
    }

    /** Returns true if a loop of {@link JmhStubs} must end after this number of calls. */
    public static boolean isDone(long operations) {
        return operations >= wanted;
    }

    public static void preSetup() {
        watch().isSetUp();
    }

    public static void announceWarmupReady() {
        watch().begins();
    }

    public static void announceWarmdownReady() {
        watch().ended();
    }

    public static void preTearDown() {
        watch().ended();
    }
}
