package derny;

/** The kind of a metric's values, which determines how they are combined. */
public enum Kind {
    /** State at the end of a turn, such as a size or a score. Compared without further calculation. */
    LEVEL,
    /** Total over all operations of a turn, reported per operation. */
    TOTAL,
    /** Maximum. The value of a process is the largest of its turns. */
    PEAK,
    /** Quotient. Compared without further calculation. */
    RATE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
