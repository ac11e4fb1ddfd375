package derny;

/**
 * The timed loop of one body. Each benchmark has its own implementation of this interface, because the JVM profiles calls
 * by their location in the code. In a shared loop, a benchmark would be affected by those that ran before it.
 *
 * <p>The SDK generates the classes ({@code LoopClass}). A language whose macros put the body into the loop makes its own
 * classes and passes them to {@link Definition#loop}. Such a loop must pass each result to {@link Blackhole}. It must read
 * a volatile field in each iteration, so that no load in the body is moved out of the loop. It must not allocate.
 */
public interface Loop {
    /**
     * Calls the body {@code iterations} times between two readings of {@link System#nanoTime}.
     *
     * @return the difference between the readings, in ns
     */
    long batch(int iterations) throws Throwable;

    /**
     * Calls the body once without timing it. Returns its result, boxed if it is primitive, or null if there
     * is none.
     */
    Object once() throws Throwable;
}
