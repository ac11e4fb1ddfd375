package derny;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Loads JMH's generated classes with modified loops, which end after a given number of calls and run once per
 * batch. JMH's loop for {@code avgt} ends when a flag of its control is set: {@code do { body; operations++;
 * } while (!control.isDone)}. The modified loop calls {@link JmhHooks#isDone} instead. That method also reads
 * a volatile field, so the compiler generates the same machine code. The method with the loop is called
 * repeatedly through a {@link JmhRepeater}, within one iteration of JMH. JMH's own code around an iteration
 * thus runs once per turn, too rarely for a JVM to compile it during a measurement.
 */
final class JmhStubs extends ClassLoader {
    private static final String TEST = "_jmhTest";
    private static final String STUB = "_avgt_jmhStub";
    private static final String REPEATER = TEST + "$DernyRepeater";
    private static final Map<String, JmhStubs> LOADERS = new HashMap<>();
    private static final int LCONST_1 = 0x0a, LADD = 0x61, LSTORE = 0x37, DUP2 = 0x5c, GETFIELD = 0xb4, INVOKESTATIC = 0xb8;
    private static final int ALOAD_0 = 0x2a, ALOAD_3 = 0x2d;

    private final String generated;

    private JmhStubs(String generated) {
        super(JmhStubs.class.getClassLoader());
        this.generated = generated;
    }

    /**
     * Returns a modified version of a generated class. Its loops for {@code avgt} and {@code thrpt} end by
     * {@link JmhHooks#isDone}.
     */
    static Class<?> counted(Class<?> generated) throws ClassNotFoundException {
        String name = generated.getName();
        String inPackage = name.substring(0, name.lastIndexOf('.') + 1);
        return Class.forName(name, true, LOADERS.computeIfAbsent(inPackage, JmhStubs::new));
    }

    /**
     * Loads all classes of the generated package with this loader, because they access each other's
     * package-private members.
     */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(generated)) return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known != null ? known : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            byte[] bytes;
            if (name.endsWith(REPEATER)) {
                String test = name.substring(0, name.length() - REPEATER.length()) + TEST;
                bytes = JmhRepeater.bytes(name.replace('.', '/'), test.replace('.', '/'), new Pool(bytesOf(test)).stubs());
            } else {
                bytes = bytesOf(name);
                if (name.endsWith(TEST)) bytes = counting(bytes, name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException broken) {
            throw new ClassNotFoundException(name, broken);
        }
    }

    private byte[] bytesOf(String name) throws IOException, ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) throw new ClassNotFoundException(name);
            return whole(in);
        }
    }

    static byte[] whole(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int count = in.read(part); count >= 0; count = in.read(part)) all.write(part, 0, count);
        return all.toByteArray();
    }

    /**
     * Replaces the code that counts a call and reads the flag. {@code lconst_1 ladd lstore N aload CONTROL
     * getfield isDone} becomes {@code lconst_1 ladd dup2 lstore N invokestatic isDone(J)Z}, which has the
     * same length. The stack is not higher afterwards, so stack map frames stay valid. Tables of local
     * variables would become invalid, because they refer to instructions. They are renamed, because a JVM
     * ignores attributes whose names it does not know. References to the methods with these loops get the
     * repeater's class as their owner.
     */
    static byte[] counting(byte[] bytes, String name) throws IOException {
        Pool pool = new Pool(bytes);
        int flag = pool.flag();
        byte[] added = pool.added(name.replace('.', '/').replaceAll(TEST + "$", "") + REPEATER);
        byte[] whole = Arrays.copyOf(bytes, pool.end);
        for (int stub : pool.stubs().keySet()) {
            whole[pool.places.get(stub)] = (byte) (pool.size + Pool.OWNER >> 8);
            whole[pool.places.get(stub) + 1] = (byte) (pool.size + Pool.OWNER);
        }
        whole[8] = (byte) (pool.size + Pool.ADDED >> 8);
        whole[9] = (byte) (pool.size + Pool.ADDED);
        for (int at : pool.tables) whole[at] = '-';
        byte[] rest = Arrays.copyOfRange(bytes, pool.end, bytes.length);
        int found = 0;
        for (int at = 0; at + 8 <= rest.length; at++) {
            if (!isCounting(rest, at, flag)) continue;
            byte local = rest[at + 3];
            rest[at + 2] = DUP2;
            rest[at + 3] = LSTORE;
            rest[at + 4] = local;
            rest[at + 5] = (byte) INVOKESTATIC;
            rest[at + 6] = (byte) (pool.size + Pool.HOOK >> 8);
            rest[at + 7] = (byte) (pool.size + Pool.HOOK);
            found++;
        }
        if (found == 0) throw new IllegalStateException(name + " has no loop of the expected form: this version of JMH is not supported");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(whole);
        out.write(added);
        out.write(rest);
        return out.toByteArray();
    }

    private static boolean isCounting(byte[] code, int at, int flag) {
        int control = code[at + 4] & 0xff;
        return code[at] == LCONST_1 && code[at + 1] == LADD && code[at + 2] == LSTORE && control >= ALOAD_0 && control <= ALOAD_3
            && (code[at + 5] & 0xff) == GETFIELD && ((code[at + 6] & 0xff) << 8 | code[at + 7] & 0xff) == flag;
    }

    /**
     * The constant pool of a class file, as far as needed to find JMH's flag and to add the call of {@code
     * JmhHooks.isDone}.
     */
    private static final class Pool {
        static final int HOOK = 5, OWNER = 7, ADDED = 8;
        final int size;
        final int end;
        /** Offsets of the attribute names of local-variable tables. */
        final List<Integer> tables = new ArrayList<>();
        private final Map<Integer, String> texts = new HashMap<>();
        /** Offsets of the two indices of a constant that refers to a class and a name. */
        final Map<Integer, Integer> places = new HashMap<>();
        private final Map<Integer, int[]> pairs = new HashMap<>();

        Pool(byte[] bytes) throws IOException {
            java.io.ByteArrayInputStream source = new java.io.ByteArrayInputStream(bytes);
            DataInputStream in = new DataInputStream(source);
            in.skipBytes(8);
            size = in.readUnsignedShort();
            for (int i = 1; i < size; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1:
                        int at = bytes.length - source.available() + 2;
                        texts.put(i, in.readUTF());
                        if (texts.get(i).matches("LocalVariable(Type)?Table")) tables.add(at);
                        break;
                    // The constants for class, string, method type, module and package.
                    case 7: case 8: case 16: case 19: case 20: in.readUnsignedShort(); break;
                    case 15: in.skipBytes(3); break;
                    // A long or a double takes two entries.
                    case 5: case 6: in.skipBytes(8); i++; break;
                    case 3: case 4: in.skipBytes(4); break;
                    default:
                        places.put(i, bytes.length - source.available());
                        pairs.put(i, new int[] {tag, in.readUnsignedShort(), in.readUnsignedShort()});
                }
            }
            end = bytes.length - source.available();
        }

        /** Returns the index of the reference to the control's flag, or -1 if there is none. */
        int flag() {
            for (Map.Entry<Integer, int[]> one : pairs.entrySet()) {
                if (one.getValue()[0] == 9 && "isDone".equals(texts.get(pairs.get(one.getValue()[2])[1]))) return one.getKey();
            }
            return -1;
        }

        /** Returns the references to methods with a loop for {@code avgt}: their names and descriptors. */
        Map<Integer, String[]> stubs() {
            Map<Integer, String[]> found = new TreeMap<>();
            pairs.forEach((at, numbers) -> {
                if (numbers[0] != 10) return;
                int[] member = pairs.get(numbers[2]);
                if (texts.get(member[1]).endsWith(STUB)) found.put(at, new String[] {texts.get(member[1]), texts.get(member[2])});
            });
            return found;
        }

        /**
         * Returns the constants that are added: those for a call of {@link JmhHooks#isDone}, and the class
         * `repeater`.
         */
        byte[] added(String repeater) {
            ClassFile.Buffer out = new ClassFile.Buffer();
            out.u1(1).text("derny/JmhHooks").u1(7).u2(size).u1(1).text("isDone").u1(1).text("(J)Z");
            out.u1(12).u2(size + 2).u2(size + 3).u1(10).u2(size + 1).u2(size + 4);
            return out.u1(1).text(repeater).u1(7).u2(size + OWNER - 1).toBytes();
        }
    }
}
