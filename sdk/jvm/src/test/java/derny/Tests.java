package derny;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Runs every method of the test classes whose name begins with `test`, and exits with 1 if one failed.
 */
public final class Tests {
    private static final Class<?>[] CLASSES = {WireTest.class, LoopTest.class, SessionTest.class, AnnotatedTest.class, CountersTest.class,
        PerfDataTest.class, StartTest.class};

    private Tests() {}

    public static void main(String[] args) throws Exception {
        int passed = 0;
        int failed = 0;
        for (Class<?> type : CLASSES) {
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                if (!method.getName().startsWith("test")) continue;
                try {
                    method.setAccessible(true);
                    method.invoke(type.getDeclaredConstructor().newInstance());
                    passed++;
                } catch (InvocationTargetException error) {
                    failed++;
                    System.out.println("FAILED  " + type.getSimpleName() + '.' + method.getName());
                    error.getCause().printStackTrace(System.out);
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    static void equal(Object expected, Object found) {
        if (!expected.equals(found)) throw new AssertionError("expected " + expected + " but found " + found);
    }

    static void that(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    interface Action {
        void run() throws Throwable;
    }

    /** Returns the message of the exception that the action throws. */
    static String thrownBy(Action action) {
        try {
            action.run();
        } catch (Throwable thrown) {
            return String.valueOf(thrown.getMessage());
        }
        throw new AssertionError("nothing was thrown");
    }
}
