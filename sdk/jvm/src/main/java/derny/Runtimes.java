package derny;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;

/** Identifies this process: its id, the id of its measuring thread, and the name of its virtual machine. */
final class Runtimes {
    private Runtimes() {}

    /** Returns the process id. In Java 8, it is available only as part of a name. */
    static long pid() {
        try {
            return Long.parseLong(Files.readSymbolicLink(Paths.get("/proc/self")).toString());
        } catch (IOException | RuntimeException elsewhere) {
            return Long.parseLong(ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        }
    }

    /** Returns the operating system's id of the current thread, or null if unavailable. */
    static Long thread() {
        try {
            Path link = Files.readSymbolicLink(Paths.get("/proc/thread-self"));
            return Long.valueOf(link.getFileName().toString());
        } catch (IOException | RuntimeException elsewhere) {
            return null;
        }
    }

    /** Returns the name and version of the virtual machine, such as {@code openjdk/17.0.15+6}. */
    static String name() {
        String vm = System.getProperty("java.vm.name", "java").toLowerCase(Locale.ROOT);
        String name = vm.contains("openj9") ? "openj9" : vm.contains("hotspot") ? "hotspot" : vm.split(" ")[0];
        return name + '/' + System.getProperty("java.vm.version", "unknown");
    }

    /** Returns the feature number of the Java version, such as 8 or 17. */
    static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
