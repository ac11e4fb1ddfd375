package truth;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Some of the bodies, as benchmarks of JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TruthJmh {
    private final Bodies bodies = new Bodies();

    @Benchmark
    public Object objects() {
        return bodies.objects();
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
    public Object sort() {
        return bodies.sort();
    }

    @Benchmark
    public Object stream() {
        return bodies.stream();
    }

    @Benchmark
    public double sum() {
        return bodies.sum();
    }
}
