package derny;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A benchmark from the list of a JMH jar, in all of its modes. */
final class JmhBenchmark {
    /** JMH's default timeout of an iteration. */
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(10);
    private static final String COUNTERS = "AuxCounters";
    private static final String ANNOTATIONS = "org.openjdk.jmh.annotations.";

    final String name;
    final String owner;
    /**
     * The generated class and the common prefix of its methods, such as {@code
     * x.jmh_generated.A_b_jmhTest.b}.
     */
    final String target;
    final int[] groups;
    final List<String> labels;
    final Set<String> modes = new LinkedHashSet<>();
    final JmhOptions options;
    private final Object entry;
    private Boolean isTimed;

    JmhBenchmark(Object entry, JmhOptions options) {
        this.entry = entry;
        this.options = options;
        name = (String) JmhApi.get(entry, "getUsername");
        owner = (String) JmhApi.get(entry, "getUserClassQName");
        String generated = (String) JmhApi.get(entry, "generatedTarget");
        target = generated.substring(0, generated.lastIndexOf('_'));
        groups = options.groups((int[]) JmhApi.get(entry, "getThreadGroups"));
        labels = texts("getThreadGroupLabels");
    }

    private List<String> texts(String getter) {
        Object value = JmhApi.option(entry, getter);
        List<String> texts = new ArrayList<>();
        if (value instanceof Collection) for (Object one : (Collection<?>) value) texts.add(String.valueOf(one));
        return texts;
    }

    private int number(String getter, int otherwise) {
        Object value = JmhApi.option(entry, getter);
        return value == null ? otherwise : (Integer) value;
    }

    /** Returns the number of measuring threads, which is a multiple of the group size. */
    int threads() {
        int wanted = options.threads != null ? options.threads : number("getThreads", 1);
        int group = 0;
        for (int one : groups) group += one;
        return (JmhOptions.threads(wanted) + group - 1) / group * group;
    }

    int operations() {
        return options.operations != null ? options.operations : number("getOperationsPerInvocation", 1);
    }

    /** Returns the number of calls per operation. */
    int batchSize() {
        return options.batchSize != null ? options.batchSize : number("getMeasurementBatchSize", 1);
    }

    /** Returns the flags for the process, in JMH's order. */
    List<String> flags() {
        List<String> flags = texts("getJvmArgsPrepend");
        flags.addAll(texts("getJvmArgs"));
        flags.addAll(texts("getJvmArgsAppend"));
        return flags;
    }

    boolean hasTimeout() {
        return JmhApi.option(entry, "getTimeout") != null;
    }

    long timeoutNs() {
        Object value = JmhApi.option(entry, "getTimeout");
        if (value == null) return TIMEOUT_NS;
        return ((TimeUnit) JmhApi.get(value, "getTimeUnit")).toNanos((Long) JmhApi.get(value, "getTime"));
    }

    Map<String, String[]> params() {
        Map<String, String[]> params = new LinkedHashMap<>();
        Object value = JmhApi.option(entry, "getParams");
        if (value instanceof Map) ((Map<?, ?>) value).forEach((name, values) -> params.put((String) name, (String[]) values));
        return params;
    }

    /** Returns true if the first call in a process is measured. */
    boolean isCold() {
        return modes.size() == 1 && modes.contains("SingleShotTime");
    }

    /**
     * Returns true if iterations must last for some time, as in JMH, because the benchmark counts events or
     * its threads wait for each other.
     */
    boolean isTimed() {
        if (isTimed == null) isTimed = looksTimed();
        return isTimed;
    }

    private boolean looksTimed() {
        if (isCold()) return false;
        if (threads() > 1 || groups.length > 1) return true;
        try {
            return takesControl() || needsIterations(stub());
        } catch (ReflectiveOperationException | LinkageError broken) {
            // Opening the benchmark will fail and report the reason.
            return false;
        }
    }

    Class<?> generated() throws ClassNotFoundException {
        return Class.forName(target.substring(0, target.lastIndexOf('.')), false, JmhBenchmark.class.getClassLoader());
    }

    /**
     * Returns the method that JMH's worker threads call for a mode. Its arguments are the generated object, a
     * control and the thread's position, all passed as Object. A method handle is used because after some
     * reflective calls a JVM generates a class for them, which would happen during a measurement.
     */
    MethodHandle task(Class<?> generated, String mode) throws ReflectiveOperationException {
        String wanted = target.substring(target.lastIndexOf('.') + 1) + '_' + mode;
        for (Method method : generated.getMethods()) {
            if (!method.getName().equals(wanted) || method.getParameterTypes().length != 2) continue;
            return MethodHandles.lookup().unreflect(method).asType(MethodType.genericMethodType(3));
        }
        throw new NoSuchMethodException(generated.getName() + '.' + wanted + ": this version of JMH is not supported");
    }

    /** Returns the types of the objects that the generated loop takes, such as its states. */
    private List<Class<?>> stub() throws ReflectiveOperationException {
        String wanted = "_ss_jmhStub";
        List<Class<?>> states = new ArrayList<>();
        for (Method method : generated().getDeclaredMethods()) {
            if (!method.getName().endsWith(wanted)) continue;
            for (Class<?> one : method.getParameterTypes()) if (!one.isPrimitive() && !one.getName().startsWith("org.openjdk.jmh.runner.")) states.add(one);
        }
        return states;
    }

    /**
     * Returns true if the benchmark takes a {@code Control} of JMH, with which it may wait for the end of its
     * iteration.
     */
    private boolean takesControl() throws ClassNotFoundException {
        String method = name.substring(name.lastIndexOf('.') + 1);
        for (Method one : Class.forName(owner, false, JmhBenchmark.class.getClassLoader()).getMethods()) {
            if (!one.getName().equals(method)) continue;
            for (Class<?> type : one.getParameterTypes()) if (type.getName().equals("org.openjdk.jmh.infra.Control")) return true;
        }
        return false;
    }

    /** Returns true if a state has fixtures of level Iteration, or auxiliary counters. */
    private static boolean needsIterations(List<Class<?>> states) {
        for (Class<?> state : states) {
            for (Class<?> one = state; one != null && one != Object.class; one = one.getSuperclass()) {
                if (!mayNeedIterations(one)) continue;
                if (annotation(one.getAnnotations(), COUNTERS) != null) return true;
                for (Method method : one.getDeclaredMethods()) if (isOfIteration(method.getAnnotations())) return true;
            }
        }
        return false;
    }

    /**
     * Returns false if the constants of the class file show that the state needs no iterations. Reading
     * annotations would load a hundred classes in each process.
     */
    private static boolean mayNeedIterations(Class<?> state) {
        try (InputStream in = state.getResourceAsStream('/' + state.getName().replace('.', '/') + ".class")) {
            if (in == null) return true;
            String texts = new String(JmhStubs.whole(in), StandardCharsets.ISO_8859_1);
            return texts.contains(COUNTERS) || (texts.contains("Level;") && texts.contains("Iteration"));
        } catch (IOException unreadable) {
            return true;
        }
    }

    private static boolean isOfIteration(Annotation[] all) {
        for (String name : new String[] {"Setup", "TearDown"}) {
            Annotation found = annotation(all, name);
            if (found == null) continue;
            try {
                Object level = found.annotationType().getMethod("value").invoke(found);
                if (((Enum<?>) level).name().equals("Iteration")) return true;
            } catch (ReflectiveOperationException unknown) {
                // The annotation belongs to another library.
            }
        }
        return false;
    }

    private static Annotation annotation(Annotation[] all, String name) {
        for (Annotation one : all) if (one.annotationType().getName().equals(ANNOTATIONS + name)) return one;
        return null;
    }
}
