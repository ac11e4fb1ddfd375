package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter: a field of a primitive type, String or an enum, in the benchmark's class or a {@link
 * State} class. It is set before {@link Setup} methods run. The cases are all combinations of the parameters'
 * values.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Param {
    /** The values. Defaults to all constants of an enum, or to both booleans. */
    String[] value() default {};
}
