import derny.Benchmark;
import derny.Setup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Bodies whose work is a number of equal units, read from the environment: two variants are the same code, and their true difference is
 * known. DERNY_UNITS is that number in per mille of 1,200.
 */
public class KnownBench {
    private final int units = (int) Math.round(1.2 * Double.parseDouble(System.getenv().getOrDefault("DERNY_UNITS", "1000")));
    private final List<String> words = new ArrayList<>();

    @Setup
    public void setup() {
        for (int i = 0; i < units; i++) words.add("word" + (i * 7919) % 5000);
    }

    @Benchmark
    public List<int[]> objects() {
        List<int[]> list = new ArrayList<>(2000);
        for (int i = 0; i < units; i++) list.add(new int[] {i, i + 1});
        return list;
    }

    @Benchmark
    public List<String> strings() {
        List<String> list = new ArrayList<>(2000);
        for (int i = 0; i < units; i++) list.add("n" + i);
        return list;
    }

    @Benchmark
    public Map<Integer, Integer> map() {
        Map<Integer, Integer> map = new HashMap<>(4096);
        for (int i = 0; i < units; i++) map.put(i, i);
        return map;
    }

    @Benchmark
    public String join() {
        return String.join(" ", words);
    }

    @Benchmark
    public long mix() {
        long x = 88172645463325252L;
        for (int i = 0; i < units; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
