import derny.Benchmark;
import derny.Level;
import derny.Param;
import derny.Setup;
import derny.State;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Sorting changes its input, so the second iteration has nothing to do. */
public class SetupBench {
    @Param("1000")
    int n;

    private double[] numbers;

    // The seed gives the same unsorted numbers in every process, so that all processes sort the same input.
    @Setup
    public void setup() {
        numbers = new Random(42).doubles(n).toArray();
    }

    // WRONG: the first iteration sorts, all later ones get an array that is already sorted.
    @Benchmark("1 wrong: sorted once")
    public double[] sortedOnce() {
        Arrays.sort(numbers);
        return numbers;
    }

    // BETTER: every iteration sorts a copy, but the copying is timed too.
    @Benchmark("2 copy timed")
    public double[] copyTimed() {
        double[] copy = numbers.clone();
        Arrays.sort(copy);
        return copy;
    }

    // RIGHT: a set-up that returns a value makes an input for every iteration, before the batch and
    // untimed.
    @Setup(Level.ITERATION)
    public double[] fresh() {
        return numbers.clone();
    }

    @Benchmark("3 fresh input")
    public double[] freshInput(double[] input) {
        Arrays.sort(input);
        return input;
    }

    /** The set-up at the level of batches empties the cache before each batch. */
    @State
    public static class Cache {
        final Map<Integer, String> map = new HashMap<>();

        @Setup(Level.BATCH)
        public void clear() {
            map.clear();
        }
    }

    @Benchmark("4 before each batch")
    public String beforeEachBatch(Cache cache) {
        return cache.map.put(cache.map.size(), "value");
    }
}
