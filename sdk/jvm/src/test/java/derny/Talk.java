package derny;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A conversation with a suite, in this process. */
final class Talk {
    private Talk() {}

    /** The replies to some commands, the first line and those of `quit` left out. */
    static String[] with(Suite suite, String... commands) throws IOException {
        byte[] bytes = (String.join("\n", commands) + "\nquit\n").getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream replies = new ByteArrayOutputStream();
        new Session(suite, new Wire.Streams(new ByteArrayInputStream(bytes), replies)).run();
        String[] lines = replies.toString("UTF-8").split("\n");
        return java.util.Arrays.copyOfRange(lines, 1, lines.length);
    }

    static Suite suite(java.util.function.Consumer<Suite> define) {
        Suite suite = new Suite();
        define.accept(suite);
        return suite;
    }
}
