package truth;

/** A body whose garbage is mixed with objects that live on for a while: what a collection copies, and what it costs. */
public final class Survivors {
    /** How many live at any time: less than 1 MB, which fits into the survivor space of a young generation of 16 MB. */
    private static final int ALIVE = 32_768;
    private static final int CREATED = 64;
    /** Work for each: so much that a turn of 2 ms seldom has a collection. */
    private static final int STEPS = 24;

    private final int[][] alive = new int[ALIVE][];
    private int at;

    /** Creates some objects, works for each, and keeps them until 32,768 others have come. */
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
