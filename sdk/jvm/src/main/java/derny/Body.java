package derny;

/**
 * The shapes that a benchmarked body may have: what it returns, and whether it is given what set-up made. One interface for
 * each primitive that Java computes with, so that no result is boxed.
 */
public final class Body {
    private Body() {}

    /** Returns nothing: what it computes must go to {@link Blackhole}. */
    public interface OfVoid {
        void run() throws Throwable;
    }

    /** Returns an object. */
    public interface OfObject {
        Object run() throws Throwable;
    }

    /** Returns an int. */
    public interface OfInt {
        int run() throws Throwable;
    }

    /** Returns a long. */
    public interface OfLong {
        long run() throws Throwable;
    }

    /** Returns a double. */
    public interface OfDouble {
        double run() throws Throwable;
    }

    /** Takes what set-up made and returns nothing. */
    public interface VoidOf<S> {
        void run(S state) throws Throwable;
    }

    /** Takes what set-up made and returns an object. */
    public interface ObjectOf<S> {
        Object run(S state) throws Throwable;
    }

    /** Takes what set-up made and returns an int. */
    public interface IntOf<S> {
        int run(S state) throws Throwable;
    }

    /** Takes what set-up made and returns a long. */
    public interface LongOf<S> {
        long run(S state) throws Throwable;
    }

    /** Takes what set-up made and returns a double. */
    public interface DoubleOf<S> {
        double run(S state) throws Throwable;
    }

    /** Times itself: starts and stops the timer that it is given. */
    public interface SelfTimed<S> {
        void run(Timer timer, S state) throws Throwable;
    }

    /** Makes something of something, and may fail: set-up, a fresh input, a loop. */
    public interface Maker<A, B> {
        B make(A from) throws Throwable;
    }

    /** Something to do with the state: tear-down. */
    public interface Action<S> {
        void run(S state) throws Throwable;
    }

    /** Something to do around a batch, outside the timed region. */
    public interface BatchHook<S> {
        void run(S state, long iterations) throws Throwable;
    }

    /** A value of a metric of the benchmark's own. */
    public interface Reading<S> {
        double read(S state) throws Throwable;
    }
}
