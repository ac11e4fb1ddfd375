package derny;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Accesses JMH's classes on the class path by reflection. This library is compiled without JMH, whose
 * constructors differ between versions. Constructor parameters are matched by type and, for equal types, by
 * order.
 */
final class JmhApi {
    static final String LIST = "META-INF/BenchmarkList";
    private static final String BASE = "org.openjdk.jmh.";
    private static final String CONTROL = BASE + "runner.InfraControl";

    /**
     * Methods by class and name. They are cached, because looking up a method allocates, and some are
     * called for each batch.
     */
    private static final Map<Class<?>, Map<String, Method>> METHODS = new ConcurrentHashMap<>();

    private JmhApi() {}

    static Class<?> type(String name) {
        try {
            return Class.forName(BASE + name);
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("the jar has no class " + BASE + name + ": it is incomplete, or its JMH is not version 1.2x or 1.3x", missing);
        }
    }

    static String name(Object constant) {
        return ((Enum<?>) constant).name();
    }

    static Object constant(String type, String name) {
        for (Object one : type(type).getEnumConstants()) if (((Enum<?>) one).name().equals(name)) return one;
        throw new IllegalStateException(type + " has no " + name);
    }

    /** Calls a method without parameters. Rethrows its exception unchanged. */
    static Object get(Object of, String method) {
        return call(of.getClass(), of, method);
    }

    private static Object call(Class<?> type, Object of, String name, Object... arguments) {
        Map<String, Method> known = METHODS.computeIfAbsent(type, one -> new ConcurrentHashMap<>());
        Method method = known.computeIfAbsent(name, one -> find(type, one, arguments.length));
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException error) {
            throw JmhApi.<RuntimeException>sneaky(error.getCause());
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(closed);
        }
    }

    private static Method find(Class<?> type, String name, int parameters) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (!method.getName().equals(name) || method.getParameterTypes().length != parameters || method.isBridge()) continue;
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalStateException(type.getName() + " has no method " + name);
    }

    static void set(Object of, String field, Object value) {
        try {
            of.getClass().getField(field).set(of, value);
        } catch (ReflectiveOperationException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    @SuppressWarnings("unchecked")
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Returns the value of an option of an entry, or null if it is not set. */
    static Object option(Object entry, String getter) {
        try {
            Object optional = get(entry, getter);
            return optional != null && (Boolean) get(optional, "hasValue") ? get(optional, "get") : null;
        } catch (IllegalStateException older) {
            return null;
        }
    }

    /** Returns the entries of all benchmark lists on the class path, as JMH's own objects. */
    static List<Object> entries() throws IOException {
        List<Object> entries = new ArrayList<>();
        Class<?> type = null;
        for (URL url : Collections.list(JmhApi.class.getClassLoader().getResources(LIST))) {
            try (InputStream in = url.openStream(); BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.trim().isEmpty() || line.startsWith("#")) continue;
                    if (type == null) type = type("runner.BenchmarkListEntry");
                    entries.add(made(type, line));
                }
            }
        }
        return entries;
    }

    /** Creates an object with the longest constructor whose parameters the arguments can fill in order. */
    static Object made(Class<?> type, Object... arguments) {
        List<Constructor<?>> constructors = new ArrayList<>(Arrays.asList(type.getDeclaredConstructors()));
        constructors.sort(Comparator.comparing(one -> -one.getParameterTypes().length));
        for (Constructor<?> constructor : constructors) {
            Object[] filled = filled(constructor.getParameterTypes(), arguments);
            if (filled == null) continue;
            try {
                constructor.setAccessible(true);
                return constructor.newInstance(filled);
            } catch (InvocationTargetException error) {
                throw JmhApi.<RuntimeException>sneaky(error.getCause());
            } catch (ReflectiveOperationException error) {
                throw new IllegalStateException(error);
            }
        }
        throw new IllegalStateException(type.getName() + " cannot be created: this version of JMH is not supported");
    }

    /**
     * Returns the constructor's arguments in the order of its parameter types, or null if one is missing.
     */
    private static Object[] filled(Class<?>[] types, Object[] arguments) {
        Deque<Object> left = new ArrayDeque<>(Arrays.asList(arguments));
        Object[] filled = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Class<?> wanted = boxed(types[i]);
            Object found = null;
            for (Object one : left) {
                if (found == null && wanted.isInstance(one)) found = one;
            }
            if (found == null) return null;
            left.removeFirstOccurrence(found);
            filled[i] = found;
        }
        return filled;
    }

    private static Class<?> boxed(Class<?> type) {
        Map<Class<?>, Class<?>> boxes = new HashMap<>();
        boxes.put(int.class, Integer.class);
        boxes.put(long.class, Long.class);
        boxes.put(boolean.class, Boolean.class);
        return boxes.getOrDefault(type, type);
    }

    static Object workload(Map<String, String> params) {
        Object workload = made(type("runner.WorkloadParams"));
        for (Map.Entry<String, String> one : params.entrySet()) call(workload.getClass(), workload, "put", one.getKey(), one.getValue(), 0);
        return workload;
    }

    static Object nanoseconds(long time) {
        return made(type("runner.options.TimeValue"), time, TimeUnit.NANOSECONDS);
    }

    /** Returns JMH's parameters of an iteration. {@code calls} is the number of calls per operation. */
    static Object iteration(long timeNs, int calls) {
        return made(type("infra.IterationParams"), constant("runner.IterationType", "MEASUREMENT"), 1, nanoseconds(timeNs), calls);
    }

    /** Returns JMH's parameters of a benchmark in one of its modes. */
    static Object benchmark(JmhBenchmark of, String mode, Map<String, String> params) {
        Object iteration = iteration(0, of.batchSize());
        boolean together = of.threads() > 1;
        Collection<String> flags = of.flags();
        return made(type("infra.BenchmarkParams"), of.name, of.target + '_' + mode, together, of.threads(), of.groups, of.labels, 1, 0,
            iteration, iteration, constant("annotations.Mode", mode), workload(params), TimeUnit.NANOSECONDS, of.operations(),
            System.getProperty("java.home") + "/bin/java", flags, System.getProperty("java.version"), System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"), version(), nanoseconds(of.timeoutNs()));
    }

    static String version() {
        try {
            return (String) call(type("util.Version"), null, "getPlainVersion");
        } catch (RuntimeException older) {
            return "unknown";
        }
    }

    /** Returns the flags that JMH adds to a process for its compiler hints and blackholes. */
    static List<String> launchFlags() {
        List<String> flags = new ArrayList<>();
        call(type("runner.CompilerHints"), null, "addCompilerHints", flags);
        return flags;
    }

    /**
     * Returns the object that controls one iteration. Its class is a generated subclass that reports the
     * progress of JMH's code to {@link JmhHooks}.
     */
    static Object control(Object benchmark, Object iteration, int threads, boolean isFirst, boolean isLast) {
        CountDownLatch before = new CountDownLatch(threads), after = new CountDownLatch(threads);
        Object notify = made(type("infra.Control"));
        // In JMH up to 1.28 there is a single flag, which marks the last iteration.
        if (flags() == 1) return made(Controls.TYPE, benchmark, iteration, before, after, isLast, notify);
        return made(Controls.TYPE, benchmark, iteration, before, after, isFirst, isLast, false, notify);
    }

    private static int flags() {
        int count = 0;
        for (Class<?> one : Controls.TYPE.getConstructors()[0].getParameterTypes()) if (one == boolean.class) count++;
        return count;
    }

    private static final class Controls extends ClassLoader {
        static final Class<?> TYPE = new Controls().make();

        Controls() {
            super(JmhApi.class.getClassLoader());
        }

        /**
         * Makes a subclass of InfraControl with the same constructors. Its hooks call those of {@link
         * JmhHooks} before or after JMH's own.
         */
        private Class<?> make() {
            ClassFile file = new ClassFile();
            String parent = CONTROL.replace('.', '/');
            Constructor<?>[] constructors = type("runner.InfraControl").getConstructors();
            for (Constructor<?> one : constructors) constructor(file, parent, one);
            hook(file, parent, "preSetup", false);
            hook(file, parent, "announceWarmupReady", true);
            hook(file, parent, "announceWarmdownReady", true);
            hook(file, parent, "preTearDown", true);
            byte[] bytes = file.toBytes("derny/JmhControl", parent);
            return defineClass("derny.JmhControl", bytes, 0, bytes.length);
        }

        private static void constructor(ClassFile file, String parent, Constructor<?> like) {
            StringBuilder descriptor = new StringBuilder("(");
            ClassFile.Buffer code = new ClassFile.Buffer().u1(0x2a);
            int local = 1;
            for (Class<?> one : like.getParameterTypes()) {
                boolean isInt = one == boolean.class || one == int.class;
                // Instruction iload or aload, with the number of the local variable.
                code.u1(isInt ? 0x15 : 0x19).u1(local++);
                descriptor.append(one == boolean.class ? "Z" : one == int.class ? "I" : 'L' + one.getName().replace('.', '/') + ';');
            }
            descriptor.append(")V");
            // invokespecial, return.
            code.u1(0xb7).u2(file.method(parent, "<init>", descriptor.toString(), false)).u1(0xb1);
            file.addMethod("<init>", descriptor.toString(), new String[0], code, local, local, new ClassFile.Buffer(), 0);
        }

        private static void hook(ClassFile file, String parent, String name, boolean isBefore) {
            ClassFile.Buffer code = new ClassFile.Buffer();
            int ours = file.method("derny/JmhHooks", name, "()V", false);
            // Call the method of JmhHooks first: invokestatic. Then JMH's own: aload_0, invokespecial.
            if (isBefore) code.u1(0xb8).u2(ours);
            code.u1(0x2a).u1(0xb7).u2(file.method(parent, name, "()V", false));
            if (!isBefore) code.u1(0xb8).u2(ours);
            file.addMethod(name, "()V", new String[0], code.u1(0xb1), 1, 1, new ClassFile.Buffer(), 0);
        }
    }
}
