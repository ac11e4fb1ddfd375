package derny;

/**
 * The empty methods whose calls HotSpot takes for uses of their arguments, where it is told so
 * ({@code -XX:CompileCommand=blackhole,derny.Sink::take}). It does that for empty methods only; without the flag they do nothing.
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
