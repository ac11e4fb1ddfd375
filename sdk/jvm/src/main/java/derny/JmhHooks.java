package derny;

/**
 * Called by JMH's generated code, through our control, at each part of an iteration. Each measuring thread
 * sets the action.
 */
public final class JmhHooks {
    private static final ThreadLocal<Watch> WATCH = new ThreadLocal<>();
    /** Volatile like JMH's flag: it is read after each call. */
    private static volatile long wanted;
    private static JmhTurn turn;
    /**
     * For the only measuring thread, if there is one: a thread-local lookup is code that is compiled sooner
     * or later.
     */
    private static Watch alone;

    /** Observer of one thread's iteration. */
    interface Watch {
        /** States exist and their set-up for the trial has run; that for the iteration has not. */
        void isSetUp();

        /** The loop follows. */
        void begins();

        /** The loop has ended. */
        void ended();
    }

    /** Counts events in the loop. */
    abstract static class Counting implements Watch {
        Counters counters;

        @Override
        public void isSetUp() { }

        /** Earlier counts are not the benchmark's. */
        @Override
        public void begins() {
            if (counters != null) counters.start();
        }

        /** Called twice: after the loop, and before the tear-down. */
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

    /** Sets the observer of the calling thread. */
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
     * Sets the owner of the loops of {@link JmhStubs} from now on, and the number of calls that come first.
     */
    static void begin(JmhTurn whose, long calls) {
        turn = whose;
        wanted = calls;
    }

    /**
     * Returns true if a loop of {@link JmhStubs} that has ended must run once more. JMH reports another time
     * if it is stopped for fixtures.
     */
    public static boolean again(long startNs, long stopNs, long realNs) {
        long calls = turn.next(realNs > 0 ? realNs : stopNs - startNs, stopNs);
        wanted = calls;
        return calls > 0;
    }

    /** Returns true if a loop of {@link JmhStubs} is done, after this many calls of the benchmark. */
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
