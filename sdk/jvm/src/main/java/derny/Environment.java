package derny;

import java.lang.reflect.Field;
import java.util.Map;

/**
 * Takes variables out of this process's environment as far as Java lets a program do that: up to Java 15, or where
 * {@code --add-opens java.base/java.lang=ALL-UNNAMED} was given. Programs that Java starts inherit no descriptors but
 * the standard ones, so that the conversation is safe from them in any case.
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
            // This Java does not permit it. The remaining variables are useless for a child, which does not
            // inherit the descriptors.
        }
    }

    /**
     * Returns true if the package is open to reflection: checking first keeps Java 9 to 15 from printing a
     * warning.
     */
    private static boolean isOpen(Class<?> holder) throws ReflectiveOperationException {
        if (System.getProperty("java.specification.version").startsWith("1.")) return true;
        Object theirs = Class.class.getMethod("getModule").invoke(holder);
        Object ours = Class.class.getMethod("getModule").invoke(Environment.class);
        Class<?> module = Class.forName("java.lang.Module");
        return (Boolean) module.getMethod("isOpen", String.class, module).invoke(theirs, "java.lang", ours);
    }
}
