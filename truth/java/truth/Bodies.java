package truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/** The bodies that Derny, JMH and the plain loop call. The constructor creates the inputs. */
public class Bodies {
    private static final int SIZE = 1000;
    private static final int RANK = 16;

    private final int[] shuffled = new int[SIZE];
    private final int[] sorted = new int[SIZE];
    private final double[] numbers = new double[SIZE];
    private final List<String> words = new ArrayList<>();
    private final List<Integer> list = new ArrayList<>();
    private final String text;
    private final double[] left = new double[RANK * RANK];
    private final double[] right = new double[RANK * RANK];
    private final double[] product = new double[RANK * RANK];
    private long seed = 88172645463325252L;

    public Bodies() {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < SIZE; i++) {
            shuffled[i] = i * 7919 % SIZE;
            sorted[i] = i;
            numbers[i] = shuffled[i] / 8.0;
            words.add("word" + i);
            list.add(shuffled[i]);
            line.append(i == 0 ? "" : ",").append(shuffled[i]);
        }
        text = line.toString();
        for (int i = 0; i < RANK * RANK; i++) {
            left[i] = i % 7;
            right[i] = i % 5;
        }
    }

    /** A small object. */
    static final class Node {
        final int id;
        final int next;

        Node(int id, int next) {
            this.id = id;
            this.next = next;
        }
    }

    public Object objects() {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) nodes.add(new Node(i, i + 1));
        return nodes;
    }

    public Object buffer() {
        byte[] bytes = new byte[64 * 1024];
        bytes[shuffled[1]] = 1;
        return bytes;
    }

    public Object strings() {
        List<String> strings = new ArrayList<>();
        for (int n : shuffled) strings.add(Integer.toString(n));
        return strings;
    }

    public Object join() {
        return String.join(" ", words);
    }

    public Object builder() {
        StringBuilder builder = new StringBuilder();
        for (int n : shuffled) builder.append(n).append(';');
        return builder.toString();
    }

    public Object map() {
        Map<Integer, Integer> map = new HashMap<>();
        for (int i = 0; i < SIZE; i++) map.put(shuffled[i], i);
        return map;
    }

    public Object sort() {
        int[] copy = shuffled.clone();
        Arrays.sort(copy);
        return copy;
    }

    public Object parse() {
        List<Integer> numbers = new ArrayList<>();
        for (String word : text.split(",")) numbers.add(Integer.parseInt(word));
        return numbers;
    }

    public Object closures() {
        List<IntUnaryOperator> functions = new ArrayList<>();
        for (int n : shuffled) functions.add(total -> total ^ n);
        int total = 0;
        for (IntUnaryOperator function : functions) total = function.applyAsInt(total);
        return functions.get(total & 511);
    }

    public Object stream() {
        return list.stream().map(n -> n * 3).filter(n -> n % 2 == 0).reduce(0, Integer::sum);
    }

    public double sum() {
        double total = 0;
        for (double number : numbers) total += number;
        return total;
    }

    public long mix() {
        long state = seed;
        for (int i = 0; i < SIZE; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }

    public long search() {
        long total = 0;
        for (int n : shuffled) total += Arrays.binarySearch(sorted, n);
        return total;
    }

    public Object matrix() {
        for (int row = 0; row < RANK; row++) {
            for (int column = 0; column < RANK; column++) {
                double cell = 0;
                for (int k = 0; k < RANK; k++) cell += left[row * RANK + k] * right[k * RANK + column];
                product[row * RANK + column] = cell;
            }
        }
        return product;
    }
}
