package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method without parameters that returns a number: a metric of all benchmarks of its class (JMH: {@code
 * @AuxCounters}). It is called before each turn, where its value is discarded, and after it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Metric {
    /** Name; by default the method's. */
    String value() default "";

    /** Unit. */
    String unit() default "count";

    /** Kind of its values. */
    Kind kind() default Kind.LEVEL;

    /** Direction in which it improves. */
    Better better() default Better.NONE;

    /** True if equal work gives equal values. */
    boolean exact() default false;
}
