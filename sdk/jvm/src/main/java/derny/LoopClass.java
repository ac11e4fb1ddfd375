package derny;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Generates a class with a timed loop around one call, which is equivalent to this Java code:
 *
 * <pre>
 * public long batch(int n) {
 *     R receiver = this.v0;                     // the receiver of the call stays in a local variable
 *     Object[] inputs = this.inputs.values;     // only if each iteration has its own input
 *     int i = 0;
 *     long start = System.nanoTime();
 *     for (; i &lt; n; i += this.step)             // step is volatile and 1
 *         Blackhole.consume(receiver.body(this.v1, (T) inputs[i]));
 *     return System.nanoTime() - start;
 * }
 * </pre>
 *
 * The volatile read of {@code step} is a barrier: each iteration must read memory again, so that no work on constant data is
 * moved out of the loop. The arguments are fields for the same reason.
 */
final class LoopClass {
    /** The inputs of the next batch, one per iteration. */
    public static final class Inputs {
        /** Has at least as many elements as the batch has iterations. */
        public Object[] values = {};
    }

    private static final AtomicInteger SERIAL = new AtomicInteger();
    private static final String LOOP = "derny/Loop";
    private static final String BLACKHOLE = "derny/Blackhole";
    private static final String INPUTS = "derny/LoopClass$Inputs";
    private static final String[] THROWABLE = {"java/lang/Throwable"};

    private final ClassFile file = new ClassFile();
    private final String name;
    private final Method target;
    private final Object[] operands;
    private final String[] types;
    private final int inputAt;
    private final boolean isStatic;

    private LoopClass(Method target, Object receiver, Object[] arguments, String packageName) {
        this.target = target;
        this.name = packageName + "DernyLoop" + SERIAL.incrementAndGet();
        isStatic = Modifier.isStatic(target.getModifiers());
        int first = isStatic ? 0 : 1;
        operands = new Object[arguments.length + first];
        types = new String[operands.length];
        if (!isStatic) {
            operands[0] = receiver;
            types[0] = internal(target.getDeclaringClass());
        }
        int input = -1;
        for (int i = 0; i < arguments.length; i++) {
            operands[i + first] = arguments[i];
            types[i + first] = internal(target.getParameterTypes()[i]);
            if (arguments[i] instanceof Inputs) input = i + first;
        }
        inputAt = input;
    }

    /**
     * Returns a new loop around {@code target}, with its own class.
     *
     * @param receiver the object whose method is called, or null if the method is static
     * @param arguments one object per parameter; an {@link Inputs} object is replaced by its next value in
     * each iteration
     * @param lookup a lookup with full privileges in the class whose package the loop is defined in, so that
     * the loop can call methods that are not public
     */
    static Loop of(Method target, Object receiver, Object[] arguments, MethodHandles.Lookup lookup) {
        Class<?> neighbour = lookup.lookupClass();
        String packageName = packageOf(neighbour);
        LoopClass loop = new LoopClass(target, receiver, arguments, packageName);
        byte[] bytes = loop.bytes();
        try {
            Class<?> made = HiddenClasses.define(lookup, bytes);
            if (made == null) made = defineBeside(neighbour, target, loop.name, bytes);
            Constructor<?> constructor = made.getDeclaredConstructor(Object[].class);
            return (Loop) constructor.newInstance(new Object[] {loop.operands});
        } catch (InvocationTargetException error) {
            throw new IllegalStateException("the loop around " + target + " cannot be made", error.getCause());
        } catch (ReflectiveOperationException | LinkageError error) {
            throw new IllegalStateException("the loop around " + target + " cannot be made: " + error, error);
        }
    }

    /**
     * Defines a class with a separate loader, for Java before 15. The class can access public classes and
     * methods only.
     */
    static Class<?> defineBeside(Class<?> neighbour, Method target, String name, byte[] bytes) {
        if (!Modifier.isPublic(target.getModifiers()) || !Modifier.isPublic(target.getDeclaringClass().getModifiers())) {
            throw new IllegalArgumentException("before Java 15 a benchmark's class and method must be public: " + target);
        }
        return new Loader(neighbour.getClassLoader()).define(name.replace('/', '.'), bytes);
    }

    private static final class Loader extends ClassLoader {
        Loader(ClassLoader parent) {
            super(parent);
        }

        Class<?> define(String name, byte[] bytes) {
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Returns the name, bytes and operands of a loop's class, for tests that define the class themselves. */
    static Object[] forTest(Method target, Object receiver, Object[] arguments, Class<?> neighbour) {
        LoopClass loop = new LoopClass(target, receiver, arguments, packageOf(neighbour));
        return new Object[] {loop.name, loop.bytes(), loop.operands};
    }

    private static String packageOf(Class<?> type) {
        String name = type.getName();
        return name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/');
    }

    private static String internal(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    private static String descriptor(Class<?> type) {
        String name = Array.newInstance(type, 0).getClass().getName();
        return name.substring(1).replace('.', '/');
    }

    private String targetDescriptor() {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> one : target.getParameterTypes()) text.append(descriptor(one));
        text.append(')');
        return text.append(target.getReturnType() == void.class ? "V" : descriptor(target.getReturnType())).toString();
    }

    private String typeOf(int operand) {
        return operand == inputAt ? INPUTS : types[operand];
    }

    private String fieldDescriptor(int operand) {
        String type = typeOf(operand);
        return type.startsWith("[") ? type : "L" + type + ";";
    }

    private byte[] bytes() {
        for (int k = 0; k < operands.length; k++) file.addField(ClassFile.PRIVATE, "v" + k, fieldDescriptor(k));
        file.addField(ClassFile.PRIVATE | ClassFile.VOLATILE, "step", "I");
        addConstructor();
        addBatch();
        addOnce();
        return file.toBytes(name, "java/lang/Object", LOOP);
    }

    private static final ClassFile.Buffer NO_FRAMES = new ClassFile.Buffer();
    private static final int ALOAD_0 = 0x2a, ALOAD_1 = 0x2b, ILOAD = 0x15, ALOAD = 0x19, ASTORE = 0x3a, ISTORE = 0x36, LSTORE = 0x37,
        LLOAD = 0x16, AALOAD = 0x32, GETFIELD = 0xb4, PUTFIELD = 0xb5, INVOKEVIRTUAL = 0xb6, INVOKESPECIAL = 0xb7,
        INVOKESTATIC = 0xb8, INVOKEINTERFACE = 0xb9, CHECKCAST = 0xc0, ICONST_0 = 0x03, ICONST_1 = 0x04, BIPUSH = 0x10,
        IADD = 0x60, LSUB = 0x65, GOTO = 0xa7, IF_ICMPLT = 0xa1, RETURN = 0xb1, LRETURN = 0xad, ARETURN = 0xb0, ACONST_NULL = 0x01;

    private void addConstructor() {
        ClassFile.Buffer code = new ClassFile.Buffer();
        code.u1(ALOAD_0).u1(INVOKESPECIAL).u2(file.method("java/lang/Object", "<init>", "()V", false));
        for (int k = 0; k < operands.length; k++) {
            code.u1(ALOAD_0).u1(ALOAD_1).u1(BIPUSH).u1(k).u1(AALOAD).u1(CHECKCAST).u2(file.type(typeOf(k)));
            code.u1(PUTFIELD).u2(field(k));
        }
        code.u1(ALOAD_0).u1(ICONST_1).u1(PUTFIELD).u2(file.field(name, "step", "I")).u1(RETURN);
        file.addMethod("<init>", "([Ljava/lang/Object;)V", new String[0], code, 4, 2, NO_FRAMES, 0);
    }

    private int field(int operand) {
        return file.field(name, "v" + operand, fieldDescriptor(operand));
    }

    // Local variables of `batch`: 0 this, 1 n, 2 i, 3 and 4 start, 5 the receiver, 6 the inputs.
    private static final int N = 1, I = 2, START = 3, RECEIVER = 5, VALUES = 6;

    private void addBatch() {
        ClassFile.Buffer code = new ClassFile.Buffer();
        int nanoTime = file.method("java/lang/System", "nanoTime", "()J", false);
        if (isStatic) {
            code.u1(ACONST_NULL);
        } else {
            code.u1(ALOAD_0).u1(GETFIELD).u2(field(0));
        }
        code.u1(ASTORE).u1(RECEIVER);
        if (inputAt >= 0) {
            code.u1(ALOAD_0).u1(GETFIELD).u2(field(inputAt));
            code.u1(GETFIELD).u2(file.field(INPUTS, "values", "[Ljava/lang/Object;"));
        } else {
            code.u1(ACONST_NULL);
        }
        code.u1(ASTORE).u1(VALUES);
        code.u1(ICONST_0).u1(ISTORE).u1(I).u1(INVOKESTATIC).u2(nanoTime).u1(LSTORE).u1(START);
        int jump = code.size();
        ClassFile.Buffer body = new ClassFile.Buffer();
        call(body, true);
        consume(body);
        body.u1(ILOAD).u1(I).u1(ALOAD_0).u1(GETFIELD).u2(file.field(name, "step", "I")).u1(IADD).u1(ISTORE).u1(I);
        int head = jump + 3;
        int condition = head + body.size();
        code.u1(GOTO).u2(condition - jump).append(body.toBytes());
        code.u1(ILOAD).u1(I).u1(ILOAD).u1(N).u1(IF_ICMPLT).u2(head - (condition + 4));
        code.u1(INVOKESTATIC).u2(nanoTime).u1(LLOAD).u1(START).u1(LSUB).u1(LRETURN);
        // A full frame at the head of the loop, with these locals, and the same frame at its condition.
        ClassFile.Buffer frames = new ClassFile.Buffer().u1(255).u2(head).u2(6);
        frames.u1(7).u2(file.type(name)).u1(1).u1(1).u1(4);
        reference(frames, isStatic ? null : types[0]);
        reference(frames, inputAt < 0 ? null : "[Ljava/lang/Object;");
        frames.u2(0).u1(251).u2(condition - head - 1);
        file.addMethod("batch", "(I)J", THROWABLE, code, operands.length + 4, 7, frames, 2);
    }

    /** Appends a verification type: an object of the given type, or null. */
    private void reference(ClassFile.Buffer frames, String type) {
        if (type == null) {
            frames.u1(5);
        } else {
            frames.u1(7).u2(file.type(type));
        }
    }

    /**
     * Appends code that pushes the receiver and the arguments and calls the target. The method `once`, which
     * has no loop, uses the first input.
     */
    private void call(ClassFile.Buffer code, boolean inLoop) {
        int words = 0;
        for (int k = 0; k < operands.length; k++, words++) {
            if (k == 0 && !isStatic && inLoop) {
                code.u1(ALOAD).u1(RECEIVER);
            } else if (k == inputAt && inLoop) {
                code.u1(ALOAD).u1(VALUES).u1(ILOAD).u1(I).u1(AALOAD).u1(CHECKCAST).u2(file.type(types[k]));
            } else {
                code.u1(ALOAD_0).u1(GETFIELD).u2(field(k));
                if (k == inputAt) {
                    code.u1(GETFIELD).u2(file.field(INPUTS, "values", "[Ljava/lang/Object;"));
                    code.u1(ICONST_0).u1(AALOAD).u1(CHECKCAST).u2(file.type(types[k]));
                }
            }
        }
        Class<?> owner = target.getDeclaringClass();
        int method = file.method(internal(owner), target.getName(), targetDescriptor(), owner.isInterface());
        if (isStatic) {
            code.u1(INVOKESTATIC).u2(method);
        } else if (owner.isInterface()) {
            code.u1(INVOKEINTERFACE).u2(method).u1(words).u1(0);
        } else {
            code.u1(INVOKEVIRTUAL).u2(method);
        }
    }

    private void consume(ClassFile.Buffer code) {
        Class<?> type = target.getReturnType();
        if (type == void.class) return;
        String taken = type.isPrimitive() ? descriptor(type) : "Ljava/lang/Object;";
        code.u1(INVOKESTATIC).u2(file.method(BLACKHOLE, "consume", "(" + taken + ")V", false));
    }

    private void addOnce() {
        ClassFile.Buffer code = new ClassFile.Buffer();
        call(code, false);
        Class<?> type = target.getReturnType();
        if (type == void.class) {
            code.u1(ACONST_NULL);
        } else if (type.isPrimitive()) {
            Class<?> box = Array.get(Array.newInstance(type, 1), 0).getClass();
            String valueOf = "(" + descriptor(type) + ")" + descriptor(box);
            code.u1(INVOKESTATIC).u2(file.method(internal(box), "valueOf", valueOf, false));
        }
        code.u1(ARETURN);
        file.addMethod("once", "()Ljava/lang/Object;", THROWABLE, code, operands.length + 4, 1, NO_FRAMES, 0);
    }
}
