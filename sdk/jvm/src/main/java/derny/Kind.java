package derny;

/** Kind of a metric's values. */
public enum Kind {
    /** State at the end of a turn, such as a size or a score, compared as it is. */
    LEVEL,
    /** Total of all operations of a turn, reported per operation. */
    TOTAL,
    /** Maximum; that of a process is its largest turn. */
    PEAK,
    /** Quotient, compared as it is. */
    RATE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
