package derny;

import static derny.Tests.equal;
import static derny.Tests.that;
import static derny.Tests.thrownBy;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Tests the generated loops: all kinds of calls and results, and a separate class for each
 * loop.
 */
public final class LoopTest {
    private int calls;
    private final List<Object> seen = new ArrayList<>();

    int anInt() {
        return ++calls;
    }

    long aLong(String one, int[] other) {
        calls += one.length() + other.length;
        return calls;
    }

    double aDouble() {
        return ++calls / 2.0;
    }

    boolean aBoolean() {
        return ++calls > 1;
    }

    char aChar() {
        return (char) ('a' + calls++);
    }

    float aFloat() {
        return ++calls;
    }

    public void nothing() {
        calls++;
    }

    int[] anArray(Object input) {
        seen.add(input);
        return new int[] {calls++};
    }

    static int staticCalls;

    static String ofTheClass(Blackhole hole) {
        staticCalls++;
        return "static";
    }

    private static Method method(String name) {
        for (Method method : LoopTest.class.getDeclaredMethods()) if (method.getName().equals(name)) return method;
        throw new AssertionError(name);
    }

    private Loop loop(String name, Object... arguments) {
        return LoopClass.of(method(name), this, arguments, MethodHandles.lookup());
    }

    void testEveryKindOfResultIsCalledExactlyAsOften() throws Throwable {
        String[] names = {"anInt", "aDouble", "aBoolean", "aChar", "aFloat", "nothing"};
        Object[] results = {1, 0.5, false, 'a', 1f, "nothing"};
        for (int i = 0; i < names.length; i++) {
            calls = 0;
            Loop loop = loop(names[i]);
            Object once = loop.once();
            equal(results[i], once == null ? "nothing" : once);
            that(loop.batch(1000) >= 0, "a time");
            equal(1001, calls);
            loop.batch(0);
            equal(1001, calls);
        }
    }

    void testArgumentsAreHandedOn() throws Throwable {
        Loop loop = loop("aLong", "four", new int[3]);
        equal(7L, loop.once());
        loop.batch(10);
        equal(77, calls);
    }

    void testEachIterationHasItsOwnInput() throws Throwable {
        LoopClass.Inputs inputs = new LoopClass.Inputs();
        inputs.values = new Object[] {"a", "b", "c", "unused"};
        Loop loop = loop("anArray", inputs);
        loop.batch(3);
        equal("[a, b, c]", seen.toString());
    }

    void testAStaticMethodNeedsNoObject() throws Throwable {
        staticCalls = 0;
        Loop loop = LoopClass.of(method("ofTheClass"), null, new Object[] {Blackhole.INSTANCE}, MethodHandles.lookup());
        equal("static", loop.once());
        loop.batch(5);
        equal(6, staticCalls);
    }

    void testEveryLoopIsAClassOfItsOwn() throws Throwable {
        that(loop("anInt").getClass() != loop("anInt").getClass(), "two loops of one class");
    }

    /** Defines the class as for Java before 15, which works in any version. */
    void testWithoutHiddenClassesALoaderOfItsOwnWill() throws Throwable {
        Method method = method("nothing");
        Object[] parts = LoopClass.forTest(method, this, new Object[0], LoopTest.class);
        Class<?> made = LoopClass.defineBeside(LoopTest.class, method, (String) parts[0], (byte[]) parts[1]);
        that(made.getClassLoader() != LoopTest.class.getClassLoader(), "a loader of its own");
        Constructor<?> constructor = made.getDeclaredConstructor(Object[].class);
        Loop loop = (Loop) constructor.newInstance(new Object[] {parts[2]});
        loop.batch(7);
        equal(7, calls);
        String why = thrownBy(() -> LoopClass.defineBeside(LoopTest.class, method("anInt"), "x", new byte[0]));
        that(why.contains("must be public"), why);
    }

    void testWhatTheBodyThrowsComesOutAsItIs() {
        Method method = Definition.methodOf(Body.OfVoid.class);
        Body.OfVoid body = () -> {
            throw new java.io.IOException("from the body");
        };
        Loop loop = LoopClass.of(method, body, new Object[0], MethodHandles.lookup());
        equal("from the body", thrownBy(() -> loop.batch(1)));
    }
}
