package derny;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Benchmarks of a program. They are added with {@link #bench} and {@link #define}, or by annotated classes.
 */
public final class Suite {
    final Map<String, Definition<?>> benchmarks = new LinkedHashMap<>();
    /** Settings of its processes that replace or extend the common ones. */
    final Map<String, String> settings = new LinkedHashMap<>();
    /**
     * True if given values of a parameter are separated by commas, as on the command line of the tool whose
     * benchmarks these are.
     */
    boolean splitsValues;
    private String group;
    /** Name of the language in the first line to the engine. */
    String language = "java";

    /** Sets the language of the benchmarks, for a layer on top of this one. */
    public Suite language(String language) {
        this.language = language;
        return this;
    }

    /** Adds a benchmark that consists of a body only. */
    public void bench(String name, Body.OfVoid body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, returning an object. */
    public void bench(String name, Body.OfObject body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, returning an int. */
    public void bench(String name, Body.OfInt body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, returning a long. */
    public void bench(String name, Body.OfLong body) {
        define(name).run(body);
    }

    /** Like {@link #bench(String, Body.OfVoid)}, returning a double. */
    public void bench(String name, Body.OfDouble body) {
        define(name).run(body);
    }

    /** Begins a benchmark with options; one of the {@code run} methods of the result completes it. */
    public Definition<Params> define(String name) {
        if (name == null || name.isEmpty()) throw new IllegalArgumentException("a benchmark must have a name");
        Definition<Params> definition = new Definition<>(this, group == null ? name : group + '/' + name, group);
        StackTraceElement caller = Caller.outsideOfThisPackage();
        if (caller != null) definition.place(caller.getFileName(), caller.getLineNumber());
        return definition;
    }

    /** Adds benchmarks whose names begin with {@code name/}. Groups nest. */
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
     * Runs the suite. Call this last in {@code main}. Serves the engine if it started this process, and starts
     * one otherwise. Does not return.
     */
    public void main() {
        main(() -> this);
    }

    /**
     * Like {@link #main()}, for benchmarks that are defined by loading something: {@code define} is called
     * only if an engine started this process, and its exception is reported to that engine.
     */
    public static void main(Callable<Suite> define) {
        Start.main(define);
    }
}
