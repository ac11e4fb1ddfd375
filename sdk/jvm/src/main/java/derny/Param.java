package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter: a field of the benchmark's class or of a {@link State} class, of a primitive type, String or
 * an enum, that is set before {@link Setup}. The cases are the product of all parameters' values.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Param {
    /** Values; by default an enum's constants or both booleans. */
    String[] value() default {};
}
