package derny;

import java.util.Map;

/**
 * A class with a method for each of a generated class's loops, which has its parameters and calls it again and again:
 *
 * <pre>
 * public static void NAME(InfraControl control, RawResults result, …) {
 *     do {
 *         GENERATED.NAME(control, result, …);
 *     } while (JmhHooks.again(result.startTime, result.stopTime, result.realTime));
 * }
 * </pre>
 */
final class JmhRepeater {
    private static final String RESULT = "org/openjdk/jmh/results/RawResults";
    private static final String BEGINNING = "(Lorg/openjdk/jmh/runner/InfraControl;L" + RESULT + ";";
    private static final int ILOAD = 0x15, LLOAD = 0x16, FLOAD = 0x17, DLOAD = 0x18, ALOAD = 0x19, ALOAD_1 = 0x2b, GETFIELD = 0xb4, INVOKESTATIC = 0xb8,
        IFNE = 0x9a, RETURN = 0xb1;
    /** Number of local-variable slots for the three longs that are passed to {@code JmhHooks.again}. */
    private static final int QUESTION = 6;

    private JmhRepeater() {}

    /** @param stubs names and descriptors of the methods of the class `generated` */
    static byte[] bytes(String name, String generated, Map<Integer, String[]> stubs) {
        ClassFile file = new ClassFile();
        for (String[] one : stubs.values()) add(file, generated, one[0], one[1]);
        return file.toBytes(name, "java/lang/Object");
    }

    private static void add(ClassFile file, String generated, String name, String descriptor) {
        if (!descriptor.startsWith(BEGINNING)) throw new IllegalStateException(generated + '.' + name + descriptor + ": this version of JMH is not supported");
        ClassFile.Buffer code = new ClassFile.Buffer();
        int locals = load(code, descriptor);
        code.u1(INVOKESTATIC).u2(file.method(generated, name, descriptor, false));
        for (String time : new String[] {"startTime", "stopTime", "realTime"}) code.u1(ALOAD_1).u1(GETFIELD).u2(file.field(RESULT, time, "J"));
        code.u1(INVOKESTATIC).u2(file.method("derny/JmhHooks", "again", "(JJJ)Z", false));
        code.u1(IFNE).u2(-code.size() + 1).u1(RETURN);
        // At the head of the loop, which is the start of the method, all locals are still parameters.
        ClassFile.Buffer frames = new ClassFile.Buffer().u1(0);
        file.addMethod(ClassFile.PUBLIC | ClassFile.STATIC, name, descriptor, new String[0], code, Math.max(locals, QUESTION), locals, frames, 1);
    }

    /** Pushes all parameters and returns the number of stack slots they use. */
    private static int load(ClassFile.Buffer code, String descriptor) {
        int local = 0;
        for (int at = 1; descriptor.charAt(at) != ')'; at++) {
            char type = descriptor.charAt(at);
            code.u1(type == 'J' ? LLOAD : type == 'F' ? FLOAD : type == 'D' ? DLOAD : type == 'L' || type == '[' ? ALOAD : ILOAD).u1(local);
            local += type == 'J' || type == 'D' ? 2 : 1;
            while (descriptor.charAt(at) == '[') at++;
            if (descriptor.charAt(at) == 'L') at = descriptor.indexOf(';', at);
        }
        return local;
    }
}
