package x;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.Control;

/** One benchmark for each feature that a jar of JMH may use. */
@State(Scope.Benchmark)
@BenchmarkMode({Mode.Throughput, Mode.AverageTime})
public class Many {
    @Param({"1", "100"})
    public int n;
    private int own;

    @Setup
    public void setUp() {
        if (n == 666) throw new IllegalStateException("no such number");
        System.err.println("trial begins");
    }

    @TearDown
    public void tearDown() {
        System.err.println("trial ends");
    }

    @Benchmark
    public byte[] allocate() {
        return new byte[n];
    }

    @Benchmark
    public void nothing(Blackhole hole) {
        hole.consume(own);
    }

    @Benchmark
    @OperationsPerInvocation(1000)
    public void operations() {
        Blackhole.consumeCPU(100_000);
    }

    @Benchmark
    public void tokens() {
        Blackhole.consumeCPU(100);
    }

    @State(Scope.Thread)
    public static class Filled {
        static int iterations;
        final List<Integer> list = new ArrayList<>();
        int calls;

        @Setup(Level.Iteration)
        public void fill() {
            for (int i = 0; i < 1000; i++) list.add(i);
            calls = 0;
            iterations++;
        }

        @TearDown(Level.Iteration)
        public void clear() {
            list.clear();
        }
    }

    @Benchmark
    public int iteration(Filled filled) {
        if (filled.list.size() != 1000) throw new IllegalStateException("not filled, or filled twice: " + filled.list.size());
        filled.calls++;
        return filled.list.get(filled.calls % 1000);
    }

    @State(Scope.Thread)
    public static class Each {
        boolean isFresh;

        @Setup(Level.Invocation)
        public void make() {
            isFresh = true;
        }
    }

    @Benchmark
    public void invocation(Each each) {
        if (!each.isFresh) throw new IllegalStateException("used twice");
        each.isFresh = false;
    }

    private final AtomicLong total = new AtomicLong();

    @Benchmark
    @Threads(2)
    public long together() {
        return total.incrementAndGet();
    }

    @State(Scope.Group)
    public static class Shared {
        final AtomicLong count = new AtomicLong();
    }

    /**
     * Waits for `pong`. Without the check for the end of the iteration, it might wait
     * forever.
     */
    @Benchmark
    @Group("turns")
    @GroupThreads(1)
    public void ping(Shared shared, Control control) {
        while (!control.stopMeasurement && !shared.count.compareAndSet(0, 1)) continue;
    }

    @Benchmark
    @Group("turns")
    @GroupThreads(1)
    public void pong(Shared shared, Control control) {
        while (!control.stopMeasurement && !shared.count.compareAndSet(1, 0)) continue;
    }

    @AuxCounters
    @State(Scope.Thread)
    public static class Seen {
        public long even;
        public long odd;
    }

    @Benchmark
    public int counted(Seen seen) {
        if ((own++ & 1) == 0) {
            seen.even++;
        } else {
            seen.odd++;
        }
        return own;
    }

    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Measurement(batchSize = 3)
    public void cold() throws InterruptedException {
        if (own++ >= 3) throw new IllegalStateException("called again in a process");
        TimeUnit.MILLISECONDS.sleep(2);
    }

    @Benchmark
    @Fork(jvmArgsAppend = "-Dkind=own")
    public int property() {
        return System.getProperty("kind").length();
    }
}
