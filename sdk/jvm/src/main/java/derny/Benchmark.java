package derny;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method to measure. Its result is consumed. The method may take {@link State} objects, a {@link
 * Blackhole}, a {@link Timer} (it then measures its own time), and the result of a {@link Setup} method of
 * {@link Level#ITERATION}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Benchmark {
    /**
     * Name of the benchmark. Defaults to the method's name. The simple class name precedes it, as in
     * {@code Sorting/quick}, unless the class is the one that a source file is named after.
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

    /** Flags for the JVM that runs the benchmark (JMH: {@code @Fork(jvmArgsAppend = …)}). */
    String[] jvmArgs() default {};

    /** Environment variables, {@code NAME=VALUE}, for the JVM that runs the benchmark. */
    String[] env() default {};

    /** Tags, by which a user can select benchmarks. */
    String[] tags() default {};

    /** True if each case must run in a separate process. */
    boolean isolate() default false;

    /** True if no times are measured, only the {@link Metric} methods. */
    boolean untimed() default false;
}
