package derny;

/**
 * The timed loop over one body. Each benchmark has its own class that implements this. The JVM stores its profile of a call
 * with the location of the call in the code: with one loop for all benchmarks, each would depend on those that ran before
 * it.
 *
 * <p>The SDK generates such classes ({@code LoopClass}). A language whose macros put the body into the loop makes its own
 * and passes them to {@link Definition#loop}. Such a loop gives every result to {@link Blackhole}, reads a volatile field
 * in every iteration, so that no load of the body is moved out of it, and allocates nothing itself.
 */
public interface Loop {
    /**
     * Calls the body {@code iterations} times between two readings of {@link System#nanoTime}.
     *
     * @return the nanoseconds between the readings
     */
    long batch(int iterations) throws Throwable;

    /** Calls the body once, untimed. Returns its result, boxed if primitive; null if it returns nothing. */
    Object once() throws Throwable;
}
