package derny;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Main class for a jar of JMH benchmarks on the class path: {@code java -cp derny.jar:benchmarks.jar
 * derny.Jmh}. The property {@code derny.options} contains JMH command-line options, one per line.
 */
public final class Jmh {
    /** Minimum timeout. JMH's timeout covers only an iteration, but here it also covers the JVM's start. */
    private static final long LEAST_TIMEOUT_NS = 10_000_000_000L;

    private Jmh() {}

    public static void main(String[] args) {
        Start.main(() -> suite(System.getProperty("derny.options", "").trim()));
    }

    static Suite suite(String options) throws IOException {
        Suite suite = new Suite();
        suite.settings.put("jmh", JmhApi.version());
        suite.settings.put("sink", Boolean.getBoolean("compilerBlackholesEnabled") ? "blackhole" : "store");
        suite.splitsValues = true;
        for (JmhBenchmark one : benchmarks(JmhOptions.of(options.isEmpty() ? new String[0] : options.split("\n")))) define(suite, one);
        return suite;
    }

    /** Returns all benchmarks in the order in which JMH lists them. */
    static List<JmhBenchmark> benchmarks(JmhOptions options) throws IOException {
        Map<String, JmhBenchmark> known = new TreeMap<>();
        for (Object entry : JmhApi.entries()) {
            JmhBenchmark one = new JmhBenchmark(entry, options);
            known.computeIfAbsent(one.name, name -> one).modes.add(JmhApi.name(JmhApi.get(entry, "getMode")));
        }
        return new ArrayList<>(known.values());
    }

    private static void define(Suite suite, JmhBenchmark of) {
        Definition<Params> definition = new Definition<>(suite, of.name, null);
        of.params().forEach((name, values) -> definition.axes.add(new Axis(name, Arrays.asList(values))));
        // Computing these fields loads classes of the benchmark, so they are computed only for a listing or
        // for the case to open. A timed benchmark reports its operations with its times.
        field(definition, "timing", () -> of.isTimed() ? "self" : null);
        field(definition, "again", () -> of.isTimed() ? 1 : null);
        field(definition, "ops", () -> of.isTimed() || of.operations() == 1 ? null : of.operations());
        if (of.threads() > 1) definition.field("threads", of.threads());
        if (of.hasTimeout()) definition.field("timeout_ns", Math.max(LEAST_TIMEOUT_NS, of.timeoutNs()));
        definition.field("args", of.flags()).field("suite", of.owner).field("file", source(of.owner));
        definition.add(params -> {
            Map<String, String> texts = new LinkedHashMap<>();
            for (String[] one : params.texts()) texts.put(one[0], one[1]);
            if (of.isCold()) return JmhShots.open(of, texts);
            return of.isTimed() ? JmhIterations.open(of, texts) : JmhLoop.open(of, texts);
        });
    }

    private static void field(Definition<Params> definition, String key, Supplier<Object> value) {
        definition.field(key, (Function<Params, Object>) params -> value.get());
    }

    /**
     * Returns the source file of a class, below the folder in the property {@code derny.sources}, or null if
     * unknown.
     */
    private static String source(String type) {
        String folder = System.getProperty("derny.sources");
        if (folder == null) return null;
        String path = type.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        File[] sets = new File(folder).listFiles(File::isDirectory);
        for (File set : sets == null ? new File[0] : sets) {
            File file = new File(set, "java/" + path);
            if (file.isFile()) return file.getPath();
        }
        return null;
    }

    /** Returns the file name of a jar on the class path, for messages. */
    static String jar() {
        String path = System.getProperty("java.class.path");
        return path.substring(path.lastIndexOf(File.pathSeparatorChar) + 1);
    }
}
