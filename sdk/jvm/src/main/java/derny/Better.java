package derny;

/** Whether less or more of a metric is better. */
public enum Better {
    /** Less is better. */
    LESS,
    /** More is better. */
    MORE,
    /** It tells something, but nothing good or bad. */
    NONE;

    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
