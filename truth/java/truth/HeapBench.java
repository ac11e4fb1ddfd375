package truth;

import derny.Benchmark;

/** The body with survivors, as a benchmark of Derny. */
public class HeapBench {
    private final Survivors survivors = new Survivors();

    @Benchmark
    public long step() {
        return survivors.step();
    }
}
