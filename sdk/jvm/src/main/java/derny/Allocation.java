package derny;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongSupplier;

/**
 * Reads the number of bytes that the current thread has allocated. It is exact and includes the thread's
 * allocation buffer.
 */
final class Allocation {
    private Allocation() {}

    /**
     * Returns a reader. It calls {@code getCurrentThreadAllocatedBytes}, which does not allocate, or before
     * Java 14 {@code getThreadAllocatedBytes}. A reading uses no reflection, which would allocate.
     */
    static LongSupplier reader(com.sun.management.ThreadMXBean threads) {
        long self = Thread.currentThread().getId();
        Class<?> type = com.sun.management.ThreadMXBean.class;
        MethodType toLong = MethodType.methodType(long.class);
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            MethodHandle method = lookup.findVirtual(type, "getCurrentThreadAllocatedBytes", toLong);
            MethodType maker = MethodType.methodType(LongSupplier.class, type);
            return (LongSupplier) LambdaMetafactory.metafactory(lookup, "getAsLong", maker, toLong, method, toLong).getTarget().invoke(threads);
        } catch (Throwable older) {
            return () -> threads.getThreadAllocatedBytes(self);
        }
    }
}
