package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method without parameters that returns a number: a metric of all benchmarks of its class (JMH: {@code @AuxCounters}). It is
 * called before each turn, and its value is thrown away, and after it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Metric {
    /** Its name; by default the method's. */
    String value() default "";

    /** Its unit. */
    String unit() default "count";

    /** What its values are. */
    Kind kind() default Kind.LEVEL;

    /** Which direction is better. */
    Better better() default Better.NONE;

    /** Equal work gives equal values. */
    boolean exact() default false;
}
