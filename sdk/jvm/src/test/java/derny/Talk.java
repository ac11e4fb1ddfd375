package derny;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Runs a conversation with a suite in this process. */
final class Talk {
    private Talk() {}

    /**
     * Returns the replies to some commands, without the first line and the replies to
     * `quit`.
     */
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
