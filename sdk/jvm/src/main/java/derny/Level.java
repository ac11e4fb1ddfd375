package derny;

/** Time of a set-up or tear-down. Never inside the timed region. */
public enum Level {
    /** Once each time a case is opened: usually once per process (JMH: Trial). */
    TRIAL,
    /**
     * Before or after each batch, which is some iterations between two readings of the clock (JMH:
     * Iteration).
     */
    BATCH,
    /**
     * Before or after each iteration (JMH: Invocation). A set-up that returns a value makes the inputs of a
     * batch in advance; one without a value limits a batch to one iteration, whose time includes the cost of
     * reading the clock.
     */
    ITERATION
}
