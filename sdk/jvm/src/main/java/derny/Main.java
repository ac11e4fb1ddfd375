package derny;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Main class for programs whose classes have no {@code main}: {@code java -cp … derny.Main CLASS…}. An
 * argument that ends in {@code .java} is a source file and stands for the class that it defines.
 */
public final class Main {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

    private Main() {}

    public static void main(String[] args) {
        Start.main(() -> suiteOf(args));
    }

    static Suite suiteOf(String... words) throws Exception {
        if (words.length == 0) throw new IllegalArgumentException("derny.Main needs the names of classes or of source files");
        Suite suite = new Suite();
        for (String word : words) {
            if (word.endsWith(".java")) {
                ofFile(suite, Paths.get(word));
            } else {
                // The name of a class is part of its benchmarks' names, because the program may have several
                // classes.
                Class<?> type = Class.forName(word);
                if (!define(suite, type, type.getSimpleName() + '/')) throw Annotated.nothingIn(type);
            }
        }
        return suite;
    }

    /**
     * Adds a file as a suite that is named after it. A file that does not mention this library has benchmarks
     * only if its class or a nested one inherits them. Otherwise the file is unrelated and need not even be
     * compiled.
     */
    private static void ofFile(Suite suite, Path file) throws Exception {
        boolean named = textOf(file).contains("derny");
        Class<?> type;
        try {
            type = Class.forName(classOf(file));
        } catch (ClassNotFoundException | NoClassDefFoundError missing) {
            if (named) throw missing;
            return;
        }
        if (!define(suite, type, "") && named && !Modifier.isAbstract(type.getModifiers())) throw Annotated.nothingIn(type);
    }

    /**
     * Adds the benchmarks of a class and of its static nested classes. Abstract classes have none themselves.
     * Returns true if any benchmark was added.
     */
    private static boolean define(Suite suite, Class<?> type, String prefix) throws Exception {
        boolean found = false;
        if (!Modifier.isAbstract(type.getModifiers())) {
            if (Benchmarks.class.isAssignableFrom(type)) {
                ((Benchmarks) Annotated.instance(type)).define(suite);
                found = true;
            } else {
                found = Annotated.define(suite, type, prefix);
            }
        }
        Class<?>[] nested = type.getDeclaredClasses();
        Arrays.sort(nested, Comparator.comparing(Class::getSimpleName));
        for (Class<?> one : nested) {
            if (Modifier.isStatic(one.getModifiers())) {
                found |= define(suite, one, prefix + one.getSimpleName() + '/');
            } else if (!Annotated.methods(one, Benchmark.class).isEmpty()) {
                throw new IllegalArgumentException(one.getName() + " has benchmarks but is an inner class: make it static");
            }
        }
        return found;
    }

    private static String textOf(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Returns the name of the class that a source file is named after. */
    static String classOf(Path file) throws IOException {
        String simple = file.getFileName().toString().replaceAll("\\.java$", "");
        Matcher matcher = PACKAGE.matcher(textOf(file));
        return matcher.find() ? matcher.group(1) + '.' + simple : simple;
    }
}
