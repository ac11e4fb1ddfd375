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
 * A benchmark under definition: options first, then one of the {@code run} methods, which adds it to its
 * suite.
 *
 * @param <S> the result of set-up; {@link Params} until {@link #setup} is called
 */
public final class Definition<S> {
    private final Suite suite;
    final String name;
    final String group;
    final List<Axis> axes = new ArrayList<>();
    /**
     * Further fields of the `case` line, in the protocol's syntax; values are text, numbers, lists, or
     * functions of Params.
     */
    final Map<String, Object> fields = new LinkedHashMap<>();
    Predicate<Params> filter = params -> true;
    Function<Params, String> skip = params -> null;
    /** Sets a case up. */
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

    /** Sets which combinations of parameters are cases. */
    public Definition<S> filter(Predicate<Params> filter) {
        this.filter = filter;
        return this;
    }

    /** Sets a function that returns why a case does not apply here, or null. */
    public Definition<S> skip(Function<Params, String> reason) {
        skip = reason;
        return this;
    }

    /**
     * Sets the set-up, which makes the argument of the body once each time a case is opened (JMH: {@code
     * Level.Trial}).
     */
    @SuppressWarnings("unchecked")
    public <T> Definition<T> setup(Body.Maker<Params, T> setup) {
        Definition<T> typed = (Definition<T>) this;
        typed.setup = params -> setup.make(params);
        return typed;
    }

    /** Sets the tear-down. */
    public Definition<S> teardown(Body.Action<S> teardown) {
        this.teardown = teardown;
        return this;
    }

    /** Sets a hook before each batch, untimed (JMH: {@code Level.Iteration}). */
    public Definition<S> beforeBatch(Body.BatchHook<S> hook) {
        before = hook;
        return this;
    }

    /** Sets a hook after each batch, untimed. */
    public Definition<S> afterBatch(Body.BatchHook<S> hook) {
        after = hook;
        return this;
    }

    /**
     * Makes an input for every iteration before the batch, untimed: the body takes it instead of the state.
     */
    @SuppressWarnings("unchecked")
    public <T> Definition<T> fresh(Body.Maker<S, T> maker) {
        fresh = state -> maker.make(state);
        return (Definition<T>) this;
    }

    /**
     * Sets the operations per iteration: results are reported per operation (JMH: {@code
     * @OperationsPerInvocation}).
     */
    public Definition<S> operations(ToDoubleFunction<Params> count) {
        return field("ops", (Function<Params, Object>) count::applyAsDouble);
    }

    /** Sets the name of an operation. */
    public Definition<S> unit(String name) {
        return field("unit", name);
    }

    /** Sets the bytes processed per iteration. */
    public Definition<S> bytes(ToLongFunction<Params> count) {
        return field("bytes", (Function<Params, Object>) count::applyAsLong);
    }

    /** Sets the items processed per iteration. */
    public Definition<S> items(ToLongFunction<Params> count) {
        return field("items", (Function<Params, Object>) count::applyAsLong);
    }

    /**
     * Sets the maximum number of iterations of a batch: 1 for a body that consumes the result of set-up or
     * {@link #beforeBatch}.
     */
    public Definition<S> maxIterations(long most) {
        return field("max_iterations", most);
    }

    /**
     * Sets flags that the JVM of this benchmark must be started with (JMH: {@code @Fork(jvmArgsAppend = …)}).
     */
    public Definition<S> jvmArgs(String... args) {
        return field("args", Arrays.asList(args));
    }

    /**
     * Sets environment variables, {@code NAME=VALUE}, that the JVM of this benchmark must be started with.
     */
    public Definition<S> env(String... variables) {
        return field("env", Arrays.asList(variables));
    }

    /** Adds tags for selection. */
    public Definition<S> tags(String... tags) {
        return field("tags", Arrays.asList(tags));
    }

    /** Runs the benchmark in a separate process. */
    public Definition<S> isolate() {
        return field("isolate", 1);
    }

    /** Sets the place of its definition. */
    public Definition<S> place(String file, int line) {
        if (file != null) field("file", file);
        return line > 0 ? field("line", line) : this;
    }

    /**
     * Adds a user-defined metric. {@code reading} is called before a turn, where its value is discarded, and
     * after it.
     *
     * @param exact equal work gives equal values
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

    /** Sets a body without argument that returns an object. */
    public void run(Body.OfObject body) {
        around(body, Body.OfObject.class, false);
    }

    /** Sets a body without argument that returns an int. */
    public void run(Body.OfInt body) {
        around(body, Body.OfInt.class, false);
    }

    /** Sets a body without argument that returns a long. */
    public void run(Body.OfLong body) {
        around(body, Body.OfLong.class, false);
    }

    /** Sets a body without argument that returns a double. */
    public void run(Body.OfDouble body) {
        around(body, Body.OfDouble.class, false);
    }

    /** Sets a body that takes the result of set-up, or its fresh input, and returns an object. */
    public void run(Body.ObjectOf<S> body) {
        around(body, Body.ObjectOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, returning nothing. */
    public void runVoid(Body.VoidOf<S> body) {
        around(body, Body.VoidOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, returning an int. */
    public void runInt(Body.IntOf<S> body) {
        around(body, Body.IntOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, returning a long. */
    public void runLong(Body.LongOf<S> body) {
        around(body, Body.LongOf.class, true);
    }

    /** Like {@link #run(Body.ObjectOf)}, returning a double. */
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
     * Sets a loop made elsewhere, for example by a macro of a language: {@code maker} takes the result of
     * set-up and returns a loop with its own class. All other options apply, except fresh inputs.
     */
    public void loop(Body.Maker<S, Loop> maker) {
        if (fresh != null) throw new IllegalArgumentException("\"" + name + "\": a loop of its own makes its own inputs");
        finish((opened, state) -> opened.loop = maker.make(state));
    }

    /** Sets a body that times itself, and may be called again in the same process. */
    public void runSelfTimed(Body.SelfTimed<S> body) {
        field("timing", "self").field("again", 1);
        finish((opened, state) -> opened.selfTimed = timer -> body.run(timer, state));
    }

    /**
     * Sets a body without times: each turn calls {@code body} once per batch, and only its metrics are
     * measured.
     */
    public void runForMetrics(Body.VoidOf<S> body) {
        if (readings.isEmpty()) throw new IllegalArgumentException("\"" + name + "\" has neither times nor metrics");
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
