package derny;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program for classes that have no {@code main} of their own: {@code java -cp … derny.Main CLASS…}. A word that ends
 * in {@code .java} is a source file, and means the class that it defines.
 */
public final class Main {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

    private Main() {}

    public static void main(String[] args) {
        Start.main(() -> suiteOf(args));
    }

    static Suite suiteOf(String... words) throws Exception {
        if (words.length == 0) throw new IllegalArgumentException("derny.Main needs the names of classes, or of their source files");
        Suite suite = new Suite();
        for (String word : words) {
            Class<?> type = Class.forName(word.endsWith(".java") ? classOf(Paths.get(word)) : word);
            if (Benchmarks.class.isAssignableFrom(type)) {
                ((Benchmarks) Annotated.instance(type)).define(suite);
            } else {
                // A file is a suite by itself, named after it; classes of one program must be told apart.
                Annotated.define(suite, type, word.endsWith(".java") ? "" : type.getSimpleName() + '/');
            }
        }
        return suite;
    }

    /** The name of the class that a source file is named after. */
    static String classOf(Path file) throws IOException {
        String simple = file.getFileName().toString().replaceAll("\\.java$", "");
        Matcher matcher = PACKAGE.matcher(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        return matcher.find() ? matcher.group(1) + '.' + simple : simple;
    }
}
