package derny;

import static derny.Tests.equal;
import static derny.Tests.that;
import static derny.Tests.thrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;

final class WireTest {
    void testEncodingComesBack() {
        String text = "a b=c%d\n\t\u007fé,語\uD83D\uDE00";
        equal("a%20b%3Dc%25d%0A%09%7Fé,語\uD83D\uDE00", Wire.encode(text));
        equal(text, Wire.decode(Wire.encode(text)));
        equal("plain", Wire.encode("plain"));
        equal("é", Wire.decode("%C3%a9"));
        that(thrownBy(() -> Wire.decode("a%2")).contains("malformed"), "a cut escape");
        that(thrownBy(() -> Wire.decode("a\tb")).contains("control"), "a raw tab");
    }

    void testFieldsAndLists() {
        StringBuilder line = new StringBuilder("x");
        Wire.field(line, "a", Arrays.asList("b,c", "d e"));
        Wire.field(line, "none", Collections.emptyList());
        Wire.field(line, "absent", null);
        Wire.field(line, "n", 1.0);
        equal("x a=b%2Cc,d%20e n=1", line.toString());
        Wire.Message message = new Wire.Message("list p.a=x%2Cy,z p.b= c=%41");
        equal(Arrays.asList("x,y", "z"), message.paramLists().get("a"));
        equal(Arrays.asList(""), message.paramLists().get("b"));
        equal("A", message.get("c"));
        equal("latency%3Aread", Wire.part("latency:read"));
    }

    void testMalformedLinesAreRefused() {
        for (String line : new String[] {"open a", "open =b", "open a=b=c", "open a=b a=c", "open a=%2"}) {
            that(!thrownBy(() -> new Wire.Message(line)).isEmpty(), line);
        }
        that(thrownBy(() -> new Wire.Message("measure n=-1").integer("n")).contains("must be an integer"), "a negative number");
        equal(Long.MAX_VALUE, new Wire.Message("measure n=18446744073709551615").integer("n"));
    }

    void testLinesArriveWholeHoweverTheyAreCut() throws IOException {
        byte[] bytes = "first\nsecönd\n\nrest".getBytes(StandardCharsets.UTF_8);
        ByteArrayInputStream slow = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1));
            }
        };
        Wire.Reader reader = new Wire.Reader(slow);
        equal("first", reader.next());
        equal("secönd", reader.next());
        equal("", reader.next());
        equal("null", String.valueOf(reader.next()));
    }

    void testALineTooLongOrNotInUtf8EndsTheConversation() {
        byte[] endless = new byte[Wire.LINE_LIMIT + 1];
        Arrays.fill(endless, (byte) 'x');
        that(thrownBy(() -> new Wire.Reader(new ByteArrayInputStream(endless)).next()).contains("is longer than"), "too long");
        byte[] latin1 = {'a', (byte) 0xe9, '\n'};
        thrownBy(() -> new Wire.Reader(new ByteArrayInputStream(latin1)).next());
    }

    void testNumbersAreWrittenAsTheyAre() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Wire.Writer writer = new Wire.Writer(out);
        writer.number(0L).text(" ").number(1234567890123L).text(" ").number(-7L).text(" ").number(0.5).text(" ").number(3.0);
        writer.text(" ").number(Double.NaN).text("\n").flush();
        equal("0 1234567890123 -7 0.5 3 -\n", out.toString("UTF-8"));
    }

    void testErrorsAreCutAndKeepWhatTheReaderWants() {
        StringBuilder long_ = new StringBuilder();
        for (int i = 0; i < 3000; i++) long_.append("é€");
        String line = Wire.error(new IllegalStateException(long_.toString()), true);
        that(line.startsWith("error message=java.lang.IllegalStateException:%20é"), line.substring(0, 60));
        that(line.endsWith(" fatal=1"), "fatal");
        that(line.getBytes(StandardCharsets.UTF_8).length < Wire.LINE_LIMIT, "fits a line");
        equal("é", Wire.cut("é€", 4));
    }
}
