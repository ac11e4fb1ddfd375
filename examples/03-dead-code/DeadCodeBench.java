import derny.Benchmark;
import derny.Blackhole;

/** Computes a square root and a cube root, in right and wrong ways. */
public class DeadCodeBench {
    private static final double RADIUS = 3;
    private final double[] radii = new double[16];
    private int next;

    public DeadCodeBench() {
        for (int i = 0; i < radii.length; i++) radii[i] = i + 1;
    }

    private static double root(double radius) {
        return Math.sqrt(radius) / Math.sqrt(radius + 1);
    }

    private double radius() {
        return radii[next++ & 15];
    }

    // WRONG: the result is unused, so the compiler may remove the computation.
    @Benchmark("1 wrong: result dropped")
    public void dropped() {
        root(radius());
    }

    // WRONG: the input is a constant, so the compiler may compute the result once, before the loop.
    @Benchmark("2 wrong: constant input")
    public double constant() {
        return root(RADIUS);
    }

    // RIGHT: the input is read from memory, and the result is returned.
    @Benchmark("3 right")
    public double right() {
        return root(radius());
    }

    // RIGHT: a value that is not returned goes into the black hole.
    @Benchmark("4 right: two results")
    public double two() {
        double radius = radius();
        Blackhole.consume(root(radius));
        return radius;
    }

    // The cost that all benchmarks share: the loop, reading the input, keeping the result.
    @Benchmark("5 nothing")
    public double nothing() {
        return radius();
    }
}
