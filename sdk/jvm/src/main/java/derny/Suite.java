package derny;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The benchmarks of a program. Add them with {@link #bench} or {@link #define}, or from annotated classes
 * with {@link #add}.
 */
public final class Suite {
    final Map<String, Definition<?>> benchmarks = new LinkedHashMap<>();
    /** Process settings that replace or extend the standard settings. */
    final Map<String, String> settings = new LinkedHashMap<>();
    /** True if commas separate the values of a parameter, as on the command line of JMH. */
    boolean splitsValues;
    private String group;
    /** Name of the language in the harness's first line. */
    String language = "java";

    /** Sets the language of the benchmarks. For layers on top of this SDK. */
    public Suite language(String language) {
        this.language = language;
        return this;
    }

    /** Adds a benchmark that has only a body. */
    public void bench(String name, Body.OfVoid body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, for a body that returns an object. */
    public void bench(String name, Body.OfObject body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, for a body that returns an int. */
    public void bench(String name, Body.OfInt body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, for a body that returns a long. */
    public void bench(String name, Body.OfLong body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, for a body that returns a double. */
    public void bench(String name, Body.OfDouble body) {
        define(name).run(body);
    }

    /** Begins the definition of a benchmark with options. Complete it with one of the {@code run} methods. */
    public Definition<Params> define(String name) {
        if (name == null || name.isEmpty()) throw new IllegalArgumentException("a benchmark must have a name");
        Definition<Params> definition = new Definition<>(this, group == null ? name : group + '/' + name, group);
        StackTraceElement caller = Caller.outsideOfThisPackage();
        if (caller != null) definition.place(caller.getFileName(), caller.getLineNumber());
        return definition;
    }

    /**
     * Prefixes the names of the benchmarks that {@code define} adds with {@code name/}. Groups can be nested.
     */
    public void group(String name, Runnable define) {
        String before = group;
        group = before == null ? name : before + '/' + name;
        try {
            define.run();
        } finally {
            group = before;
        }
    }

    /** Adds the methods of a class that are annotated with {@link Benchmark}. */
    public Suite add(Class<?> type) {
        if (!Annotated.define(this, type, type.getSimpleName() + '/')) throw Annotated.nothingIn(type);
        return this;
    }

    void add(Definition<?> definition) {
        if (benchmarks.putIfAbsent(definition.name, definition) != null) {
            throw new IllegalArgumentException("the benchmark \"" + definition.name + "\" is defined twice");
        }
    }

    /**
     * Runs the suite: serves the engine if it started this process, and starts one otherwise. Call this last
     * in {@code main}. It does not return.
     */
    public void main() {
        main(() -> this);
    }

    /**
     * Like {@link #main()}, for a suite that {@code define} makes. It is called only if an engine started
     * this process, and its exceptions are reported to that engine.
     */
    public static void main(Callable<Suite> define) {
        Start.main(define);
    }
}
