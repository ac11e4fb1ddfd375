package derny;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the counters that HotSpot shares through the memory-mapped file {@code hsperfdata_USER/PID}. They
 * contain the times of compilations and collections in ns, which the management beans report in ms. A
 * reading is a load from memory.
 *
 * <p>Layout of the file: magic number, byte order and version; at offset 24, the offset of the first entry
 * and the number of entries. An entry contains its length, and the offsets and types of its name and value.
 * The file does not exist with {@code -XX:-UsePerfData} or on other virtual machines.
 */
final class PerfData {
    private static final int MAGIC = 0xcafec0c0;
    private static final int VERSION = 2;
    private static final int SHORTEST = 20;

    private final ByteBuffer bytes;
    private final Map<String, Integer> places = new HashMap<>();

    private PerfData(ByteBuffer bytes) {
        this.bytes = bytes;
        bytes.order(bytes.get(4) == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int entry = bytes.getInt(24);
        int count = bytes.getInt(28);
        for (int i = 0; i < count; i++) {
            int length = bytes.getInt(entry);
            boolean isOneLong = bytes.get(entry + 12) == 'J' && bytes.getInt(entry + 8) == 0;
            if (isOneLong) places.put(name(entry + bytes.getInt(entry + 4)), entry + bytes.getInt(entry + 16));
            // An entry of length 0 would cause an endless loop.
            entry += Math.max(length, SHORTEST);
        }
    }

    private String name(int at) {
        int end = at;
        while (bytes.get(end) != 0) end++;
        byte[] name = new byte[end - at];
        for (int i = 0; i < name.length; i++) name[i] = bytes.get(at + i);
        return new String(name, StandardCharsets.US_ASCII);
    }

    /** Returns the counters of this process, or null if they are not available. */
    static PerfData own(long pid) {
        String folder = System.getProperty("os.name").startsWith("Windows") ? System.getenv("TEMP") : "/tmp";
        return at(Paths.get(String.valueOf(folder), "hsperfdata_" + System.getProperty("user.name"), String.valueOf(pid)));
    }

    static PerfData at(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            boolean isKnown = bytes.order(ByteOrder.BIG_ENDIAN).getInt(0) == MAGIC && bytes.get(5) == VERSION;
            return isKnown ? new PerfData(bytes) : null;
        } catch (IOException | RuntimeException absent) {
            return null;
        }
    }

    /** Returns the position of a counter, for {@link #at(int)}, or -1 if there is none of this name. */
    int find(String name) {
        return places.getOrDefault(name, -1);
    }

    long at(int place) {
        return bytes.getLong(place);
    }
}
