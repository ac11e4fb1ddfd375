package derny;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Syntax of lines, and the two streams. Independent of the meaning of verbs. */
final class Wire {
    /** Maximum length of a line in bytes, including the line feed. */
    static final int LINE_LIMIT = 65_536;
    private static final int MESSAGE_LIMIT = 4_096;
    private static final int DETAIL_LIMIT = 16_384;
    /**
     * Flags that make HotSpot interpret the code of the protocol, so that none of it is compiled while a
     * body is measured.
     */
    static final List<String> INTERPRETED =
        Arrays.asList("-XX:CompileCommand=exclude,derny.Wire*::*", "-XX:CompileCommand=exclude,derny.Session::*");
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private Wire() {}

    /** Encodes text as a value. `also` is another character to encode, such as the comma within lists. */
    private static String encode(String text, char also) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = c > ' ' && c != '%' && c != '=' && c != 0x7f && c != also;
            if (!plain && out == null) out = new StringBuilder(text.length() + 16).append(text, 0, i);
            if (out == null) continue;
            if (plain) {
                out.append(c);
            } else {
                out.append('%').append(HEX[c >> 4 & 15]).append(HEX[c & 15]);
            }
        }
        return out == null ? text : out.toString();
    }

    static String encode(String text) {
        return encode(text, '%');
    }

    /** Encodes the colons of a name or unit within an item of `metrics`. The item itself is encoded later. */
    static String part(String text) {
        return text.replace("%", "%25").replace(":", "%3A");
    }

    /** Returns an item of `metrics`, before it is encoded. */
    static String metric(String name, String unit, Kind kind, Better better, boolean exact) {
        return part(name) + ':' + part(unit) + ':' + kind.word() + ':' + better.word() + (exact ? ":exact" : "");
    }

    /** Inverse of encode. Throws IllegalArgumentException if the text is malformed. */
    static String decode(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) == 0x7f) throw new IllegalArgumentException("a control character must be encoded");
        }
        if (text.indexOf('%') < 0) return text;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                bytes[length++] = bytes[i];
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) throw new IllegalArgumentException("malformed percent-encoding in \"" + text + '"');
            bytes[length++] = (byte) (high << 4 | low);
            i += 2;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * A parsed line from the engine: its verb and its fields. Values are decoded when they are read. There is
     * one message per turn. If the JVM compiled the methods of this class during the measurement, that would
     * look as if the body were being compiled. They therefore call few other methods, and only those that a
     * process has called hundreds of times before its first turn.
     */
    static final class Message {
        private static final String DIGITS = "0123456789";
        final String verb;
        private String[] keys = new String[8];
        private String[] raw = new String[8];
        private int size;

        /** Parses a line. Throws IllegalArgumentException if it is malformed. */
        Message(String line) {
            int end = end(line, 0);
            verb = line.substring(0, end);
            while (end < line.length()) {
                int start = end + 1;
                end = end(line, start);
                add(line.substring(start, end));
            }
        }

        private static int end(String line, int start) {
            int space = line.indexOf(' ', start);
            return space < 0 ? line.length() : space;
        }

        private void add(String word) {
            int at = word.indexOf('=');
            if (at <= 0 || word.indexOf('=', at + 1) >= 0) throw new IllegalArgumentException(verb + ": \"" + word + "\" is not of the form key=value");
            String key = decode(word.substring(0, at));
            String value = word.substring(at + 1);
            decode(value);
            if (find(key) >= 0) throw new IllegalArgumentException(verb + ": the key " + key + " appears twice");
            if (size == keys.length) {
                keys = Arrays.copyOf(keys, 2 * size);
                raw = Arrays.copyOf(raw, 2 * size);
            }
            keys[size] = key;
            raw[size++] = value;
        }

        private int find(String key) {
            int at = size;
            while (--at >= 0 && !keys[at].equals(key)) continue;
            return at;
        }

        String get(String key) {
            int at = find(key);
            return at < 0 ? null : decode(raw[at]);
        }

        String needed(String key) {
            String value = get(key);
            if (value == null) throw new IllegalArgumentException(verb + ": the key " + key + " is missing");
            return value;
        }

        /** Returns a non-negative integer. Values that exceed a long become the largest long. */
        long integer(String key) {
            String text = needed(key);
            boolean digits = !text.isEmpty() && text.length() <= 20;
            long value = 0;
            for (int i = 0; i < text.length(); i++) {
                int digit = DIGITS.indexOf(text.charAt(i));
                digits &= digit >= 0;
                value = 10 * value + digit;
            }
            if (!digits) throw new IllegalArgumentException(verb + ": " + key + " must be an integer, not \"" + text + '"');
            return text.length() > 18 ? Long.MAX_VALUE : value;
        }

        long integer(String key, long otherwise) {
            return find(key) >= 0 ? integer(key) : otherwise;
        }

        /** Returns the fields `p.NAME`, each with a list of values. */
        Map<String, List<String>> paramLists() {
            Map<String, List<String>> params = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                if (!keys[i].startsWith("p.")) continue;
                List<String> values = new ArrayList<>();
                for (String item : raw[i].split(",", -1)) values.add(decode(item));
                params.put(keys[i].substring(2), values);
            }
            return params;
        }

        /** Returns the fields `p.NAME`, each with one value. */
        Map<String, String> params() {
            Map<String, String> params = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                if (keys[i].startsWith("p.")) params.put(keys[i].substring(2), decode(raw[i]));
            }
            return params;
        }
    }

    /** Appends ` key=value`. Items of a list are separated by commas. Null and empty lists are omitted. */
    static void field(StringBuilder line, String key, Object value) {
        if (value == null || value instanceof Collection && ((Collection<?>) value).isEmpty()) return;
        line.append(' ').append(encode(key)).append('=');
        if (!(value instanceof Collection)) {
            line.append(encode(Axis.text(value)));
            return;
        }
        String separator = "";
        for (Object item : (Collection<?>) value) {
            line.append(separator).append(encode(String.valueOf(item), ','));
            separator = ",";
        }
    }

    /** Returns the `error` line for an exception: its class and message, and its stack trace. */
    static String error(Throwable thrown, boolean fatal) {
        StringBuilder line = new StringBuilder("error");
        try {
            String name = thrown.getClass().getName();
            String own = thrown.getMessage();
            field(line, "message", cut(own == null ? name : name + ": " + own, MESSAGE_LIMIT));
            StringWriter stack = new StringWriter();
            thrown.printStackTrace(new PrintWriter(stack, true));
            field(line, "detail", cut(withoutOwnFrames(stack.toString()), DETAIL_LIMIT));
        } catch (RuntimeException strange) {
            line.setLength("error".length());
            field(line, "message", thrown.getClass().getName() + ": its getMessage() throws");
        }
        if (fatal) field(line, "fatal", 1);
        return line.toString();
    }

    /** Removes the frames of this package, through which the body was called, from a stack trace. */
    private static String withoutOwnFrames(String stack) {
        StringBuilder out = new StringBuilder();
        for (String line : stack.split("\\R")) {
            String own = line.trim();
            if (!own.startsWith("at derny.") && !own.contains("DernyLoop")) out.append(line).append('\n');
        }
        return out.toString().trim();
    }

    /** Returns a prefix of text of at most `limit` bytes that ends with a complete character. */
    static String cut(String text, int limit) {
        if (text.length() * 3L <= limit) return text;
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= limit) return text;
        int end = limit;
        while (end > 0 && (bytes[end] & 0xc0) == 0x80) end--;
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /** Reads commands from the engine line by line. */
    static final class Reader {
        private final InputStream in;
        private final byte[] buffer = new byte[LINE_LIMIT];
        private int start;
        private int end;

        Reader(InputStream in) {
            this.in = in;
        }

        /** Returns the next line, or null at the end of the stream. Blocks without using the processor. */
        String next() throws IOException {
            int searched = start;
            for (;;) {
                for (int i = searched; i < end; i++) {
                    if (buffer[i] == '\n') return take(i);
                }
                if (start > 0) {
                    System.arraycopy(buffer, start, buffer, 0, end - start);
                    end -= start;
                    start = 0;
                }
                if (end == LINE_LIMIT) throw new IOException("a line is longer than " + LINE_LIMIT + " bytes");
                searched = end;
                // Read at most 8 KiB, for which Java uses a buffer on its stack. Larger reads call malloc.
                int count = in.read(buffer, end, Math.min(8192, LINE_LIMIT - end));
                if (count < 0) return null;
                end += count;
            }
        }

        private String take(int lf) throws CharacterCodingException {
            int from = start;
            start = lf + 1;
            int at = from;
            while (at < lf && buffer[at] >= 0) at++;
            if (at == lf) return new String(buffer, from, lf - from, StandardCharsets.ISO_8859_1);
            ByteBuffer line = ByteBuffer.wrap(buffer, from, lf - from);
            return StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(line).toString();
        }
    }

    /** Writes replies. The lines of a turn are assembled without allocation and written with one call. */
    static final class Writer {
        private final OutputStream out;
        private final byte[] buffer = new byte[3 * LINE_LIMIT];
        private final byte[] digits = new byte[20];
        private int length;

        Writer(OutputStream out) {
            this.out = out;
        }

        void send(String lines) throws IOException {
            out.write((lines + '\n').getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        Writer text(String ascii) {
            for (int i = 0; i < ascii.length(); i++) buffer[length++] = (byte) ascii.charAt(i);
            return this;
        }

        Writer number(long value) {
            if (value < 0) return text(String.valueOf(value));
            int at = digits.length;
            do {
                digits[--at] = (byte) ('0' + value % 10);
                value /= 10;
            } while (value > 0);
            System.arraycopy(digits, at, buffer, length, digits.length - at);
            length += digits.length - at;
            return this;
        }

        /** Appends a number, which need not be an integer, or `-` if it is not finite. */
        Writer number(double value) {
            if (Double.isNaN(value) || Double.isInfinite(value)) return text("-");
            if (value == Math.rint(value) && Math.abs(value) < 1e15) return number((long) value);
            return text(String.valueOf(value));
        }

        void flush() throws IOException {
            out.write(buffer, 0, length);
            out.flush();
            length = 0;
        }

        void forget() {
            length = 0;
        }
    }

    /** The two streams of a conversation. */
    static final class Streams {
        final Reader reader;
        final Writer writer;

        Streams(InputStream commands, OutputStream replies) {
            reader = new Reader(commands);
            writer = new Writer(replies);
        }

        /**
         * Opens the streams that the environment names, or returns null if it names none. Throws
         * IllegalStateException if it names only one.
         */
        static Streams fromEnvironment() throws IOException {
            String commands = System.getenv("DERNY_COMMANDS");
            String replies = System.getenv("DERNY_REPLIES");
            boolean hasCommands = commands != null && !commands.isEmpty();
            boolean hasReplies = replies != null && !replies.isEmpty();
            if (hasCommands != hasReplies) throw new IllegalStateException("only one of DERNY_COMMANDS and DERNY_REPLIES is set");
            if (!hasCommands) return null;
            Environment.remove("DERNY_COMMANDS");
            Environment.remove("DERNY_REPLIES");
            // The order matters: opening a FIFO blocks until the engine opens the other end, and the engine
            // opens replies first too. Append, because a user may have redirected standard output to a file.
            OutputStream out = new FileOutputStream(replies, true);
            return new Streams(new FileInputStream(commands), out);
        }
    }
}
