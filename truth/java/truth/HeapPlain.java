package truth;

/** The body with survivors in a plain loop: HeapPlain [WARM_MS [MEASURE_MS [SLICE_NS]]]. */
public final class HeapPlain {
    public static void main(String[] words) {
        Survivors survivors = new Survivors();
        System.out.println(Plain.measure(n -> {
            long start = System.nanoTime();
            for (long i = 0; i < n; i++) Plain.integer = survivors.step();
            return System.nanoTime() - start;
        }, words));
    }
}
