package derny;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A benchmark that is being defined. Set options first, then call one of the {@code run} methods, which adds
 * the benchmark to its suite.
 *
 * @param <S> the type of the set-up's result; {@link Params} if there is no set-up
 */
public final class Definition<S> {
    private final Suite suite;
    final String name;
    final String group;
    final List<Axis> axes = new ArrayList<>();
    /**
     * Other fields of the `case` line, by the protocol's names. Values are text, numbers, lists, or functions
     * of Params.
     */
    final Map<String, Object> fields = new LinkedHashMap<>();
    Predicate<Params> filter = params -> true;
    Function<Params, String> skip = params -> null;
    /** Opens a case by running its set-up. */
    Body.Maker<Params, Opened> opener;
    private Body.Maker<Params, Object> setup = params -> params;
    private Body.BatchHook<S> before;
    private Body.BatchHook<S> after;
    private Body.Action<S> teardown = state -> { };
    private Body.Maker<S, Object> fresh;
    private final List<String> metricItems = new ArrayList<>();
    private final List<Body.Reading<S>> readings = new ArrayList<>();

    Definition(Suite suite, String name, String group) {
        this.suite = suite;
        this.name = name;
        this.group = group;
    }

    /** Adds a parameter and its values: numbers, booleans or strings. */
    public Definition<S> param(String name, Object... values) {
        for (Axis axis : axes) {
            if (axis.name.equals(name)) throw new IllegalArgumentException("the parameter \"" + name + "\" of \"" + this.name + "\" is declared twice");
        }
        axes.add(new Axis(name, values));
        return this;
    }

    /** Sets a filter that returns true for the combinations of parameters to keep. */
    public Definition<S> filter(Predicate<Params> filter) {
        this.filter = filter;
        return this;
    }

    /** Sets a function that returns the reason to skip a case, or null to run it. */
    public Definition<S> skip(Function<Params, String> reason) {
        skip = reason;
        return this;
    }

    /**
     * Sets the set-up, which makes the body's argument once each time a case is opened (JMH: {@code
     * Level.Trial}).
     */
    @SuppressWarnings("unchecked")
    public <T> Definition<T> setup(Body.Maker<Params, T> setup) {
        Definition<T> typed = (Definition<T>) this;
        typed.setup = params -> setup.make(params);
        return typed;
    }

    /** Sets the tear-down, which runs when a case is closed. */
    public Definition<S> teardown(Body.Action<S> teardown) {
        this.teardown = teardown;
        return this;
    }

    /** Sets a hook that runs before each batch, untimed (JMH: {@code Level.Iteration}). */
    public Definition<S> beforeBatch(Body.BatchHook<S> hook) {
        before = hook;
        return this;
    }

    /** Sets a hook that runs after each batch, untimed. */
    public Definition<S> afterBatch(Body.BatchHook<S> hook) {
        after = hook;
        return this;
    }

    /**
     * Sets a function that makes one input per iteration before each batch, untimed. The body takes the input
     * instead of the result of the set-up.
     */
    @SuppressWarnings("unchecked")
    public <T> Definition<T> fresh(Body.Maker<S, T> maker) {
        fresh = state -> maker.make(state);
        return (Definition<T>) this;
    }

    /**
     * Sets the number of operations per iteration. Results are reported per operation (JMH: {@code
     * @OperationsPerInvocation}).
     */
    public Definition<S> operations(ToDoubleFunction<Params> count) {
        return field("ops", (Function<Params, Object>) count::applyAsDouble);
    }

    /** Sets the name of an operation, which reports use as its unit. */
    public Definition<S> unit(String name) {
        return field("unit", name);
    }

    /** Sets the number of bytes processed per iteration. */
    public Definition<S> bytes(ToLongFunction<Params> count) {
        return field("bytes", (Function<Params, Object>) count::applyAsLong);
    }

    /** Sets the number of items processed per iteration. */
    public Definition<S> items(ToLongFunction<Params> count) {
        return field("items", (Function<Params, Object>) count::applyAsLong);
    }

    /**
     * Sets the maximum number of iterations per batch. Use 1 for a body that consumes the result of the
     * set-up or of {@link #beforeBatch}.
     */
    public Definition<S> maxIterations(long most) {
        return field("max_iterations", most);
    }

    /** Sets flags for the JVM that runs the benchmark (JMH: {@code @Fork(jvmArgsAppend = …)}). */
    public Definition<S> jvmArgs(String... args) {
        return field("args", Arrays.asList(args));
    }

    /** Sets environment variables, {@code NAME=VALUE}, for the JVM that runs the benchmark. */
    public Definition<S> env(String... variables) {
        return field("env", Arrays.asList(variables));
    }

    /** Adds tags, by which a user can select benchmarks. */
    public Definition<S> tags(String... tags) {
        return field("tags", Arrays.asList(tags));
    }

    /** Runs each case of the benchmark in a separate process. */
    public Definition<S> isolate() {
        return field("isolate", 1);
    }

    /** Sets the source location of the definition. */
    public Definition<S> place(String file, int line) {
        if (file != null) field("file", file);
        return line > 0 ? field("line", line) : this;
    }

    /**
     * Adds a user-defined metric. {@code reading} is called before and after each turn, and the value from
     * before the turn is discarded.
     *
     * @param exact true if the value depends only on the work done
     */
    public Definition<S> metric(String name, String unit, Kind kind, Better better, boolean exact, Body.Reading<S> reading) {
        metricItems.add(Wire.metric(name, unit, kind, better, exact));
        readings.add(reading);
        return this;
    }

    Definition<S> field(String key, Object value) {
        fields.put(key, value);
        return this;
    }

    /** Sets a body without argument or result. */
    public void run(Body.OfVoid body) {
        around(body, Body.OfVoid.class, false);
    }

    /** Sets a body that takes no arguments and returns an object. */
    public void run(Body.OfObject body) {
        around(body, Body.OfObject.class, false);
    }

    /** Sets a body that takes no arguments and returns an int. */
    public void run(Body.OfInt body) {
        around(body, Body.OfInt.class, false);
    }

    /** Sets a body that takes no arguments and returns a long. */
    public void run(Body.OfLong body) {
        around(body, Body.OfLong.class, false);
    }

    /** Sets a body that takes no arguments and returns a double. */
    public void run(Body.OfDouble body) {
        around(body, Body.OfDouble.class, false);
    }

    /** Sets a body that takes the result of the set-up, or a fresh input, and returns an object. */
    public void run(Body.ObjectOf<S> body) {
        around(body, Body.ObjectOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, for a body that returns nothing. */
    public void runVoid(Body.VoidOf<S> body) {
        around(body, Body.VoidOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, for a body that returns an int. */
    public void runInt(Body.IntOf<S> body) {
        around(body, Body.IntOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, for a body that returns a long. */
    public void runLong(Body.LongOf<S> body) {
        around(body, Body.LongOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, for a body that returns a double. */
    public void runDouble(Body.DoubleOf<S> body) {
        around(body, Body.DoubleOf.class, true);
    }

    private void around(Object body, Class<?> shape, boolean takesState) {
        if (fresh != null && !takesState) throw new IllegalArgumentException("the body of \"" + name + "\" must take the fresh input");
        Method method = methodOf(shape);
        finish((opened, state) -> {
            Object argument = opened.inputs != null ? opened.inputs : state;
            Object[] arguments = takesState ? new Object[] {argument} : new Object[0];
            opened.loop = LoopClass.of(method, body, arguments, MethodHandles.lookup());
        });
    }

    static Method methodOf(Class<?> shape) {
        for (Method method : shape.getMethods()) {
            if (Modifier.isAbstract(method.getModifiers())) return method;
        }
        throw new IllegalArgumentException(shape + " has no method");
    }

    /**
     * Sets a loop that was made elsewhere, for example by a macro of another language. {@code maker} takes
     * the result of the set-up and returns a loop with its own class. All options apply except fresh inputs.
     */
    public void loop(Body.Maker<S, Loop> maker) {
        if (fresh != null) throw new IllegalArgumentException("\"" + name + "\": fresh inputs cannot be combined with loop(): the loop must make its own inputs");
        finish((opened, state) -> opened.loop = maker.make(state));
    }

    /** Sets a body that measures its own time. The body must be repeatable in one process. */
    public void runSelfTimed(Body.SelfTimed<S> body) {
        field("timing", "self").field("again", 1);
        finish((opened, state) -> opened.selfTimed = timer -> body.run(timer, state));
    }

    /**
     * Sets a body whose time is not measured. Each batch of a turn calls {@code body} once, and only the
     * metrics are reported.
     */
    public void runForMetrics(Body.VoidOf<S> body) {
        if (readings.isEmpty()) throw new IllegalArgumentException("\"" + name + "\" has neither times nor metrics: add a metric");
        finish((opened, state) -> opened.untimed = () -> body.run(state));
    }

    private interface Completion<S> {
        void complete(Opened opened, S state) throws Throwable;
    }

    @SuppressWarnings("unchecked")
    private void finish(Completion<S> completion) {
        if (!metricItems.isEmpty()) field("metrics", new ArrayList<>(metricItems));
        add(params -> {
            S state = (S) setup.make(params);
            Opened opened = new Opened();
            if (before != null) opened.before = iterations -> before.run(state, iterations);
            if (after != null) opened.after = iterations -> after.run(state, iterations);
            if (fresh != null) {
                opened.inputs = new LoopClass.Inputs();
                opened.fresh = () -> fresh.make(state);
            }
            opened.close = () -> teardown.run(state);
            for (Body.Reading<S> reading : readings) opened.readings.add(() -> reading.read(state));
            completion.complete(opened, state);
            return opened;
        });
    }

    void add(Body.Maker<Params, Opened> opener) {
        this.opener = opener;
        suite.add(this);
    }
}
