package derny;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Inspects a jar before it is measured: {@code java -cp derny.jar:benchmarks.jar derny.JmhPrepare NAME
 * [WHAT]}. Writes NAME.flags, the flags that JMH itself adds to a process for its compiler hints and
 * blackholes. Reports the problem if the jar cannot be used. WHAT names the jar in messages.
 */
public final class JmhPrepare {
    static final String HINTS = "-XX:CompileCommandFile=";
    static final String ENDING = ".hints";
    /** Difference between the version of a class file and the version of Java: 45 is Java 1. */
    private static final int FIRST = 44;

    private JmhPrepare() {}

    public static void main(String[] args) throws IOException {
        String wrong;
        try {
            wrong = wrong();
        } catch (UnsupportedClassVersionError newer) {
            wrong = "was compiled for a newer Java than " + Runtimes.feature() + ": " + needed(newer);
        } catch (IllegalStateException | LinkageError broken) {
            wrong = broken.getMessage();
        }
        if (wrong != null) {
            System.err.println((args.length > 1 ? args[1] : Jmh.jar()) + ": " + wrong);
            System.exit(1);
        }
        Path hints = Paths.get(args[0] + ENDING);
        List<String> flags = new ArrayList<>();
        for (String flag : JmhApi.launchFlags()) {
            if (flag.startsWith(HINTS)) {
                Files.copy(Paths.get(flag.substring(HINTS.length())), hints, StandardCopyOption.REPLACE_EXISTING);
                flags.add(HINTS + hints);
            } else {
                flags.add(flag);
            }
        }
        Files.write(Paths.get(args[0] + ".flags"), flags, StandardCharsets.UTF_8);
    }

    private static String wrong() throws IOException {
        List<JmhBenchmark> all = Jmh.benchmarks(new JmhOptions());
        if (all.isEmpty()) return "has no benchmarks of JMH: " + JmhApi.LIST + ", which JMH's annotation processor writes, is missing or empty";
        try {
            all.get(0).generated().getDeclaredMethods();
        } catch (ClassNotFoundException missing) {
            return "is incomplete: it lists " + all.get(0).name + " but has no class " + missing.getMessage();
        }
        return null;
    }

    private static String needed(UnsupportedClassVersionError newer) {
        java.util.regex.Matcher version = java.util.regex.Pattern.compile("class file version (\\d+)").matcher(String.valueOf(newer.getMessage()));
        return version.find() ? "it needs Java " + (Integer.parseInt(version.group(1)) - FIRST) : newer.getMessage();
    }
}
