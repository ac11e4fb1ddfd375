import derny.Benchmark;
import derny.Setup;
import derny.TearDown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Java's bodies wait for what is asynchronous: a file is read directly and through another thread. */
public class AsyncBench {
    private Path file;
    private ExecutorService pool;

    @Setup
    public void setup() throws IOException {
        file = Files.createTempFile("derny", ".txt");
        Files.write(file, new byte[1500]);
        pool = Executors.newSingleThreadExecutor();
    }

    @TearDown
    public void teardown() throws IOException {
        pool.shutdown();
        Files.delete(file);
    }

    private byte[] read() {
        try {
            return Files.readAllBytes(file);
        } catch (IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    @Benchmark("read/synchronous")
    public byte[] synchronous() {
        return read();
    }

    // Handed to another thread and waited for: the detour is timed, as it should be.
    @Benchmark("read/future")
    public byte[] future() {
        return CompletableFuture.supplyAsync(this::read, pool).join();
    }

    // What waiting costs by itself, where nothing has to be waited for.
    @Benchmark("join")
    public Integer join() {
        return CompletableFuture.completedFuture(1).join();
    }
}
