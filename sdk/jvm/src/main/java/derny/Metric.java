package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method without parameters that returns a number: the value of a metric for all benchmarks of its
 * class (JMH: {@code @AuxCounters}). The method is called before and after each turn, and the value from
 * before the turn is discarded.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Metric {
    /** Name of the metric. Defaults to the method's name. */
    String value() default "";

    /** Unit. */
    String unit() default "count";

    /** Kind of the values. */
    Kind kind() default Kind.LEVEL;

    /** Direction in which the metric improves. */
    Better better() default Better.NONE;

    /** True if the value depends only on the work done. */
    boolean exact() default false;
}
