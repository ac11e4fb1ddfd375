package truth;

/** The body with survivors in a plain loop: HeapPlain [WARM_MS [MEASURE_MS [SLICE_NS]]]. */
public final class HeapPlain {
    private static final long TRAINING_NS = 1_000_000_000L, SHORT = 16;

    public static void main(String[] words) {
        Survivors survivors = new Survivors();
        Plain.Slice slice = n -> {
            long start = System.nanoTime();
            for (long i = 0; i < n; i++) Plain.integer = survivors.step();
            return System.nanoTime() - start;
        };
        // A method that is called often is compiled as a whole. With long slices from the start,
        // only the loop would be compiled, for entry in its middle, and that code is about 5 %
        // faster here.
        for (long end = System.nanoTime() + TRAINING_NS; System.nanoTime() < end; ) slice.take(SHORT);
        System.out.println(Plain.measure(slice, words));
    }
}
