package derny;

/** The time at which a set-up or tear-down runs. It is never part of the measured time. */
public enum Level {
    /** Each time a case is opened, which is usually once per process (JMH: Trial). */
    TRIAL,
    /**
     * Before or after each batch, which is a number of iterations between two readings of the clock (JMH:
     * Iteration).
     */
    BATCH,
    /**
     * Before or after each iteration (JMH: Invocation). A set-up that returns a value makes the inputs of a
     * batch in advance. One without a value limits batches to one iteration, whose time includes the cost of
     * reading the clock.
     */
    ITERATION
}
