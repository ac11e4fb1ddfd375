package derny;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Records benchmarks with Java's flight recorder: deoptimised code, and the places where time was spent. Used for {@code
 * --diagnose}, never during a measurement. The recorder is called by reflection, because this library is
 * compiled for versions of Java without it.
 */
final class Recording {
    /**
     * Only stacks that contain this class belong to a turn. Those of set-up, the conversation and the
     * recorder do not.
     */
    private static final String IN_A_TURN = Opened.class.getName();
    private static final int MOST_PLACES = 20;

    private final Object recording;
    private final Path file;

    private Recording(Object recording, Path file) {
        this.recording = recording;
        this.file = file;
    }

    /**
     * Starts a recording and returns it, or returns null if the property {@code derny.recording} is not set.
     *
     * @throws IllegalStateException if this Java has no recorder
     */
    static Recording begin() {
        String file = System.getProperty("derny.recording");
        if (file == null) return null;
        try {
            Class<?> configuration = Class.forName("jdk.jfr.Configuration");
            Object profile = configuration.getMethod("getConfiguration", String.class).invoke(null, "profile");
            Class<?> type = Class.forName("jdk.jfr.Recording");
            Object recording = type.getConstructor(configuration).newInstance(profile);
            call(enable(recording, "jdk.Deoptimization"), "withStackTrace");
            Object samples = enable(recording, "jdk.ExecutionSample");
            samples.getClass().getMethod("withPeriod", Duration.class).invoke(samples, Duration.ofMillis(1));
            call(recording, "start");
            return new Recording(recording, Paths.get(file));
        } catch (ReflectiveOperationException | LinkageError none) {
            throw new IllegalStateException("this Java has no flight recorder: " + none, none);
        }
    }

    private static Object enable(Object recording, String event) throws ReflectiveOperationException {
        return recording.getClass().getMethod("enable", String.class).invoke(recording, event);
    }

    /** Ends the recording, writes its file, and prints its data about turns, most frequent first. */
    void end(PrintStream out) throws IOException {
        Map<String, Integer> givenUp = new LinkedHashMap<>();
        Map<String, Integer> samples = new LinkedHashMap<>();
        try {
            call(recording, "stop");
            recording.getClass().getMethod("dump", Path.class).invoke(recording, file);
            Object events = Class.forName("jdk.jfr.consumer.RecordingFile").getMethod("readAllEvents", Path.class).invoke(null, file);
            for (Object event : (List<?>) events) {
                String name = (String) call(call(event, "getEventType"), "getName");
                boolean isDeoptimization = name.equals("jdk.Deoptimization");
                if (!isDeoptimization && !name.equals("jdk.ExecutionSample")) continue;
                List<?> frames = frames(event);
                if (frames.isEmpty() || !isOfATurn(frames)) continue;
                String place = place(frames.get(0));
                if (isDeoptimization) {
                    givenUp.merge(place + ": " + value(event, "reason") + ", " + value(event, "action"), 1, Integer::sum);
                } else {
                    samples.merge(place, 1, Integer::sum);
                }
            }
        } catch (InvocationTargetException error) {
            throw new IOException("cannot record: " + error.getCause(), error);
        } catch (ReflectiveOperationException error) {
            throw new IOException("cannot record: " + error, error);
        }
        mostFirst(givenUp, (what, count) -> out.println("deoptimised " + count + (count == 1 ? " time: " : " times: ") + what));
        int all = samples.values().stream().mapToInt(Integer::intValue).sum();
        mostFirst(samples, (place, count) -> out.println(String.format(Locale.ROOT, "%.1f%% of samples: %s", 100.0 * count / all, place)));
    }

    private interface Told {
        void line(String what, int count);
    }

    private static void mostFirst(Map<String, Integer> counts, Told told) {
        counts.entrySet().stream().sorted((a, b) -> b.getValue() - a.getValue()).limit(MOST_PLACES)
            .forEach(entry -> told.line(entry.getKey(), entry.getValue()));
    }

    private static List<?> frames(Object event) throws ReflectiveOperationException {
        Object trace = call(event, "getStackTrace");
        return trace == null ? java.util.Collections.emptyList() : (List<?>) call(trace, "getFrames");
    }

    private static boolean isOfATurn(List<?> frames) throws ReflectiveOperationException {
        for (Object frame : frames) if (typeOf(frame).equals(IN_A_TURN)) return true;
        return false;
    }

    private static String typeOf(Object frame) throws ReflectiveOperationException {
        return (String) call(call(call(frame, "getMethod"), "getType"), "getName");
    }

    private static String place(Object frame) throws ReflectiveOperationException {
        return typeOf(frame) + '.' + call(call(frame, "getMethod"), "getName") + " line " + call(frame, "getLineNumber");
    }

    private static Object value(Object event, String field) throws ReflectiveOperationException {
        return event.getClass().getMethod("getValue", String.class).invoke(event, field);
    }

    private static Object call(Object target, String method) throws ReflectiveOperationException {
        return target.getClass().getMethod(method).invoke(target);
    }
}
