package derny;

/** When something is set up or torn down. Never inside the timed region. */
public enum Level {
    /** Once for each time that a case is opened: usually once per process (JMH: Trial). */
    TRIAL,
    /** Before or after each batch, which is some iterations between two readings of the clock (JMH: Iteration). */
    BATCH,
    /**
     * Before or after each iteration (JMH: Invocation). A set-up that returns something makes the inputs of a batch
     * beforehand; one that returns nothing leaves a batch with one iteration, whose time has the cost of reading the clock in it.
     */
    ITERATION
}
