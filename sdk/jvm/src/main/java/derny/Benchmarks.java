package derny;

/**
 * A class that defines benchmarks in code instead of annotations. {@code derny.Main} instantiates it and
 * calls {@link #define}.
 */
public interface Benchmarks {
    /** Adds benchmarks to the suite. */
    void define(Suite suite) throws Exception;
}
