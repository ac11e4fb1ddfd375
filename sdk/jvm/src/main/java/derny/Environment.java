package derny;

import java.lang.reflect.Field;
import java.util.Map;

/**
 * Removes variables from this process's environment where Java permits it: up to Java 15, or with {@code
 * --add-opens java.base/java.lang=ALL-UNNAMED}. Variables that remain are harmless, because child processes
 * of a JVM inherit only the standard streams.
 */
final class Environment {
    private Environment() {}

    static void remove(String name) {
        try {
            Class<?> holder = Class.forName("java.lang.ProcessEnvironment");
            Field field = holder.getDeclaredField("theEnvironment");
            if (!isOpen(holder)) return;
            field.setAccessible(true);
            Map<?, ?> environment = (Map<?, ?>) field.get(null);
            environment.keySet().removeIf(key -> key.toString().equals(name));
        } catch (ReflectiveOperationException | RuntimeException closed) {
            // This Java does not permit it. The variables are harmless in a child process, which does not
            // inherit the descriptors.
        }
    }

    /** Returns true if the package is open to reflection. Checking first avoids a warning of Java 9 to 15. */
    private static boolean isOpen(Class<?> holder) throws ReflectiveOperationException {
        if (System.getProperty("java.specification.version").startsWith("1.")) return true;
        Object theirs = Class.class.getMethod("getModule").invoke(holder);
        Object ours = Class.class.getMethod("getModule").invoke(Environment.class);
        Class<?> module = Class.forName("java.lang.Module");
        return (Boolean) module.getMethod("isOpen", String.class, module).invoke(theirs, "java.lang", ours);
    }
}
