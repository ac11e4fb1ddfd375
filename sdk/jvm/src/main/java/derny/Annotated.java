package derny;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts the annotations of a class to definitions. */
final class Annotated {
    private final Class<?> type;
    private final Method method;
    /** The benchmark's class first, unless the method is static. Then the classes of its state parameters. */
    private final List<StateClass> states = new ArrayList<>();
    private final Map<Class<?>, StateClass> known = new LinkedHashMap<>();
    private final StateClass own;

    private Annotated(Class<?> type, Method method) {
        this.type = type;
        this.method = method;
        own = state(type);
        for (Class<?> one : method.getParameterTypes()) {
            if (one.isAnnotationPresent(State.class)) state(one);
        }
    }

    private StateClass state(Class<?> of) {
        StateClass state = known.computeIfAbsent(of, StateClass::new);
        if (!states.contains(state)) states.add(state);
        return state;
    }

    /**
     * Adds all benchmarks of a class, sorted by name because reflection does not preserve source order. A
     * benchmark without an explicit name is named {@code prefix} followed by its method's name. Returns true
     * if any benchmark was added.
     */
    static boolean define(Suite suite, Class<?> type, String prefix) {
        List<Method> methods = methods(type, Benchmark.class);
        for (Method method : methods) new Annotated(type, method).add(suite, prefix);
        return !methods.isEmpty();
    }

    static IllegalArgumentException nothingIn(Class<?> type) {
        return new IllegalArgumentException(type.getName() + " has no method with @Benchmark and does not implement derny.Benchmarks");
    }

    /**
     * Returns the annotated methods of a class and its superclasses: topmost class first, then sorted by
     * name.
     */
    static List<Method> methods(Class<?> type, Class<? extends Annotation> annotation) {
        List<Method> found = new ArrayList<>();
        if (type.getSuperclass() != null) found.addAll(methods(type.getSuperclass(), annotation));
        List<Method> declared = new ArrayList<>();
        for (Method one : type.getDeclaredMethods()) {
            if (one.isAnnotationPresent(annotation) && !one.isBridge()) declared.add(one);
        }
        Collections.sort(declared, Comparator.comparing(Method::getName));
        found.addAll(declared);
        return found;
    }

    static Object instance(Class<?> type) throws Exception {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (NoSuchMethodException missing) {
            throw new IllegalArgumentException(type.getName() + " needs a constructor without parameters", missing);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof Exception) throw (Exception) error.getCause();
            throw error;
        }
    }

    private void add(Suite suite, String prefix) {
        Benchmark benchmark = method.getAnnotation(Benchmark.class);
        if (Modifier.isPrivate(method.getModifiers())) throw new IllegalArgumentException("a benchmark must not be private: " + method);
        String name = benchmark.value().isEmpty() ? prefix + method.getName() : benchmark.value();
        String group = name.contains("/") ? name.substring(0, name.lastIndexOf('/')) : null;
        Definition<Params> definition = new Definition<>(suite, name, group);
        for (StateClass state : states) state.declare(definition);
        definition.filter(params -> StateClass.admits(states, params));
        definition.skip(params -> StateClass.reason(states, params));
        options(definition, benchmark);
        Shape shape = new Shape();
        if (shape.isSelfTimed) definition.field("timing", "self").field("again", 1);
        if (shape.input == null && own.hasVoidSetupPerIteration(states)) definition.maxIterations(1);
        List<String> metrics = own.metricItems();
        if (!metrics.isEmpty()) definition.field("metrics", metrics);
        definition.add(params -> open(params, shape, benchmark.untimed()));
    }

    private void options(Definition<Params> definition, Benchmark benchmark) {
        if (benchmark.operations() != 1) definition.field("ops", benchmark.operations());
        if (!benchmark.unit().isEmpty()) definition.unit(benchmark.unit());
        if (benchmark.bytes() > 0) definition.field("bytes", benchmark.bytes());
        if (benchmark.items() > 0) definition.field("items", benchmark.items());
        definition.jvmArgs(benchmark.jvmArgs()).env(benchmark.env()).tags(benchmark.tags());
        if (benchmark.isolate()) definition.isolate();
        definition.field("file", SourceFile.of(type));
    }

    /** Determines what the method takes: a timer, or an input that a set-up makes. */
    private final class Shape {
        boolean isSelfTimed;
        /** The set-up whose result the method takes, and the class of the set-up's object. */
        Method input;
        StateClass inputOwner;

        Shape() {
            for (Class<?> one : method.getParameterTypes()) {
                if (one == Timer.class) {
                    isSelfTimed = true;
                } else if (one != Blackhole.class && !one.isAnnotationPresent(State.class)) {
                    findInput(one);
                }
            }
        }

        private void findInput(Class<?> wanted) {
            for (StateClass state : states) {
                for (Method setup : state.perIteration()) {
                    if (wanted.isAssignableFrom(setup.getReturnType()) && input == null) {
                        input = setup;
                        inputOwner = state;
                        return;
                    }
                }
            }
            throw new IllegalArgumentException(method + ": nothing provides its parameter " + wanted.getName()
                + ". A parameter must be a class with @State, a Blackhole, a Timer, or the result of a @Setup(Level.ITERATION) method");
        }
    }

    private Opened open(Params params, Shape shape, boolean untimed) throws Throwable {
        Opened opened = new Opened();
        Map<StateClass, Object> objects = new LinkedHashMap<>();
        for (StateClass state : states) objects.put(state, state.make(params));
        for (Map.Entry<StateClass, Object> one : objects.entrySet()) one.getKey().call(Setup.class, Level.TRIAL, one.getValue());
        around(opened, objects, shape);
        if (shape.input != null) {
            opened.inputs = new LoopClass.Inputs();
            Object owner = objects.get(shape.inputOwner);
            opened.fresh = () -> StateClass.invoke(shape.input, owner);
        }
        own.addReadings(opened, objects.get(own));
        Object[] arguments = arguments(opened, objects);
        if (shape.isSelfTimed) {
            opened.selfTimed = timer -> StateClass.invoke(method, objects.get(own), with(arguments, timer));
        } else if (untimed) {
            opened.untimed = () -> StateClass.invoke(method, objects.get(own), arguments);
        } else {
            MethodHandles.Lookup lookup = HiddenClasses.in(type);
            opened.loop = LoopClass.of(method, objects.get(own), arguments, lookup);
        }
        return opened;
    }

    /**
     * Adds the hooks around batches and iterations, and the tear-down. Tear-downs run in the reverse order of
     * set-ups.
     */
    private void around(Opened opened, Map<StateClass, Object> objects, Shape shape) {
        List<StateClass> reverse = new ArrayList<>(states);
        Collections.reverse(reverse);
        boolean each = shape.input == null;
        if (StateClass.any(states, Setup.class, each)) {
            opened.before = iterations -> {
                for (StateClass state : states) state.call(Setup.class, Level.BATCH, objects.get(state));
                for (StateClass state : states) if (each) state.call(Setup.class, Level.ITERATION, objects.get(state));
            };
        }
        if (StateClass.any(states, TearDown.class, each)) {
            opened.after = iterations -> {
                for (StateClass state : reverse) if (each) state.call(TearDown.class, Level.ITERATION, objects.get(state));
                for (StateClass state : reverse) state.call(TearDown.class, Level.BATCH, objects.get(state));
            };
        }
        opened.close = () -> {
            for (StateClass state : reverse) state.call(TearDown.class, Level.TRIAL, objects.get(state));
        };
    }

    private Object[] arguments(Opened opened, Map<StateClass, Object> objects) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (types[i] == Blackhole.class) {
                arguments[i] = Blackhole.INSTANCE;
            } else if (types[i].isAnnotationPresent(State.class)) {
                arguments[i] = objects.get(known.get(types[i]));
            } else if (types[i] != Timer.class) {
                arguments[i] = opened.inputs;
            }
        }
        return arguments;
    }

    private Object[] with(Object[] arguments, Timer timer) {
        Object[] all = arguments.clone();
        for (int i = 0; i < all.length; i++) if (method.getParameterTypes()[i] == Timer.class) all[i] = timer;
        return all;
    }
}
