package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Tests reading HotSpot's shared memory, from files with HotSpot's layout. */
public final class PerfDataTest {
    private static final int HEADER = 32;
    private static final int ENTRY = 20;

    /** Returns a file with one counter per name, with the values 1, 2 and so on. */
    private static byte[] written(ByteOrder order, String... names) {
        ByteBuffer bytes = ByteBuffer.allocate(1024).order(order);
        bytes.put(new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xc0, (byte) 0xc0});
        bytes.put((byte) (order == ByteOrder.BIG_ENDIAN ? 0 : 1)).put((byte) 2);
        bytes.putInt(24, HEADER).putInt(28, names.length);
        int entry = HEADER;
        for (int i = 0; i < names.length; i++) {
            int data = (ENTRY + names[i].length() + 8) / 8 * 8;
            bytes.putInt(entry, data + 8).putInt(entry + 4, ENTRY).putInt(entry + 8, 0);
            bytes.put(entry + 12, (byte) 'J').putInt(entry + 16, data).putLong(entry + data, i + 1);
            byte[] name = names[i].getBytes(StandardCharsets.US_ASCII);
            for (int at = 0; at < name.length; at++) bytes.put(entry + ENTRY + at, name[at]);
            entry += data + 8;
        }
        return Arrays.copyOf(bytes.array(), entry);
    }

    private interface Use {
        void of(Path file) throws IOException;
    }

    private static void with(byte[] bytes, Use use) throws IOException {
        Path file = Files.createTempFile("derny", ".hsperfdata");
        try {
            Files.write(file, bytes);
            use.of(file);
        } finally {
            Files.delete(file);
        }
    }

    void testCountersAreFoundAndReadAgain() throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            with(written(order, "sun.rt.safepoints", "sun.ci.totalCompiles"), (file) -> {
                PerfData perf = PerfData.at(file);
                int place = perf.find("sun.ci.totalCompiles");
                equal(1L, perf.at(perf.find("sun.rt.safepoints")));
                equal(2L, perf.at(place));
                equal(-1, perf.find("sun.gc.collector.0.time"));
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write((ByteBuffer) ByteBuffer.allocate(8).order(order).putLong(0, 42), place);
                }
                equal(42L, perf.at(place));
            });
        }
    }

    void testWhatIsNoSuchFileIsNothing() throws IOException {
        byte[] whole = written(ByteOrder.LITTLE_ENDIAN, "sun.rt.safepoints");
        byte[] later = whole.clone();
        later[5] = 9;
        byte[] stuck = whole.clone();
        // A file that claims a thousand million entries of length 0.
        ByteBuffer.wrap(stuck).order(ByteOrder.LITTLE_ENDIAN).putInt(28, 1_000_000_000).putInt(HEADER, 0);
        byte[][] broken = {{}, "hello".getBytes(StandardCharsets.US_ASCII), Arrays.copyOf(whole, 40), later, stuck};
        for (byte[] bytes : broken) with(bytes, (file) -> that(PerfData.at(file) == null, Arrays.toString(bytes)));
        that(PerfData.at(Files.createTempDirectory("derny").resolve("absent")) == null, "an absent file was read");
    }
}
