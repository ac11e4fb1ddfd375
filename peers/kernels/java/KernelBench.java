import derny.Benchmark;

/** The kernel under Derny: its work per iteration is a number read at run time, so that two variants are the same code. */
public class KernelBench {
    private long steps = Kernel.STEPS + Long.parseLong(System.getenv().getOrDefault("KERNEL_EXTRA", "0"));

    @Benchmark
    public long mix() {
        return Kernel.mix(steps, Kernel.SEED);
    }
}
