package derny;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures benchmarks within a running process such as a shell. The process starts the engine ({@code derny
 * dev attach}), not the other way round. The engine measures as usual, but intervals apply to this process
 * only.
 */
public final class Attached {
    private final StringBuilder report = new StringBuilder();
    private final StringBuilder result = new StringBuilder();
    private int status;

    private Attached() {}

    /**
     * Starts an engine and serves it until it is done. Everything runs in the calling thread.
     *
     * @param flags the engine's flags, as for {@code derny run}: {@code --quick}, {@code --budget 2s}
     * @throws IOException if there is no engine in DERNY_BIN or on the PATH
     */
    public static Attached run(Suite suite, List<String> flags) throws IOException {
        List<String> words = new ArrayList<>(Arrays.asList(Start.engineName(), "dev", "attach"));
        words.addAll(flags);
        Process engine = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Attached attached = new Attached();
        try {
            Wire.Streams streams = new Wire.Streams(engine.getInputStream(), engine.getOutputStream());
            new Session(suite, streams, attached).run();
        } finally {
            engine.getOutputStream().close();
            attached.status = Start.await(engine);
        }
        return attached;
    }

    /** Handles a line of the engine's final report. Returns false for any other verb. */
    boolean takes(String verb, String line) {
        if (!verb.equals("report") && !verb.equals("result")) return false;
        Wire.Message message = new Wire.Message(line);
        if (verb.equals("report")) {
            report.append(message.needed("text"));
        } else {
            result.append(message.needed("json"));
        }
        return true;
    }

    /** Returns the report as text for users. */
    public String report() {
        return report.toString();
    }

    /** Returns the result as JSON, or an empty string if the engine failed. */
    public String result() {
        return result.toString();
    }

    /** Returns the engine's exit status. */
    public int status() {
        return status;
    }
}
