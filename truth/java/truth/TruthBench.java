package truth;

import derny.Benchmark;

/** The bodies, as benchmarks of Derny. */
public class TruthBench {
    private final Bodies bodies = new Bodies();

    @Benchmark
    public Object objects() {
        return bodies.objects();
    }

    @Benchmark
    public Object buffer() {
        return bodies.buffer();
    }

    @Benchmark
    public Object strings() {
        return bodies.strings();
    }

    @Benchmark
    public Object join() {
        return bodies.join();
    }

    @Benchmark
    public Object builder() {
        return bodies.builder();
    }

    @Benchmark
    public Object map() {
        return bodies.map();
    }

    @Benchmark
    public Object sort() {
        return bodies.sort();
    }

    @Benchmark
    public Object parse() {
        return bodies.parse();
    }

    @Benchmark
    public Object closures() {
        return bodies.closures();
    }

    @Benchmark
    public Object stream() {
        return bodies.stream();
    }

    @Benchmark
    public double sum() {
        return bodies.sum();
    }

    @Benchmark
    public long mix() {
        return bodies.mix();
    }

    @Benchmark
    public long search() {
        return bodies.search();
    }

    @Benchmark
    public Object matrix() {
        return bodies.matrix();
    }
}
