package derny;

/**
 * Called by JMH's generated code, through a control of ours, where it comes to the next part of an iteration. Each thread that
 * measures says what is to be done there.
 */
public final class JmhHooks {
    private static final ThreadLocal<Watch> WATCH = new ThreadLocal<>();
    /** Volatile as JMH's flag is: it is read after each call. */
    private static volatile long wanted;

    /** What one thread wants to know of its iteration. */
    interface Watch {
        /** States are made and their set-up for the trial has run; that for the iteration has not. */
        void isSetUp();

        /** The loop comes next. */
        void begins();

        /** The loop has ended. */
        void ended();
    }

    /** Ends an iteration as soon as its states are made. */
    static final class Stop extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stop() {
            super(null, null, false, false);
        }
    }

    private JmhHooks() {}

    static void watch(Watch watch) {
        WATCH.set(watch);
    }

    /** After how many calls a loop of {@link JmhStubs} ends. */
    static void want(long calls) {
        wanted = calls;
    }

    /** Whether a loop of {@link JmhStubs} is done, which has called the benchmark so often. */
    public static boolean isDone(long operations) {
        return operations >= wanted;
    }

    public static void preSetup() {
        WATCH.get().isSetUp();
    }

    public static void announceWarmupReady() {
        WATCH.get().begins();
    }

    public static void announceWarmdownReady() {
        WATCH.get().ended();
    }

    public static void preTearDown() {
        WATCH.get().ended();
    }
}
