import java.util.Arrays;

/**
 * The kernel, and a program that times all its variants in one process: {@code java Kernel ROUNDS}.
 */
public class Kernel {
    /** Number of dependent steps of an iteration, without the extra. */
    static final long STEPS = 3_200;

    /** Start value, any number except 0. */
    static final long SEED = 0x9e3779b97f4a7c15L;

    /** Returns the result of {@code steps} dependent xorshift steps from x. */
    static long mix(long steps, long x) {
        for (long i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    private static long sink;

    public static void main(String[] words) {
        int rounds = Integer.parseInt(words[0]);
        int[] extras = {0, 0, 16, 32, 64, 160};
        double[][] ratios = new double[extras.length][rounds];
        for (int round = -500; round < rounds; round++) {
            double[] times = new double[extras.length];
            for (int at = 0; at < extras.length; at++) {
                // A turn has 100 batches of 2 iterations. Its value is the median.
                int own = (at + round + 500) % extras.length;
                times[own] = turn(STEPS + extras[own]);
            }
            for (int at = 0; at < extras.length && round >= 0; at++) ratios[at][round] = times[at] / times[0];
        }
        for (int at = 1; at < extras.length; at++) {
            Arrays.sort(ratios[at]);
            System.out.printf("%d: %.5f%n", extras[at], ratios[at][rounds / 2]);
        }
    }

    private static double turn(long steps) {
        long[] times = new long[100];
        for (int batch = 0; batch < times.length; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < 2; i++) sink ^= mix(steps, SEED + sink % 2);
            times[batch] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
