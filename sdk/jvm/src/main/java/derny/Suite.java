package derny;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** The benchmarks of a program. They are added by {@link #bench} and {@link #define}, or by the annotations of classes. */
public final class Suite {
    final Map<String, Definition<?>> benchmarks = new LinkedHashMap<>();
    /** What its processes run with, in place of what is known of every process or beside it. */
    final Map<String, String> settings = new LinkedHashMap<>();
    /** Values that are given for a parameter are parted by commas, as on the command line of the tool whose benchmarks these are. */
    boolean splitsValues;
    private String group;
    /** What the first line to the engine names as the language. */
    String language = "java";

    /** Names the language in which the benchmarks are written, for a layer above this one. */
    public Suite language(String language) {
        this.language = language;
        return this;
    }

    /** A benchmark that is nothing but a body. */
    public void bench(String name, Body.OfVoid body) {
        define(name).run(body);
    }

    /** As {@link #bench(String, Body.OfVoid)}, returning an object. */
    public void bench(String name, Body.OfObject body) {
        define(name).run(body);
    }

    /** As {@link #bench(String, Body.OfVoid)}, returning an int. */
    public void bench(String name, Body.OfInt body) {
        define(name).run(body);
    }

    /** As {@link #bench(String, Body.OfVoid)}, returning a long. */
    public void bench(String name, Body.OfLong body) {
        define(name).run(body);
    }

    /** As {@link #bench(String, Body.OfVoid)}, returning a double. */
    public void bench(String name, Body.OfDouble body) {
        define(name).run(body);
    }

    /** Begins a benchmark with options; one of the {@code run} methods of what it returns ends it. */
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
     * What a program's {@code main} calls last: talks to the engine that started this process, or, if a user did, starts
     * the engine. Does not return.
     */
    public void main() {
        main(() -> this);
    }

    /**
     * As {@link #main()}, for benchmarks that are defined by loading something: {@code define} is called only where an engine
     * has started this process, and what it throws is told to that engine.
     */
    public static void main(Callable<Suite> define) {
        Start.main(define);
    }
}
