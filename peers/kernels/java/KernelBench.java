import derny.Benchmark;

/**
 * The kernel, as a benchmark of Derny. The work per iteration is read at run time, so two variants
 * have the same code.
 */
public class KernelBench {
    private long steps = Kernel.STEPS + Long.parseLong(System.getenv().getOrDefault("KERNEL_EXTRA", "0"));

    @Benchmark
    public long mix() {
        return Kernel.mix(steps, Kernel.SEED);
    }
}
