import derny.Benchmark;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Joins a hundred words in two ways. */
public class HelloBench {
    private final String[] words = IntStream.range(0, 100).mapToObj(i -> "word" + i).toArray(String[]::new);

    @Benchmark
    public String join() {
        return String.join(" ", Arrays.asList(words));
    }

    @Benchmark
    public String concatenate() {
        String text = words[0];
        for (int i = 1; i < words.length; i++) text += " " + words[i];
        return text;
    }
}
