package derny;

/** Direction in which a metric improves. */
public enum Better {
    /** Less is better. */
    LESS,
    /** More is better. */
    MORE,
    /** Neither is better: the metric is informative only. */
    NONE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
