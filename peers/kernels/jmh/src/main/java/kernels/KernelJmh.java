package kernels;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The kernel, whose work is read at run time, and bodies of other kinds, as benchmarks of JMH. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class KernelJmh {
    private final long steps = Kernel.STEPS + Long.parseLong(System.getenv().getOrDefault("KERNEL_EXTRA", "0"));
    private final Map<Integer, Integer> map = new HashMap<>();
    private final int[] numbers = new int[1000];
    private int small = 17;
    private double angle = Math.PI;
    private String word = "value";

    @Setup
    public void fill() {
        for (int i = 0; i < numbers.length; i++) {
            map.put(i * 7, i);
            numbers[i] = i;
        }
    }

    @Benchmark
    public long mix() {
        return Kernel.mix(steps, Kernel.SEED);
    }

    @Benchmark
    public void empty() { }

    @Benchmark
    public int add() {
        return small + numbers[1];
    }

    @Benchmark
    public double log() {
        return Math.log(angle);
    }

    @Benchmark
    public String text() {
        return new StringBuilder().append(word).append('=').append(small).append(", ").append(numbers[3]).toString();
    }

    @Benchmark
    public int lookup() {
        int sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            Integer found = map.get(i);
            if (found != null) sum += found;
        }
        return sum;
    }

    @Benchmark
    public Object objects() {
        Object[] all = new Object[100];
        for (int i = 0; i < all.length; i++) all[i] = new int[i % 10];
        return all;
    }

    @Benchmark
    public long sum() {
        long sum = 0;
        for (int number : numbers) sum += number;
        return sum;
    }
}
