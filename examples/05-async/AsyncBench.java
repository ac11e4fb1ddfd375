import derny.Benchmark;
import derny.Setup;
import derny.TearDown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Reads a file directly and in another thread. Bodies in Java wait for asynchronous work
 * themselves.
 */
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

    // Reads in another thread. The time includes handing over and waiting, as it should.
    @Benchmark("read/future")
    public byte[] future() {
        return CompletableFuture.supplyAsync(this::read, pool).join();
    }

    // Measures the cost of waiting for a completed future.
    @Benchmark("join")
    public Integer join() {
        return CompletableFuture.completedFuture(1).join();
    }
}
