package derny;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Consumes values, so that the compiler cannot remove their computation. The return value of a benchmark is always consumed.
 * A benchmark that computes several values takes a {@code Blackhole} as a parameter, or calls its static methods.
 *
 * <p>If Derny starts the JVM, it makes the just-in-time compiler treat a call of these methods as a use of the value, without
 * compiling a call (a <em>compiler blackhole</em>, in HotSpot of Java 17 and later). Otherwise, each call executes an ordered
 * store, which takes about a nanosecond.
 */
public final class Blackhole {
    /**
     * Holds the consumed object. Replaced for each turn, because with G1, a store into an old object takes
     * about 10 ns: it waits for all earlier stores.
     */
    private static AtomicReference<Object> object = new AtomicReference<>();
    private static final AtomicLong NUMBER = new AtomicLong();
    static final Blackhole INSTANCE = new Blackhole();
    /** Flag that makes HotSpot treat calls of these methods as uses of their arguments. */
    static final String COMPILE_COMMAND = "-XX:CompileCommand=blackhole,derny.Sink::take";

    /**
     * True if HotSpot treats calls of {@link Sink} as uses. For the just-in-time compiler this is a constant, so it removes
     * the branches that are not taken.
     */
    private static final boolean IS_COMPILERS = Settings.hasCompilerBlackhole(ManagementFactory.getRuntimeMXBean().getInputArguments());

    private Blackhole() {}

    public static void consume(Object value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            object.lazySet(value);
        }
    }

    public static void consume(boolean value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value ? 1 : 0);
        }
    }

    public static void consume(byte value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value);
        }
    }

    public static void consume(char value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value);
        }
    }

    public static void consume(short value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value);
        }
    }

    public static void consume(int value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value);
        }
    }

    public static void consume(long value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(value);
        }
    }

    public static void consume(float value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(Float.floatToRawIntBits(value));
        }
    }

    public static void consume(double value) {
        if (IS_COMPILERS) {
            Sink.take(value);
        } else {
            NUMBER.lazySet(Double.doubleToRawLongBits(value));
        }
    }

    /** Drops the last consumed object, so that it can be collected. Called before or after a turn. */
    public static void forget() {
        object = new AtomicReference<>();
    }
}
