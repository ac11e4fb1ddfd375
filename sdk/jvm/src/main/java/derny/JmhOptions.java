package derny;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Parses the JMH command-line options that describe benchmarks. Derny itself chooses the number and duration
 * of measurements.
 */
final class JmhOptions {
    /** Options that take a value and have no effect here. */
    private static final Set<String> ACCEPTED = new HashSet<>(Arrays.asList("-f", "-wf", "-wi", "-i", "-w", "-r", "-wbs", "-bm", "-tu", "-wm", "-wmb",
        "-si", "-gc", "-foe", "-v", "-rf", "-rff", "-o", "-to", "-e"));

    Integer threads;
    Integer operations;
    Integer batchSize;
    private int[] groups;

    static JmhOptions of(String... words) {
        JmhOptions options = new JmhOptions();
        for (int i = 0; i < words.length; i++) {
            String word = words[i];
            if (!ACCEPTED.contains(word) && !options.takes(word)) throw notHonoured(word);
            if (++i == words.length) throw new IllegalArgumentException("--args: " + word + " needs a value");
            options.take(word, words[i]);
        }
        return options;
    }

    private boolean takes(String word) {
        return Arrays.asList("-t", "-tg", "-opi", "-bs").contains(word);
    }

    private static IllegalArgumentException notHonoured(String word) {
        String why = word.equals("-prof")
            ? "Derny does not run profilers of JMH. It always measures allocation, collections and compilations; `--diagnose` shows more"
            : word.startsWith("-jvm") ? "pass JVM flags as a variant, as in `-x zgc=\"java -XX:+UseZGC\"`"
            : word.equals("-p") ? "use `derny run -p NAME=A,B`" : "select cases with arguments of `derny run`";
        return new IllegalArgumentException("--args: " + word + " is not supported: " + why);
    }

    private void take(String word, String value) {
        switch (word) {
            case "-t":
                threads = value.equalsIgnoreCase("max") ? -1 : number(word, value);
                break;
            case "-opi":
                operations = number(word, value);
                break;
            case "-bs":
                batchSize = number(word, value);
                break;
            case "-tg":
                String[] parts = value.split(",");
                groups = new int[parts.length];
                for (int i = 0; i < parts.length; i++) groups[i] = number(word, parts[i]);
                break;
            default:
                break;
        }
    }

    private static int number(String word, String value) {
        try {
            int number = Integer.parseInt(value.trim());
            if (number > 0) return number;
        } catch (NumberFormatException wrong) {
            // The exception below reports it.
        }
        throw new IllegalArgumentException("--args: " + word + " needs an integer of at least 1, not \"" + value + '"');
    }

    int[] groups(int[] own) {
        return groups != null && groups.length == own.length ? groups : own;
    }

    /**
     * Returns the number of threads that an annotation specifies. In JMH, -1 means one thread per processor,
     * and other numbers below 1 mean half as many.
     */
    static int threads(int wanted) {
        int processors = Runtime.getRuntime().availableProcessors();
        if (wanted == -1) return processors;
        return wanted < 1 ? (processors + 1) / 2 : wanted;
    }
}
