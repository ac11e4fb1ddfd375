package derny;

/**
 * Empty methods. With {@code -XX:CompileCommand=blackhole,derny.Sink::take}, HotSpot treats their calls as uses of their
 * arguments. It does that only for empty methods; without the flag they do nothing.
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
