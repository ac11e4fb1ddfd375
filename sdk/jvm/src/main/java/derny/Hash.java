package derny;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * Hashes any value. Equal values have equal hashes, also in other processes. The work is bounded, and hashing
 * never throws. Only the first elements of a collection are hashed, so endless ones have a hash too. Objects
 * whose content is not accessible are hashed by their class.
 */
final class Hash {
    private static final int NODE_LIMIT = 20_000;
    private static final int TEXT_LIMIT = 1 << 20;
    private static final int DEPTH_LIMIT = 64;

    private long state = 0xcbf29ce484222325L;
    private int nodes;
    private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();

    private Hash() {}

    static String of(Object value) {
        Hash hash = new Hash();
        try {
            hash.mix(value, 0);
        } catch (RuntimeException | StackOverflowError unreadable) {
            // The hash covers only the content that was read so far.
            hash.text("unreadable");
        }
        String digits = Long.toHexString(scramble(hash.state));
        return "0000000000000000".substring(digits.length()) + digits;
    }

    private static long scramble(long x) {
        x = (x ^ x >>> 33) * 0xff51afd7ed558ccdL;
        x = (x ^ x >>> 33) * 0xc4ceb9fe1a85ec53L;
        return x ^ x >>> 33;
    }

    private void word(long value) {
        state = (Long.rotateLeft(state, 5) ^ scramble(value)) * 0x9e3779b97f4a7c15L;
    }

    private void text(String value) {
        int length = Math.min(value.length(), TEXT_LIMIT);
        word(value.length());
        for (int i = 0; i < length; i++) state = (state ^ value.charAt(i)) * 0x100000001b3L;
    }

    private void mix(Object value, int depth) {
        if (++nodes > NODE_LIMIT || depth > DEPTH_LIMIT) return;
        if (value == null) {
            text("null");
        } else if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean || value instanceof Character) {
            // Adding 0 turns -0 into 0.
            text(value instanceof Double ? String.valueOf((Double) value + 0.0) : value.toString());
        } else if (value instanceof Enum) {
            text(((Enum<?>) value).name());
        } else if (value instanceof Throwable) {
            text(value.getClass().getName() + ": " + ((Throwable) value).getMessage());
        } else {
            mixObject(value, depth);
        }
    }

    private void mixObject(Object value, int depth) {
        Integer known = seen.putIfAbsent(value, seen.size());
        if (known != null) {
            word(known);
        } else if (value.getClass().isArray()) {
            mixArray(value, depth);
        } else if (value instanceof Map) {
            mixEntries((Map<?, ?>) value, depth);
        } else if (value instanceof Collection) {
            boolean ordered = !(value instanceof java.util.Set);
            long sum = 0;
            for (Iterator<?> items = ((Collection<?>) value).iterator(); items.hasNext() && nodes <= NODE_LIMIT;) {
                if (ordered) mix(items.next(), depth + 1);
                else sum += apart(items.next(), depth);
            }
            word(sum);
        } else {
            text(value.getClass().getName().replaceAll("[$/].*", ""));
            if (saysWhatItIs(value)) text(value.toString());
        }
    }

    private void mixArray(Object array, int depth) {
        int length = Array.getLength(array);
        word(length);
        if (array instanceof byte[]) {
            for (int i = 0; i < Math.min(length, TEXT_LIMIT); i++) state = (state ^ ((byte[]) array)[i]) * 0x100000001b3L;
            return;
        }
        for (int i = 0; i < length && nodes <= NODE_LIMIT; i++) mix(Array.get(array, i), depth + 1);
    }

    private void mixEntries(Map<?, ?> map, int depth) {
        long sum = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (nodes > NODE_LIMIT) break;
            sum += scramble(apart(entry.getKey(), depth)) ^ apart(entry.getValue(), depth);
        }
        word(sum);
    }

    /** Returns the hash of a value by itself, because the elements of sets and maps have no order. */
    private long apart(Object value, int depth) {
        long outer = state;
        state = 0xcbf29ce484222325L;
        mix(value, depth + 1);
        long inner = scramble(state);
        state = outer;
        return inner;
    }

    private static boolean saysWhatItIs(Object value) {
        try {
            return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException impossible) {
            return false;
        }
    }
}
