package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method to measure. It may return something, which is consumed, and may take {@link State} objects, a {@link Blackhole},
 * a {@link Timer} (then it times itself), and what a {@link Setup} of {@link Level#ITERATION} returns.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Benchmark {
    /** Its name; by default the method's, after the class's simple name where a program has classes: {@code Sorting/quick}. */
    String value() default "";

    /** Operations per iteration (JMH: {@code @OperationsPerInvocation}). */
    double operations() default 1;

    /** Name of one operation. */
    String unit() default "";

    /** Bytes handled per iteration. */
    long bytes() default 0;

    /** Items handled per iteration. */
    long items() default 0;

    /** Flags with which its JVM must be started (JMH: {@code @Fork(jvmArgsAppend = …)}). */
    String[] jvmArgs() default {};

    /** Environment variables, {@code NAME=VALUE}, with which its JVM must be started. */
    String[] env() default {};

    /** Words by which to select it. */
    String[] tags() default {};

    /** It must not share its process with another case. */
    boolean isolate() default false;

    /** It has no times: its {@link Metric} methods are what is measured. */
    boolean untimed() default false;
}
