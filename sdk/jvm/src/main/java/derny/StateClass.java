package derny;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A class whose objects hold data of benchmarks: its parameters, set-ups and tear-downs, as annotated. */
final class StateClass {
    private final Class<?> type;
    private final List<Field> params = new ArrayList<>();

    StateClass(Class<?> type) {
        this.type = type;
        for (Class<?> one = type; one != null; one = one.getSuperclass()) {
            List<Field> declared = new ArrayList<>();
            for (Field field : one.getDeclaredFields()) if (field.isAnnotationPresent(Param.class)) declared.add(field);
            params.addAll(0, declared);
        }
        params.forEach(field -> field.setAccessible(true));
    }

    /**
     * Declares the parameters. A parameter of the same name in another class of the benchmark is the same
     * parameter.
     */
    void declare(Definition<?> definition) {
        for (Field field : params) {
            boolean known = definition.axes.stream().anyMatch(axis -> axis.name.equals(field.getName()));
            if (!known) definition.param(field.getName(), values(field));
        }
    }

    private static Object[] values(Field field) {
        Class<?> type = field.getType();
        String[] texts = field.getAnnotation(Param.class).value();
        Object[] all = texts;
        if (texts.length == 0 && type.isEnum()) all = Arrays.stream(type.getEnumConstants()).map(one -> ((Enum<?>) one).name()).toArray();
        if (texts.length == 0 && type == boolean.class) all = new Object[] {false, true};
        if (all.length == 0) throw new IllegalArgumentException("the parameter " + field + " has no values");
        if (type == String.class || type.isEnum() || type == char.class) return Arrays.stream(all).map(String::valueOf).toArray();
        return Arrays.stream(all).map(value -> number(field, String.valueOf(value))).toArray();
    }

    private static Object number(Field field, String text) {
        Class<?> type = field.getType();
        if (type == boolean.class || type == Boolean.class) return Boolean.valueOf(text);
        if (type == double.class || type == float.class || type == Double.class || type == Float.class) return Double.valueOf(text);
        return Long.valueOf(text.replace("_", ""));
    }

    /** Returns a new object with its parameters set. Set-ups are not called. */
    Object make(Params values) throws Exception {
        Object object = Annotated.instance(type);
        for (Field field : params) field.set(object, converted(field.getType(), values.get(field.getName())));
        return object;
    }

    private static Object converted(Class<?> type, Object value) {
        if (type == String.class) return Axis.text(value);
        if (type == char.class || type == Character.class) return Axis.text(value).charAt(0);
        if (type.isEnum()) return constant(type, Axis.text(value));
        if (!(value instanceof Number)) return value;
        Number number = (Number) value;
        if (type == int.class || type == Integer.class) return Math.toIntExact(number.longValue());
        if (type == short.class || type == Short.class) return (short) number.longValue();
        if (type == byte.class || type == Byte.class) return (byte) number.longValue();
        if (type == float.class || type == Float.class) return number.floatValue();
        return value;
    }

    private static Object constant(Class<?> type, String name) {
        for (Object one : type.getEnumConstants()) if (((Enum<?>) one).name().equals(name)) return one;
        throw new IllegalArgumentException("\"" + name + "\" is no " + type.getSimpleName());
    }

    static boolean admits(List<StateClass> states, Params params) {
        for (StateClass state : states) {
            for (Method filter : Annotated.methods(state.type, Filter.class)) {
                if (!(Boolean) quietly(filter, state, params)) return false;
            }
        }
        return true;
    }

    static String reason(List<StateClass> states, Params params) {
        for (StateClass state : states) {
            for (Method skip : Annotated.methods(state.type, Skip.class)) {
                Object reason = quietly(skip, state, params);
                if (reason != null) return reason.toString();
            }
        }
        return null;
    }

    private static Object quietly(Method method, StateClass state, Params params) {
        try {
            return invoke(method, state.make(params));
        } catch (RuntimeException | Error error) {
            throw error;
        } catch (Throwable error) {
            throw new IllegalStateException(method + " failed", error);
        }
    }

    private static Level level(Method method, Class<? extends Annotation> annotation) {
        return annotation == Setup.class ? method.getAnnotation(Setup.class).value() : method.getAnnotation(TearDown.class).value();
    }

    private List<Method> at(Class<? extends Annotation> annotation, Level level) {
        List<Method> found = new ArrayList<>(Annotated.methods(type, annotation));
        found.removeIf(method -> level(method, annotation) != level);
        return found;
    }

    /** Calls the set-ups or tear-downs of a level on an object. */
    void call(Class<? extends Annotation> annotation, Level level, Object object) throws Throwable {
        for (Method method : at(annotation, level)) invoke(method, object);
    }

    /** Returns the set-ups that make an input for each iteration. */
    List<Method> perIteration() {
        List<Method> makers = at(Setup.class, Level.ITERATION);
        makers.removeIf(method -> method.getReturnType() == void.class);
        return makers;
    }

    boolean hasVoidSetupPerIteration(List<StateClass> states) {
        for (StateClass state : states) {
            if (!state.at(Setup.class, Level.ITERATION).isEmpty() || !state.at(TearDown.class, Level.ITERATION).isEmpty()) return true;
        }
        return false;
    }

    /**
     * Returns true if there are set-ups or tear-downs around batches or, if {@code each} is true, around
     * iterations.
     */
    static boolean any(List<StateClass> states, Class<? extends Annotation> annotation, boolean each) {
        for (StateClass state : states) {
            if (!state.at(annotation, Level.BATCH).isEmpty() || each && !state.at(annotation, Level.ITERATION).isEmpty()) return true;
        }
        return false;
    }

    List<String> metricItems() {
        List<String> items = new ArrayList<>();
        for (Method method : Annotated.methods(type, Metric.class)) {
            Metric metric = method.getAnnotation(Metric.class);
            String name = metric.value().isEmpty() ? method.getName() : metric.value();
            items.add(Wire.metric(name, metric.unit(), metric.kind(), metric.better(), metric.exact()));
        }
        return items;
    }

    void addReadings(Opened opened, Object object) {
        for (Method method : Annotated.methods(type, Metric.class)) {
            opened.readings.add(() -> ((Number) invoke(method, object)).doubleValue());
        }
    }

    static Object invoke(Method method, Object object, Object... arguments) throws Throwable {
        try {
            method.setAccessible(true);
            return method.invoke(object, arguments);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }
}
