package derny;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;

/** Who this process is: its number, its measuring thread's, and the virtual machine's name. */
final class Runtimes {
    private Runtimes() {}

    /** The process's number. Java 8 knows it only as a part of a name. */
    static long pid() {
        try {
            return Long.parseLong(Files.readSymbolicLink(Paths.get("/proc/self")).toString());
        } catch (IOException | RuntimeException elsewhere) {
            return Long.parseLong(ManagementFactory.getRuntimeMXBean().getName().split("@")[0]);
        }
    }

    /** The system's number of the current thread; null where it cannot be had. */
    static Long thread() {
        try {
            Path link = Files.readSymbolicLink(Paths.get("/proc/thread-self"));
            return Long.valueOf(link.getFileName().toString());
        } catch (IOException | RuntimeException elsewhere) {
            return null;
        }
    }

    /** As in {@code openjdk/17.0.15+6}: the virtual machine and its version. */
    static String name() {
        String vm = System.getProperty("java.vm.name", "java").toLowerCase(Locale.ROOT);
        String name = vm.contains("openj9") ? "openj9" : vm.contains("hotspot") ? "hotspot" : vm.split(" ")[0];
        return name + '/' + System.getProperty("java.vm.version", "unknown");
    }

    /** The first number of Java's version: 8, 17. */
    static int feature() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }
}
