package derny;

/** What the values of a metric are. */
public enum Kind {
    /** What there was at a turn's end, such as a size or a score: it is compared as it is. */
    LEVEL,
    /** What all operations of a turn came to: it is divided by them. */
    TOTAL,
    /** The most that there was: that of a process is its largest turn. */
    PEAK,
    /** A quotient already. */
    RATE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
