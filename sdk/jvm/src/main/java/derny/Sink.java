package derny;

/**
 * Empty methods. With {@code -XX:CompileCommand=blackhole,derny.Sink::take}, HotSpot treats a call as a use
 * of its argument, which it does for empty methods only. Without the flag, a call has no effect.
 */
final class Sink {
    private Sink() {}

    static void take(Object value) {
    }

    static void take(boolean value) {
    }

    static void take(byte value) {
    }

    static void take(char value) {
    }

    static void take(short value) {
    }

    static void take(int value) {
    }

    static void take(long value) {
    }

    static void take(float value) {
    }

    static void take(double value) {
    }
}
