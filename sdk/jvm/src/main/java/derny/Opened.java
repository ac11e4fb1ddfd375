package derny;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An open case whose set-up has run: its body, and the hooks around its batches. Runs turns. Independent of
 * the protocol.
 */
final class Opened {
    /** Maximum number of batches in a turn. */
    static final int BATCH_LIMIT = 4096;
    /**
     * Times of a turn's batches, in ns. Shared by all cases, so that memory use does not depend on the number
     * of batches.
     */
    static final long[] TIMES = new long[BATCH_LIMIT];
    private static final long COMPILING_NS = 30_000_000;
    static final double[] OPERATIONS = new double[BATCH_LIMIT];

    interface Hook {
        void run(long iterations) throws Throwable;
    }

    interface SelfTimed {
        void run(Timer timer) throws Throwable;
    }

    interface Call {
        void run() throws Throwable;
    }

    interface Source {
        Object make() throws Throwable;
    }

    interface Reading {
        double read() throws Throwable;
    }

    interface Batch {
        /**
         * Calls the body {@code iterations} times and returns the time in ns. Counts only events of these
         * calls.
         */
        long run(long iterations, Counters counters) throws Throwable;
    }

    interface Turn {
        /**
         * Runs a turn, stores its times in the shared buffer, and returns their number. Counts only events of
         * the turn.
         */
        int run(long iterations, int batches, long withinNs, Counters counters) throws Throwable;
    }

    /** Times an empty body, if the loop is not one of {@link LoopClass}. */
    Batch floor;
    /** Exactly one of the following five fields is set. */
    Loop loop;
    Turn turn;
    Batch foreign;
    SelfTimed selfTimed;
    Call untimed;

    Hook before;
    Hook after;
    Call close = () -> { };
    LoopClass.Inputs inputs;
    Source fresh;
    final List<Reading> readings = new ArrayList<>();
    /** Other values reported by the last turn. Keys have the form `NAME:UNIT:WORDS`. */
    final Map<String, Double> reported = new LinkedHashMap<>();
    /** True if the body must be called only once. */
    boolean once;
    private Batch empty;
    private boolean isClockCompiled;
    /** Result of the last call of a turn, if the engine requested it. */
    Object result;

    boolean isSelfTimed() {
        return selfTimed != null;
    }

    boolean hasTimes() {
        return untimed == null;
    }

    /**
     * Runs one turn. Its times are stored in the shared buffers, as are the operations of a body that
     * measures its own time.
     *
     * @param wantsResult true to keep the result of the last call
     * @return the number of batches
     */
    int measure(long iterations, int batches, long withinNs, boolean wantsResult, Counters counters) throws Throwable {
        if (turn != null) return turn.run(iterations, batches, withinNs, counters);
        long start = System.nanoTime();
        int count = 0;
        while (count < batches) {
            prepare(iterations, counters);
            TIMES[count] = batch(iterations, count, wantsResult, counters);
            count++;
            if (after != null) {
                counters.pause();
                after.run(iterations);
                counters.resume();
            }
            if (System.nanoTime() - start >= withinNs) break;
        }
        return count;
    }

    private long batch(long iterations, int index, boolean wantsResult, Counters counters) throws Throwable {
        if (foreign != null) return foreign.run(iterations, counters);
        if (selfTimed != null) {
            Timer timer = new Timer(iterations, counters);
            selfTimed.run(timer);
            return tell(timer, index);
        }
        if (untimed != null) {
            for (long i = 0; i < iterations; i++) untimed.run();
            return 0;
        }
        if (!wantsResult) return calls(loop, iterations);
        // Make the last call separately, because the loop keeps no results.
        long before = iterations == 1 ? 0 : calls(loop, iterations - 1);
        if (inputs != null) inputs.values[0] = inputs.values[Math.toIntExact(iterations - 1)];
        long start = System.nanoTime();
        result = loop.once();
        return before + System.nanoTime() - start;
    }

    private static long calls(Loop loop, long iterations) throws Throwable {
        if (iterations <= Integer.MAX_VALUE) return loop.batch((int) iterations);
        long sum = 0;
        for (long left = iterations; left > 0; left -= Integer.MAX_VALUE) {
            sum += loop.batch((int) Math.min(left, Integer.MAX_VALUE));
        }
        return sum;
    }

    private void prepare(long iterations, Counters counters) throws Throwable {
        if (before == null && inputs == null) return;
        counters.pause();
        if (inputs != null) fill(iterations);
        if (before != null) before.run(iterations);
        counters.resume();
    }

    private void fill(long iterations) throws Throwable {
        int count = Math.toIntExact(iterations);
        if (inputs.values.length < count) inputs.values = new Object[count];
        for (int i = 0; i < count; i++) inputs.values[i] = fresh.make();
    }

    /** Runs a turn of an empty body, with the same kind of loop or the same timer. */
    int overhead(long iterations, int batches) throws Throwable {
        if (isSelfTimed()) return selfTimedOverhead(iterations, batches);
        if (loop == null && turn == null && foreign == null) throw new IllegalStateException("overhead: this case has no loop");
        if (empty == null) {
            empty = floor != null ? floor : emptyLoop();
            compile(empty);
        }
        for (int i = 0; i < batches; i++) TIMES[i] = empty.run(iterations, null);
        return batches;
    }

    private static Batch emptyLoop() throws Throwable {
        Loop loop = LoopClass.of(Definition.methodOf(Body.OfVoid.class), (Body.OfVoid) () -> { }, new Object[0], MethodHandles.lookup());
        return (iterations, counters) -> calls(loop, iterations);
    }

    private int selfTimedOverhead(long iterations, int batches) {
        long start = System.nanoTime();
        while (!isClockCompiled && System.nanoTime() - start < COMPILING_NS) nothing(iterations, 0);
        isClockCompiled = true;
        for (int i = 0; i < batches; i++) nothing(iterations, i);
        return batches;
    }

    /** Times an empty body that starts and stops a timer. */
    private static void nothing(long iterations, int index) {
        Timer timer = new Timer(iterations);
        timer.start();
        timer.stop();
        tell(timer, index);
    }

    private static long tell(Timer timer, int index) {
        OPERATIONS[index] = timer.operations();
        return TIMES[index] = timer.elapsedNs();
    }

    /** Runs the empty loop until it is compiled. The body's loop is already compiled when it is measured. */
    private static void compile(Batch loop) throws Throwable {
        long start = System.nanoTime();
        while (System.nanoTime() - start < COMPILING_NS) loop.run(1000, null);
    }

    /** Calls the body once without timing it. Returns its result, or null if there is none. */
    Object check() throws Throwable {
        if (inputs != null) fill(1);
        if (before != null) before.run(1);
        Object value = null;
        if (loop != null) {
            value = loop.once();
        } else if (turn != null) {
            turn.run(1, 1, Long.MAX_VALUE, null);
        } else if (foreign != null) {
            foreign.run(1, null);
        } else if (selfTimed != null) {
            selfTimed.run(new Timer(1));
        } else {
            untimed.run();
        }
        if (after != null) after.run(1);
        return value;
    }

    /** Drops the result and the inputs of the last batch after a turn, so that they can be collected. */
    void forget() {
        result = null;
        Blackhole.forget();
        if (inputs != null) java.util.Arrays.fill(inputs.values, null);
    }
}
