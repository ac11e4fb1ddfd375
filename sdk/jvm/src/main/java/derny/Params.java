package derny;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameter values of a case, in order of declaration. */
public final class Params {
    private final String benchmark;
    private final Map<String, Object> values;

    Params(String benchmark, Map<String, Object> values) {
        this.benchmark = benchmark;
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Returns the value of a parameter. It has the type of the values that the benchmark declares: Long,
     * Double, Boolean or String.
     */
    public Object get(String name) {
        Object value = values.get(name);
        if (value == null) throw new IllegalArgumentException("the benchmark \"" + benchmark + "\" has no parameter \"" + name + "\"");
        return value;
    }

    /** Returns the value of a parameter as text. */
    public String text(String name) {
        return Axis.text(get(name));
    }

    /** Returns the value of a parameter as an int. */
    public int integer(String name) {
        return Math.toIntExact(((Number) get(name)).longValue());
    }

    /** Returns the value of a parameter as a long. */
    public long number(String name) {
        return ((Number) get(name)).longValue();
    }

    /** Returns the value of a parameter as a double. */
    public double real(String name) {
        return ((Number) get(name)).doubleValue();
    }

    /** Returns the value of a parameter as a boolean. */
    public boolean flag(String name) {
        return (Boolean) get(name);
    }

    /** Returns all names and values. */
    public Map<String, Object> all() {
        return values;
    }

    List<String[]> texts() {
        List<String[]> texts = new ArrayList<>();
        for (Map.Entry<String, Object> one : values.entrySet()) texts.add(new String[] {one.getKey(), Axis.text(one.getValue())});
        return texts;
    }
}
