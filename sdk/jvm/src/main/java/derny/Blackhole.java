package derny;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Consumes results, so that the compiler must produce them. The return value of a benchmark is consumed anyway. A benchmark that
 * computes several values takes a {@code Blackhole} as a parameter, or calls these methods.
 *
 * <p>If Derny starts the JVM, it instructs the just-in-time compiler to treat a call of these methods as a use of the value and
 * to compile no call at all (a <em>compiler blackhole</em>, HotSpot of Java 17 and later). Otherwise the bodies below run: an
 * ordered store, which no compiler may remove, of about a nanosecond.
 */
public final class Blackhole {
    /**
     * A new one for each turn: with G1, a store into an old object waits for all earlier stores, about ten
     * nanoseconds each.
     */
    private static AtomicReference<Object> object = new AtomicReference<>();
    private static final AtomicLong NUMBER = new AtomicLong();
    static final Blackhole INSTANCE = new Blackhole();
    /** Flag that makes HotSpot treat these methods as uses. */
    static final String COMPILE_COMMAND = "-XX:CompileCommand=blackhole,derny.Sink::take";

    /** A constant for the compiler: one of the two branches below is never compiled. */
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

    /**
     * Forgets the last consumed object, so that it is not kept alive between turns. Called before or after a
     * turn.
     */
    public static void forget() {
        object = new AtomicReference<>();
    }
}
