package derny;

/**
 * The timed loop over one body. Each benchmark has a class of its own that implements this, because the JVM keeps what it
 * learns about a call with the place of the call in the code: one loop for all benchmarks would make each of them depend on
 * those that ran before it.
 *
 * <p>The SDK generates such classes ({@code LoopClass}). A language whose macros put the body into the loop itself makes
 * its own and hands them in with {@link Definition#loop}. Such a loop gives every result to {@link Blackhole}, reads a
 * volatile field in every round, so that no load of the body is moved out of it, and allocates nothing by itself.
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
