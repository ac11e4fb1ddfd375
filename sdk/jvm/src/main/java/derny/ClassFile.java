package derny;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Builds a class file of version 52 (Java 8): a constant pool, fields, and methods whose bytecode the caller
 * has assembled. Implements the format only (Java Virtual Machine Specification, chapter 4). Independent of
 * loops.
 */
final class ClassFile {
    static final int PUBLIC = 1;
    static final int PRIVATE = 2;
    static final int STATIC = 8;
    static final int FINAL = 16;
    static final int SUPER = 32;
    static final int VOLATILE = 64;
    private static final int JAVA_8 = 52;

    private final Buffer pool = new Buffer();
    private final Map<String, Integer> known = new HashMap<>();
    private int poolSize = 1;
    private final Buffer fields = new Buffer();
    private int fieldCount;
    private final Buffer methods = new Buffer();
    private int methodCount;

    /** A buffer of bytes, in big-endian order. */
    static final class Buffer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        Buffer u1(int value) {
            bytes.write(value);
            return this;
        }

        Buffer u2(int value) {
            return u1(value >> 8).u1(value);
        }

        Buffer u4(int value) {
            return u2(value >> 16).u2(value);
        }

        Buffer append(byte[] part) {
            bytes.write(part, 0, part.length);
            return this;
        }

        int size() {
            return bytes.size();
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }

        Buffer text(String value) {
            try {
                out.writeUTF(value);
            } catch (IOException impossible) {
                throw new IllegalArgumentException("a name is longer than 65,535 bytes", impossible);
            }
            return this;
        }
    }

    private int constant(String key, Buffer entry) {
        Integer at = known.get(key);
        if (at != null) return at;
        pool.append(entry.toBytes());
        known.put(key, poolSize);
        return poolSize++;
    }

    int utf8(String text) {
        return constant("u " + text, new Buffer().u1(1).text(text));
    }

    /**
     * Adds a class, given by internal name (`java/lang/String`) or array descriptor, and returns its index.
     */
    int type(String name) {
        int text = utf8(name);
        return constant("c " + name, new Buffer().u1(7).u2(text));
    }

    private int nameAndType(String name, String descriptor) {
        int first = utf8(name);
        int second = utf8(descriptor);
        return constant("n " + name + " " + descriptor, new Buffer().u1(12).u2(first).u2(second));
    }

    int field(String owner, String name, String descriptor) {
        return member(9, owner, name, descriptor);
    }

    int method(String owner, String name, String descriptor, boolean isInterface) {
        return member(isInterface ? 11 : 10, owner, name, descriptor);
    }

    private int member(int tag, String owner, String name, String descriptor) {
        int first = type(owner);
        int second = nameAndType(name, descriptor);
        return constant(tag + " " + owner + " " + name + " " + descriptor, new Buffer().u1(tag).u2(first).u2(second));
    }

    void addField(int access, String name, String descriptor) {
        fields.u2(access).u2(utf8(name)).u2(utf8(descriptor)).u2(0);
        fieldCount++;
    }

    /** Adds a public instance method. */
    void addMethod(String name, String descriptor, String[] thrown, Buffer code, int stack, int locals, Buffer frames, int frameCount) {
        addMethod(PUBLIC, name, descriptor, thrown, code, stack, locals, frames, frameCount);
    }

    /**
     * Adds a method.
     *
     * @param frames the encoded entries of its StackMapTable, `frameCount` of them; empty if it has no
     * branches
     */
    void addMethod(int access, String name, String descriptor, String[] thrown, Buffer code, int stack, int locals, Buffer frames, int frameCount) {
        Buffer body = new Buffer().u2(stack).u2(locals).u4(code.size()).append(code.toBytes()).u2(0);
        if (frameCount == 0) {
            body.u2(0);
        } else {
            body.u2(1).u2(utf8("StackMapTable")).u4(frames.size() + 2).u2(frameCount).append(frames.toBytes());
        }
        methods.u2(access).u2(utf8(name)).u2(utf8(descriptor)).u2(thrown.length == 0 ? 1 : 2);
        methods.u2(utf8("Code")).u4(body.size()).append(body.toBytes());
        if (thrown.length > 0) {
            Buffer exceptions = new Buffer().u2(thrown.length);
            for (String one : thrown) exceptions.u2(type(one));
            methods.u2(utf8("Exceptions")).u4(exceptions.size()).append(exceptions.toBytes());
        }
        methodCount++;
    }

    /** Returns the bytes of the class, which is public and final. */
    byte[] toBytes(String name, String superName, String... interfaces) {
        int self = type(name);
        int parent = type(superName);
        Buffer implemented = new Buffer().u2(interfaces.length);
        for (String one : interfaces) implemented.u2(type(one));
        Buffer whole = new Buffer().u4(0xCAFEBABE).u2(0).u2(JAVA_8).u2(poolSize).append(pool.toBytes());
        whole.u2(PUBLIC | FINAL | SUPER).u2(self).u2(parent).append(implemented.toBytes());
        whole.u2(fieldCount).append(fields.toBytes()).u2(methodCount).append(methods.toBytes());
        return whole.u2(0).toBytes();
    }
}
