package derny;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Entry point of a program. Serves the engine if the engine started the program. Starts the engine if a user
 * did.
 */
final class Start {
    static final String VERSION = "0.1.0";
    private static final String MISSING = "derny: the engine is not installed. Put the `derny` binary on the PATH, or set DERNY_BIN to its path.";

    private Start() {}

    /** Serves the engine, or starts one if a user started this process. Ends the process. */
    static void main(Callable<Suite> define) {
        int status;
        try {
            Wire.Streams streams = Wire.Streams.fromEnvironment();
            status = streams == null ? engine() : speak(define, streams);
        } catch (IOException | IllegalStateException error) {
            System.err.println("derny: " + error.getMessage());
            status = 2;
        }
        System.out.flush();
        System.err.flush();
        System.exit(status);
    }

    private static int speak(Callable<Suite> define, Wire.Streams streams) throws IOException {
        Recording recording = Recording.begin();
        try {
            new Session(define.call(), streams).run();
            if (recording != null) recording.end(System.out);
            return 0;
        } catch (Exception | LinkageError error) {
            streams.writer.send(Wire.error(error, true));
            return 1;
        }
    }

    /** Runs the engine with the command line of this process. Returns its exit status. */
    private static int engine() throws IOException {
        String engine = engineName();
        List<String> words = new ArrayList<>(Arrays.asList(engine, "run", "--"));
        words.addAll(withBlackhole(ownCommand()));
        Process process;
        try {
            process = new ProcessBuilder(words).inheritIO().start();
        } catch (IOException error) {
            System.err.println(engine.equals("derny") ? MISSING : "derny: cannot start " + engine + ": " + error.getMessage());
            return 2;
        }
        // The engine handles Ctrl-C. This process then waits until the engine has ended, and exits with its
        // status.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(await(process))));
        return await(process);
    }

    /** Returns the path in DERNY_BIN, or else the name of the engine on the PATH. */
    static String engineName() {
        String named = System.getenv("DERNY_BIN");
        return named == null || named.isEmpty() ? "derny" : named;
    }

    static int await(Process process) {
        for (;;) {
            try {
                return process.waitFor();
            } catch (InterruptedException again) {
                // Interrupted: keep waiting until the engine has ended.
            }
        }
    }

    /** Returns the command line that started this process. */
    static List<String> ownCommand() throws IOException {
        try {
            String line = new String(Files.readAllBytes(Paths.get("/proc/self/cmdline")), StandardCharsets.UTF_8);
            if (!line.isEmpty()) return new ArrayList<>(Arrays.asList(line.split("\0")));
        } catch (IOException elsewhere) {
            // The file exists only on Linux.
        }
        List<String> words = new ArrayList<>();
        words.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        words.addAll(Arrays.asList("-cp", System.getProperty("java.class.path")));
        words.addAll(Arrays.asList(System.getProperty("sun.java.command", "").split(" ")));
        return words;
    }

    /**
     * Adds the flags for compiler blackholes, and the flags that keep the JVM from compiling the code of
     * the protocol. Does nothing if this Java does not support them.
     */
    static List<String> withBlackhole(List<String> command) {
        boolean known = Runtimes.feature() >= 17 && Runtimes.name().matches("(openjdk|hotspot)/.*");
        if (known && !command.contains(Blackhole.COMPILE_COMMAND)) {
            command.addAll(1, Arrays.asList("-XX:+UnlockExperimentalVMOptions", "-XX:CompileCommand=quiet", Blackhole.COMPILE_COMMAND));
            command.addAll(1, Wire.INTERPRETED);
        }
        return command;
    }
}
