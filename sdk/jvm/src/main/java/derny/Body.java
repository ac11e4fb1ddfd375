package derny;

/**
 * Functional interfaces of benchmark bodies. They differ in the return type and in whether the body takes the
 * result of the set-up. There is one for each common primitive type, so that results are not boxed.
 */
public final class Body {
    private Body() {}

    /** A body that returns nothing. It passes results to {@link Blackhole}. */
    public interface OfVoid {
        void run() throws Throwable;
    }

    /** A body that returns an object. */
    public interface OfObject {
        Object run() throws Throwable;
    }

    /** A body that returns an int. */
    public interface OfInt {
        int run() throws Throwable;
    }

    /** A body that returns a long. */
    public interface OfLong {
        long run() throws Throwable;
    }

    /** A body that returns a double. */
    public interface OfDouble {
        double run() throws Throwable;
    }

    /** A body that takes the result of the set-up and returns nothing. */
    public interface VoidOf<S> {
        void run(S state) throws Throwable;
    }

    /** A body that takes the result of the set-up and returns an object. */
    public interface ObjectOf<S> {
        Object run(S state) throws Throwable;
    }

    /** A body that takes the result of the set-up and returns an int. */
    public interface IntOf<S> {
        int run(S state) throws Throwable;
    }

    /** A body that takes the result of the set-up and returns a long. */
    public interface LongOf<S> {
        long run(S state) throws Throwable;
    }

    /** A body that takes the result of the set-up and returns a double. */
    public interface DoubleOf<S> {
        double run(S state) throws Throwable;
    }

    /** A body that measures its own time: it starts and stops the given timer. */
    public interface SelfTimed<S> {
        void run(Timer timer, S state) throws Throwable;
    }

    /** A function that may throw, such as a set-up. */
    public interface Maker<A, B> {
        B make(A from) throws Throwable;
    }

    /** An action on the result of the set-up, such as a tear-down. */
    public interface Action<S> {
        void run(S state) throws Throwable;
    }

    /** An action before or after a batch, outside the timed region. */
    public interface BatchHook<S> {
        void run(S state, long iterations) throws Throwable;
    }

    /** Reads the value of a metric. */
    public interface Reading<S> {
        double read(S state) throws Throwable;
    }
}
