package derny;

/**
 * Forms of a benchmarked body: its return type, and whether it takes the result of set-up. One interface for
 * each primitive that Java computes with, so that no result is boxed.
 */
public final class Body {
    private Body() {}

    /** Returns nothing: results must go to {@link Blackhole}. */
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

    /** Takes the result of set-up and returns nothing. */
    public interface VoidOf<S> {
        void run(S state) throws Throwable;
    }

    /** Takes the result of set-up and returns an object. */
    public interface ObjectOf<S> {
        Object run(S state) throws Throwable;
    }

    /** Takes the result of set-up and returns an int. */
    public interface IntOf<S> {
        int run(S state) throws Throwable;
    }

    /** Takes the result of set-up and returns a long. */
    public interface LongOf<S> {
        long run(S state) throws Throwable;
    }

    /** Takes the result of set-up and returns a double. */
    public interface DoubleOf<S> {
        double run(S state) throws Throwable;
    }

    /** Times itself: starts and stops the given timer. */
    public interface SelfTimed<S> {
        void run(Timer timer, S state) throws Throwable;
    }

    /** A function that may fail: set-up, a fresh input, a loop. */
    public interface Maker<A, B> {
        B make(A from) throws Throwable;
    }

    /** An action on the state: tear-down. */
    public interface Action<S> {
        void run(S state) throws Throwable;
    }

    /** An action before or after a batch, outside the timed region. */
    public interface BatchHook<S> {
        void run(S state, long iterations) throws Throwable;
    }

    /** Reads a value of a user-defined metric. */
    public interface Reading<S> {
        double read(S state) throws Throwable;
    }
}
