package derny;

/**
 * Called by JMH's generated code, through a control of ours, where it comes to the next part of an iteration. Each thread that
 * measures says what is to be done there.
 */
public final class JmhHooks {
    private static final ThreadLocal<Watch> WATCH = new ThreadLocal<>();
    /** Volatile as JMH's flag is: it is read after each call. */
    private static volatile long wanted;
    private static JmhTurn turn;
    /** Of the only thread that measures, where there is one: asking for that of a thread is code that is compiled, sooner or later. */
    private static Watch alone;

    /** What one thread wants to know of its iteration. */
    interface Watch {
        /** States are made and their set-up for the trial has run; that for the iteration has not. */
        void isSetUp();

        /** The loop comes next. */
        void begins();

        /** The loop has ended. */
        void ended();
    }

    /** Counts what happens in the loop. */
    abstract static class Counting implements Watch {
        Counters counters;

        @Override
        public void isSetUp() { }

        /** What was counted before is not the benchmark's. */
        @Override
        public void begins() {
            if (counters != null) counters.start();
        }

        /** Told twice: behind the loop, and before the tear-down. */
        @Override
        public void ended() {
            if (counters != null) counters.stop();
        }
    }

    /** Ends an iteration as soon as its states are made. */
    static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stop() {
            super(null, null, false, false);
        }
    }

    private JmhHooks() {}

    /** What the thread that calls this wants to know. */
    static void watch(Watch watch, boolean isAlone) {
        alone = isAlone ? watch : null;
        if (!isAlone) WATCH.set(watch);
    }

    private static Watch watch() {
        return alone != null ? alone : WATCH.get();
    }

    /** After how many calls a loop of {@link JmhStubs} ends. */
    static void want(long calls) {
        wanted = calls;
    }

    /** Whose loops those of {@link JmhStubs} are from now on, and how many calls come first. */
    static void begin(JmhTurn whose, long calls) {
        turn = whose;
        wanted = calls;
    }

    /** Whether a loop of {@link JmhStubs} that has ended is to run once more. JMH tells a time of its own where it is stopped for fixtures. */
    public static boolean again(long startNs, long stopNs, long realNs) {
        long calls = turn.next(realNs > 0 ? realNs : stopNs - startNs, stopNs);
        wanted = calls;
        return calls > 0;
    }

    /** Whether a loop of {@link JmhStubs} is done, which has called the benchmark so often. */
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
