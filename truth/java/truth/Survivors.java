package truth;

/** A body that creates garbage and objects that live longer, which a collection has to copy. */
public final class Survivors {
    /**
     * Number of objects alive at any time. They take less than 1 MB and fit into the survivor space
     * of a young generation of 16 MB.
     */
    private static final int ALIVE = 32_768;
    private static final int CREATED = 64;
    /** Work for each object, enough that a turn of 2 ms seldom contains a collection. */
    private static final int STEPS = 24;

    private final int[][] alive = new int[ALIVE][];
    private int at;

    /**
     * Creates some objects, works for each, and keeps them until 32,768 others have been created.
     */
    public long step() {
        long sum = 0;
        for (int i = 0; i < CREATED; i++) {
            int x = at + 1;
            for (int k = 0; k < STEPS; k++) {
                x ^= x << 13;
                x ^= x >>> 17;
                x ^= x << 5;
            }
            alive[at] = new int[] {x, i};
            at = (at + 1) % ALIVE;
            sum += x;
        }
        return sum;
    }
}
