import derny.Benchmark;

/** The bodies, as benchmarks of Derny. */
public class BodiesBench {
    private final int steps = 3200 + Integer.parseInt(System.getenv().getOrDefault("KERNEL_EXTRA", "0"));
    private final Object[] kept = new Object[16];

    @Benchmark
    public long mix() {
        long x = 0x9e3779b97f4a7c15L;
        for (int i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    @Benchmark
    public Object allocate() {
        for (int i = 0; i < steps / 16; i++) kept[i & 15] = new long[8];
        return kept;
    }
}
