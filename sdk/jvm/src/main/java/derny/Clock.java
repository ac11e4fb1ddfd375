package derny;

/** The monotonic clock, {@code System.nanoTime}, and its resolution. */
final class Clock {
    private static final int DIFFERENCES = 200;
    private static final int TRIES = 1_000_000;

    private Clock() {}

    /** Returns the largest step, in ns, that divides all observed differences between readings. */
    static long stepNs() {
        long step = 0;
        long last = System.nanoTime();
        for (int seen = 0, tries = 0; seen < DIFFERENCES && tries < TRIES; tries++) {
            long reading = System.nanoTime();
            if (reading == last) continue;
            step = commonDivisor(reading - last, step);
            last = reading;
            seen++;
        }
        return Math.max(1, step);
    }

    private static long commonDivisor(long a, long b) {
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return Math.abs(a);
    }
}
