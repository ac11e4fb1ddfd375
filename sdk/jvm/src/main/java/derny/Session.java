package derny;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Handles each verb of the conversation and keeps the open case. Between commands, it blocks in a read. A
 * single thread does everything.
 */
final class Session {
    private static final String MODE = "time";
    /**
     * Maximum number of batches in a turn that reports its operations. A line has room for that many numbers
     * of any length.
     */
    private static final int OPERATIONS_LIMIT = 2_000;

    private final Suite suite;
    private final Wire.Reader reader;
    private final Wire.Writer writer;
    private final Counters counters;
    private final List<String> can = new ArrayList<>(Arrays.asList("overhead", "collect", "check", "hash"));
    private Opened opened;
    private boolean openedOnce;
    /** Receives the engine's final report. Null if the engine started this process. */
    private final Attached attached;

    Session(Suite suite, Wire.Streams streams) {
        this(suite, streams, null);
    }

    Session(Suite suite, Wire.Streams streams, Attached attached) {
        this.suite = suite;
        this.attached = attached;
        reader = streams.reader;
        writer = streams.writer;
        counters = new Counters(Runtimes.pid());
        if (Heap.canSettle()) can.add("settle");
    }

    /**
     * Serves the engine until `quit` or the end of the stream. Throws if a line is too long or is not UTF-8.
     */
    void run() throws IOException {
        writer.send(hello());
        for (String line = reader.next(); line != null; line = reader.next()) {
            if (line.equals("quit") || line.startsWith("quit ")) break;
            if (!line.isEmpty() && !answer(line)) break;
        }
        try {
            if (opened != null) opened.close.run();
        } catch (Throwable tooLate) {
            // Ignore the failure: the engine already has all results.
        }
    }

    private String hello() {
        StringBuilder line = new StringBuilder("derny 1");
        Wire.field(line, "language", suite.language);
        Wire.field(line, "runtime", Runtimes.name());
        Wire.field(line, "harness", Start.VERSION);
        Wire.field(line, "pid", Runtimes.pid());
        Wire.field(line, "thread", Runtimes.thread());
        Wire.field(line, "clock", "nanoTime");
        Wire.field(line, "step_ns", Clock.stepNs());
        Wire.field(line, "can", can);
        Wire.field(line, "gives_back", Heap.givesBack() ? "1" : null);
        Wire.field(line, "collector", "counted");
        Wire.field(line, "modes", Arrays.asList(MODE));
        Wire.field(line, "metrics", counters.items());
        Wire.field(line, "settings", Settings.items(suite.settings));
        return line.toString();
    }

    /**
     * Answers a command. Returns false if the process cannot continue, as after an OutOfMemoryError or
     * another VirtualMachineError.
     */
    private boolean answer(String line) throws IOException {
        try {
            int space = line.indexOf(' ');
            String verb = space < 0 ? line : line.substring(0, space);
            if (attached != null && attached.takes(verb, line)) return true;
            String reply = reply(verb, line);
            if (reply != null) writer.send(reply);
            return true;
        } catch (Throwable thrown) {
            boolean fatal = thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError);
            writer.forget();
            writer.send(Wire.error(thrown, fatal));
            return !fatal;
        }
    }

    /** Returns the reply, or null if it has already been written. */
    private String reply(String verb, String line) throws Throwable {
        switch (verb) {
            case "list":
                return list(new Wire.Message(line));
            case "open":
                return open(new Wire.Message(line));
            case "check":
                return "checked hash=" + Hash.of(needed(new Wire.Message(line)).check());
            case "measure":
                measure(new Wire.Message(line));
                return null;
            case "overhead":
                overhead(new Wire.Message(line));
                return null;
            case "collect":
                needed(new Wire.Message(line));
                long start = System.nanoTime();
                System.gc();
                return "collected ns=" + (System.nanoTime() - start);
            case "settle":
                if (!can.contains("settle")) return unsupported(verb);
                Wire.Message settle = new Wire.Message(line);
                needed(settle);
                long begin = System.nanoTime();
                Heap.settle(settle.integer("bytes", Long.MAX_VALUE));
                return "settled ns=" + (System.nanoTime() - begin);
            case "close":
                Opened closing = needed(new Wire.Message(line));
                opened = null;
                closing.close.run();
                return "closed";
            default:
                return unsupported(verb);
        }
    }

    private static String unsupported(String verb) {
        StringBuilder reply = new StringBuilder("unsupported");
        Wire.field(reply, "verb", verb);
        return reply.toString();
    }

    private Opened needed(Wire.Message message) {
        if (opened == null) throw new IllegalStateException(message.verb + ": no case is open");
        return opened;
    }

    private String list(Wire.Message message) {
        if (openedOnce) throw new IllegalStateException("list: only allowed before the first open");
        Map<String, List<String>> given = message.paramLists();
        if (suite.splitsValues) given.replaceAll((name, values) -> Arrays.asList(String.join(",", values).split(",", -1)));
        boolean smallest = "test".equals(message.get("mode"));
        StringBuilder lines = new StringBuilder();
        for (Definition<?> benchmark : suite.benchmarks.values()) {
            Axis open = Axis.withoutValues(benchmark.axes, given);
            if (open != null) lines.append(withoutValues(benchmark, open)).append('\n');
            for (Map<String, Object> values : Axis.product(benchmark.axes, given)) {
                Params params = new Params(benchmark.name, values);
                if (!benchmark.filter.test(params)) continue;
                lines.append(caseLine(benchmark, params)).append('\n');
                if (smallest) break;
            }
        }
        return lines.append("end").toString();
    }

    private static String withoutValues(Definition<?> benchmark, Axis axis) {
        StringBuilder line = new StringBuilder("case");
        Wire.field(line, "benchmark", benchmark.name);
        Wire.field(line, "error", "its parameter \"" + axis.name + "\" has no values: add -p " + axis.name + "=VALUE");
        return line.toString();
    }

    private static String caseLine(Definition<?> benchmark, Params params) {
        StringBuilder line = new StringBuilder("case");
        Wire.field(line, "benchmark", benchmark.name);
        for (String[] param : params.texts()) Wire.field(line, "p." + param[0], param[1]);
        Wire.field(line, "group", benchmark.group);
        for (Map.Entry<String, Object> field : benchmark.fields.entrySet()) {
            Wire.field(line, field.getKey(), resolved(field.getValue(), params));
        }
        if (line.length() * 3L >= Wire.LINE_LIMIT) throw new IllegalStateException("list: a case of \"" + benchmark.name + "\" is too long for a line");
        return line.toString();
    }

    @SuppressWarnings("unchecked")
    private static Object resolved(Object value, Params params) {
        return value instanceof Function ? ((Function<Params, Object>) value).apply(params) : value;
    }

    private String open(Wire.Message message) throws Throwable {
        if (opened != null) throw new IllegalStateException("open: a case is open already");
        String name = message.needed("benchmark");
        Definition<?> benchmark = suite.benchmarks.get(name);
        if (benchmark == null) throw new IllegalArgumentException("there is no benchmark \"" + name + "\" in this program");
        Params params = new Params(name, typed(benchmark, message.params()));
        String reason = benchmark.skip.apply(params);
        if (reason != null) {
            StringBuilder line = new StringBuilder("skip");
            Wire.field(line, "reason", reason);
            return line.toString();
        }
        opened = benchmark.opener.make(params);
        openedOnce = true;
        return opened.once ? "opened once=1" : "opened";
    }

    private static Map<String, Object> typed(Definition<?> benchmark, Map<String, String> given) {
        Map<String, Object> values = new java.util.LinkedHashMap<>();
        List<String> unknown = new ArrayList<>(given.keySet());
        for (Axis axis : benchmark.axes) {
            String text = given.get(axis.name);
            if (text == null) throw new IllegalArgumentException("the benchmark \"" + benchmark.name + "\" needs a value for its parameter \"" + axis.name + '"');
            values.put(axis.name, axis.parse(text));
            unknown.remove(axis.name);
        }
        if (!unknown.isEmpty()) throw new IllegalArgumentException("the benchmark \"" + benchmark.name + "\" has no parameter \"" + unknown.get(0) + '"');
        return values;
    }

    private static int batches(Wire.Message message) {
        long batches = message.integer("batches");
        if (batches < 1 || batches > Opened.BATCH_LIMIT) throw new IllegalArgumentException(message.verb + ": batches must be 1 to " + Opened.BATCH_LIMIT);
        return (int) batches;
    }

    private static long iterations(Wire.Message message) {
        long iterations = message.integer("iterations");
        if (iterations < 1) throw new IllegalArgumentException(message.verb + ": iterations must be at least 1");
        return iterations;
    }

    private void measure(Wire.Message message) throws Throwable {
        Opened one = needed(message);
        long iterations = iterations(message);
        int batches = batches(message);
        long within = message.integer("within", Long.MAX_VALUE);
        String mode = message.get("mode");
        if (mode != null && !mode.equals(MODE)) throw new IllegalArgumentException("measure: there is no mode \"" + mode + '"');
        boolean wantsHash = "1".equals(message.get("hash"));
        long lead = message.integer("lead", 0);
        if (lead > 0) one.measure(iterations, Opened.BATCH_LIMIT, lead, false, counters);
        for (int i = 0; i < one.readings.size(); i++) one.readings.get(i).read();
        one.reported.clear();
        int count;
        counters.start();
        try {
            count = one.measure(iterations, most(one, batches), within, wantsHash, counters);
        } finally {
            counters.stop();
        }
        String hash = wantsHash && one.loop != null ? Hash.of(one.result) : null;
        one.forget();
        writeTimes(one, count);
        writeCounters(iterations * count);
        for (int i = 0; i < one.readings.size(); i++) writer.text(" ").number(one.readings.get(i).read());
        for (Map.Entry<String, Double> value : one.reported.entrySet()) writer.text(" v.").text(value.getKey()).text("=").number(value.getValue());
        if (hash != null) writer.text(" hash=").text(hash);
        writer.text("\n").flush();
    }

    private static int most(Opened one, int batches) {
        return one.isSelfTimed() ? Math.min(batches, OPERATIONS_LIMIT) : batches;
    }

    private void overhead(Wire.Message message) throws Throwable {
        Opened one = needed(message);
        long iterations = iterations(message);
        int batches = batches(message);
        counters.start();
        int count = one.overhead(iterations, most(one, batches));
        counters.stop();
        writeTimes(one, count);
        writeCounters(iterations * count);
        for (int i = 0; i < one.readings.size(); i++) writer.text(" -");
        writer.text("\n").flush();
    }

    private void writeTimes(Opened one, int count) {
        writer.text("times");
        if (!one.hasTimes()) {
            writer.text(" -\n");
            return;
        }
        for (int i = 0; i < count; i++) writer.text(" ").number(Opened.TIMES[i]);
        if (one.isSelfTimed()) {
            writer.text("\nops");
            for (int i = 0; i < count; i++) writer.text(" ").number(Opened.OPERATIONS[i]);
        }
        writer.text("\n");
    }

    private void writeCounters(long calls) {
        writer.text("end");
        for (int i = 0; i < counters.size(); i++) writer.text(" ").number(counters.total(i, calls));
    }
}
