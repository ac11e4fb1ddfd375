package derny;

import java.nio.file.Files;
import java.nio.file.Paths;

/** Settles its heap for 64 MB, allocates as much, and says whether that has touched memory for the first time. Linux tells that. */
final class Touched {
    private static final long BYTES = 64 << 20;
    /** What collections copy: G1 lets the heap grow for their sake. */
    private static final byte[][] KEPT = new byte[256][];
    private static volatile byte[] garbage;

    public static void main(String[] words) throws Exception {
        for (int i = 0; i < KEPT.length; i++) KEPT[i] = new byte[16 << 10];
        residentPages();
        Heap.settle(BYTES);
        long before = residentPages();
        for (long made = 0; made < BYTES; made += 1024) garbage = new byte[1000];
        long touched = (residentPages() - before) * 4096;
        System.out.println((touched < BYTES / 4 ? "was settled: " : "is young: ") + touched + " of " + BYTES + " bytes");
    }

    private static long residentPages() throws Exception {
        return Long.parseLong(new String(Files.readAllBytes(Paths.get("/proc/self/statm"))).split(" ")[1]);
    }
}
