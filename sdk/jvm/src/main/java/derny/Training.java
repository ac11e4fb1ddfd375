package derny;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Runs a short session without an engine to fill the class archive that makes later processes start faster.
 * run.sh starts it with {@code -XX:ArchiveClassesAtExit}.
 */
public final class Training {
    private static final String COMMANDS = "list\nopen benchmark=trained p.n=1\nmeasure iterations=1 batches=2 within=1000000 hash=1\n"
        + "overhead iterations=1 batches=1\ncollect\nclose\nopen benchmark=built\nmeasure iterations=1 batches=1 within=1\nclose\nquit\n";

    private Training() {}

    /** Sample benchmarks, one of each kind. */
    public static class Trained {
        @Param("1")
        public int n;

        @Setup
        public void setup() {
            n++;
        }

        @Benchmark("trained")
        public String annotated() {
            return String.valueOf(n);
        }
    }

    public static void main(String[] args) throws IOException {
        Suite suite = new Suite().add(Trained.class);
        suite.bench("built", () -> 1L);
        converse(suite);
    }

    /** Runs a session with the benchmarks `trained`, which has a parameter `n`, and `built`. */
    public static void converse(Suite suite) throws IOException {
        ByteArrayOutputStream replies = new ByteArrayOutputStream();
        new Session(suite, new Wire.Streams(new ByteArrayInputStream(COMMANDS.getBytes(StandardCharsets.UTF_8)), replies)).run();
        System.out.write(replies.toByteArray());
        System.out.flush();
    }
}
