package derny;

/** A class that defines benchmarks by code and not by annotations: {@code derny.Main} makes one and calls it. */
public interface Benchmarks {
    /** Adds benchmarks to the suite. */
    void define(Suite suite) throws Exception;
}
