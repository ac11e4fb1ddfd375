package derny;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A parameter and its values. Also computes the combinations of several parameters. */
final class Axis {
    final String name;
    final List<Object> values = new ArrayList<>();

    /**
     * @param given numbers, booleans or strings, all of one kind; integers become Long, other numbers Double
     */
    Axis(String name, Object[] given) {
        if (name.isEmpty() || given.length == 0) throw new IllegalArgumentException("a parameter needs a name and at least one value: \"" + name + '"');
        this.name = name;
        for (Object value : given) values.add(kept(value));
        for (Object value : values) {
            if (value.getClass() != values.get(0).getClass()) {
                throw new IllegalArgumentException("the values of parameter \"" + name + "\" must all be of one type");
            }
        }
    }

    /** Creates a parameter of type String. Without default values, the user must choose some. */
    Axis(String name, List<String> texts) {
        this.name = name;
        values.addAll(texts);
    }

    /**
     * Returns the first parameter that has neither default values nor given ones, or null if there is none.
     */
    static Axis withoutValues(List<Axis> axes, Map<String, List<String>> given) {
        for (Axis axis : axes) if (axis.values.isEmpty() && !given.containsKey(axis.name)) return axis;
        return null;
    }

    private static Object kept(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer || value instanceof Long) return ((Number) value).longValue();
        if (value instanceof Number) return ((Number) value).doubleValue();
        if (value instanceof Boolean) return value;
        return String.valueOf(value);
    }

    /** Returns a value as text, without a fraction if it is an integer. */
    static String text(Object value) {
        if (value instanceof Double && (Double) value == Math.rint((Double) value) && Math.abs((Double) value) < 1e15) {
            return String.valueOf(((Double) value).longValue());
        }
        return String.valueOf(value);
    }

    /** Parses a value as the type of the values that the benchmark declares. */
    Object parse(String text) {
        Object own = values.isEmpty() ? text : values.get(0);
        try {
            if (own instanceof Long) return Long.valueOf(text);
            if (own instanceof Double) return Double.valueOf(text);
        } catch (NumberFormatException wrong) {
            String type = own instanceof Long ? "a 64-bit integer" : "a number";
            throw new IllegalArgumentException("parameter \"" + name + "\": \"" + text + "\" is not " + type);
        }
        if (own instanceof String) return text;
        if (!text.equals("true") && !text.equals("false")) throw new IllegalArgumentException("parameter \"" + name + "\": \"" + text + "\" is neither true nor false");
        return Boolean.valueOf(text);
    }

    /**
     * Returns all combinations of values. The first axis varies slowest. Values in {@code given} replace
     * those of an axis.
     */
    static List<Map<String, Object>> product(List<Axis> axes, Map<String, List<String>> given) {
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(new LinkedHashMap<>());
        for (Axis axis : axes) {
            List<Object> values = axis.values;
            if (given.containsKey(axis.name)) {
                values = new ArrayList<>();
                for (String text : given.get(axis.name)) values.add(axis.parse(text));
            }
            List<Map<String, Object>> longer = new ArrayList<>();
            for (Map<String, Object> before : all) {
                for (Object value : values) {
                    Map<String, Object> next = new LinkedHashMap<>(before);
                    next.put(axis.name, value);
                    longer.add(next);
                }
            }
            all = longer;
        }
        return all;
    }
}
