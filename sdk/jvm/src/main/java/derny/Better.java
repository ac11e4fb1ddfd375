package derny;

/** The direction in which a metric improves. */
public enum Better {
    /** Smaller values are better. */
    LESS,
    /** Larger values are better. */
    MORE,
    /** Neither direction is better: the metric is informative. */
    NONE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
