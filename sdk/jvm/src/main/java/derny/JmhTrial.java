package derny;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The states of a JMH benchmark and the threads that call it, from the trial's set-up to its tear-down. The
 * thread of the conversation is the first measuring thread, so that its counters are those of the body.
 */
final class JmhTrial {
    static final String SINGLE = "SingleShotTime";
    private static final JmhHooks.Watch NOTHING = new JmhHooks.Watch() {
        @Override
        public void isSetUp() { }

        @Override
        public void begins() { }

        @Override
        public void ended() { }
    };

    final JmhBenchmark of;
    final Object params;
    final int threads;
    private final Class<?> generated;
    private final MethodHandle task;
    private final Object[] instances;
    private final Object[] places;
    private final List<ExecutorService> others = new ArrayList<>();

    JmhTrial(JmhBenchmark of, Class<?> generated, String mode, Map<String, String> values) throws ReflectiveOperationException {
        this.of = of;
        this.generated = generated;
        threads = of.threads();
        task = of.task(generated, mode);
        params = JmhApi.benchmark(of, mode, values);
        instances = new Object[threads];
        for (int i = 0; i < threads; i++) instances[i] = generated.getConstructor().newInstance();
        places = places(threads, of.groups);
        for (int i = 1; i < threads; i++) others.add(Executors.newSingleThreadExecutor(JmhTrial::daemon));
    }

    static Thread daemon(Runnable what) {
        Thread thread = new Thread(what);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Returns JMH's description of each thread's position. Threads are ordered by group and, within a group,
     * by method.
     */
    private static Object[] places(int threads, int[] groups) {
        int size = 0;
        for (int one : groups) size += one;
        Object[] places = new Object[threads];
        for (int thread = 0; thread < threads; thread++) {
            int inGroup = thread % size, method = 0, inMethod = inGroup;
            while (inMethod >= groups[method]) inMethod -= groups[method++];
            places[thread] = JmhApi.made(JmhApi.type("infra.ThreadParams"), thread, threads, thread / size, threads / size, method, groups.length,
                inGroup, size, inMethod, groups[method]);
        }
        return places;
    }

    /** Makes all states and runs their trial-level set-up, without an iteration. */
    void open() throws Throwable {
        JmhHooks.Watch stop = new JmhHooks.Watch() {
            @Override
            public void isSetUp() {
                throw new JmhHooks.Stop();
            }

            @Override
            public void begins() { }

            @Override
            public void ended() { }
        };
        iteration(JmhApi.control(params, JmhApi.iteration(0, 0), threads, true, false), i -> stop);
    }

    /**
     * Runs the trial-level tear-down in a single-shot iteration without calls. Other modes would require a
     * complete iteration with fixtures.
     */
    void end() throws Throwable {
        try {
            iteration(of.task(generated, SINGLE), JmhApi.control(params, JmhApi.iteration(0, 0), threads, false, true), thread -> NOTHING);
        } finally {
            close();
        }
    }

    void close() {
        for (ExecutorService one : others) one.shutdownNow();
    }

    interface Watches {
        JmhHooks.Watch of(int thread);
    }

    /**
     * Runs one iteration on all threads. Returns their results, which are null for threads that {@code Stop}
     * ended. Throws the first exception.
     */
    List<Object> iteration(Object control, Watches watches) throws Throwable {
        return iteration(task, control, watches);
    }

    /** Runs one iteration of a single-threaded benchmark. */
    void alone(Object control, JmhHooks.Watch watch) {
        call(task, 0, control, watch);
    }

    private List<Object> iteration(MethodHandle task, Object control, Watches watches) throws Throwable {
        List<Future<Object>> rest = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            int thread = i;
            rest.add(others.get(i - 1).submit(() -> call(task, thread, control, watches.of(thread))));
        }
        List<Object> results = new ArrayList<>();
        Throwable thrown = null;
        try {
            results.add(call(task, 0, control, watches.of(0)));
        } catch (Throwable error) {
            thrown = error;
        }
        for (Future<Object> one : rest) {
            try {
                results.add(one.get());
            } catch (ExecutionException error) {
                thrown = thrown == null || isEcho(thrown) ? error.getCause() : thrown;
            }
        }
        if (thrown != null) throw thrown;
        return results;
    }

    /** Returns true if the exception was caused by the failure of another thread. */
    private static boolean isEcho(Throwable thrown) {
        return thrown.getClass().getSimpleName().equals("FailureAssistException");
    }

    private Object call(MethodHandle task, int thread, Object control, JmhHooks.Watch watch) {
        JmhHooks.watch(watch, threads == 1);
        try {
            return (Object) task.invokeExact(instances[thread], control, places[thread]);
        } catch (JmhHooks.Stop stopped) {
            return null;
        } catch (Throwable thrown) {
            release(control);
            throw JmhApi.<RuntimeException>sneaky(thrown);
        }
    }

    /** Releases the other threads, which would otherwise wait for this one after it has failed. */
    private void release(Object control) {
        JmhHooks.watch(NOTHING, threads == 1);
        try {
            JmhApi.set(control, "isFailing", true);
            for (String gate : new String[] {"preSetupForce", "preTearDownForce", "announceWarmupReady", "announceWarmdownReady"}) JmhApi.get(control, gate);
            JmhApi.get(control, "announceDone");
        } catch (RuntimeException passed) {
            // This thread had already passed the barrier.
        }
    }
}
