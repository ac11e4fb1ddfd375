package derny;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongSupplier;

/** Bytes that the current thread has allocated: exact, those in its allocation buffer included. */
final class Allocation {
    private Allocation() {}

    /**
     * By {@code getCurrentThreadAllocatedBytes}, which Java 14 brought and which allocates nothing, else by the thread's number.
     * Made without reflection at the time of the call: that would allocate.
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
