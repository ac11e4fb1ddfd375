package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method to measure. Its result, if any, is consumed. It may take {@link State} objects, a {@link
 * Blackhole}, a {@link Timer} (then it times itself), and the result of a {@link Setup} of {@link
 * Level#ITERATION}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Benchmark {
    /**
     * Name; by default the method's, after the class's simple name if a program has classes: {@code
     * Sorting/quick}.
     */
    String value() default "";

    /** Operations per iteration (JMH: {@code @OperationsPerInvocation}). */
    double operations() default 1;

    /** Name of one operation. */
    String unit() default "";

    /** Bytes processed per iteration. */
    long bytes() default 0;

    /** Items processed per iteration. */
    long items() default 0;

    /** Flags that its JVM must be started with (JMH: {@code @Fork(jvmArgsAppend = …)}). */
    String[] jvmArgs() default {};

    /** Environment variables, {@code NAME=VALUE}, that its JVM must be started with. */
    String[] env() default {};

    /** Tags for selection. */
    String[] tags() default {};

    /** True if it must not share its process with another case. */
    boolean isolate() default false;

    /** True if it has no times, and only its {@link Metric} methods are measured. */
    boolean untimed() default false;
}
