package derny;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Settings of this JVM that may affect times: heap, collector, compiler and flags. They are recorded for
 * every process.
 */
final class Settings {
    private static final String[] COLLECTORS = {"Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon"};

    private Settings() {}

    /** Returns items of the form `NAME=VALUE`. Those in `known` replace the ones found here. */
    static List<String> items(Map<String, String> known) {
        Map<String, String> settings = new LinkedHashMap<>();
        Options options = new Options();
        settings.put("gc", options.collector());
        settings.put("heap_min", options.value("InitialHeapSize"));
        settings.put("heap_max", options.value("MaxHeapSize"));
        settings.put("compiler", compiler(options));
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
        settings.put("sink", hasCompilerBlackhole(flags) ? "blackhole" : "store");
        settings.put("flags", String.join(" ", withoutOwn(flags)));
        settings.putAll(known);
        List<String> items = new ArrayList<>();
        settings.forEach((name, value) -> {
            if (value != null && !value.isEmpty()) items.add(name + '=' + Wire.cut(value, 4096));
        });
        return items;
    }

    static boolean hasCompilerBlackhole(List<String> flags) {
        boolean unlocked = flags.contains("-XX:+UnlockExperimentalVMOptions");
        return unlocked && flags.contains(Blackhole.COMPILE_COMMAND) && Runtimes.feature() >= 17;
    }

    /**
     * Returns the flags that the user has set. Omits flags of this SDK, which are the same in every
     * process.
     */
    static List<String> withoutOwn(List<String> flags) {
        List<String> left = new ArrayList<>(flags);
        left.removeIf(flag -> flag.equals(Blackhole.COMPILE_COMMAND) || flag.equals("-XX:CompileCommand=quiet")
            || Wire.INTERPRETED.contains(flag)
            || flag.startsWith("-XX:SharedArchiveFile=") || flag.startsWith("-Xlog:disable") || flag.equals("-Xlog:all=error:stderr")
            || flag.equals("-XX:+UnlockExperimentalVMOptions") || flag.equals("-XX:+UnlockDiagnosticVMOptions")
            || flag.startsWith(JmhPrepare.HINTS) && flag.endsWith(JmhPrepare.ENDING) || flag.equals("-DcompilerBlackholesEnabled=true"));
        return left;
    }

    /** Returns `full`, or a description of how compilation differs from that in production. */
    private static String compiler(Options options) {
        String info = System.getProperty("java.vm.info", "");
        if (Counters.isInterpreted()) return "interpreter only (-Xint)";
        if (info.startsWith("compiled")) return "at the first call (-Xcomp)";
        String level = options.value("TieredStopAtLevel");
        if ("false".equals(options.value("TieredCompilation"))) return "no tiers (-XX:-TieredCompilation)";
        if (level != null && Integer.parseInt(level) < 4) return "lower tiers only (-XX:TieredStopAtLevel=" + level + ')';
        if ("false".equals(options.value("BackgroundCompilation"))) return "in the foreground (-Xbatch)";
        return "full";
    }

    /** Reads HotSpot flags. Other virtual machines have no such flags. */
    private static final class Options {
        private com.sun.management.HotSpotDiagnosticMXBean bean;

        Options() {
            try {
                bean = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
            } catch (RuntimeException | LinkageError none) {
                bean = null;
            }
        }

        String value(String name) {
            try {
                return bean == null ? null : bean.getVMOption(name).getValue();
            } catch (IllegalArgumentException unknown) {
                return null;
            }
        }

        String collector() {
            for (String one : COLLECTORS) if ("true".equals(value("Use" + one + "GC"))) return one;
            return null;
        }
    }
}
