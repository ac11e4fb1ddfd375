package derny;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Features that Java has added since version 8: hidden classes and private lookups. They are called by
 * reflection, because this SDK is compiled for Java 8.
 */
final class HiddenClasses {
    private static final Method DEFINE = findDefine();
    private static final Object OPTIONS = DEFINE == null ? null : Array.newInstance(DEFINE.getParameterTypes()[2].getComponentType(), 0);
    private static final Method PRIVATE_LOOKUP = find(MethodHandles.class, "privateLookupIn", Class.class, MethodHandles.Lookup.class);

    private HiddenClasses() {}

    private static Method find(Class<?> owner, String name, Class<?>... types) {
        try {
            return owner.getMethod(name, types);
        } catch (NoSuchMethodException older) {
            return null;
        }
    }

    private static Method findDefine() {
        for (Method method : MethodHandles.Lookup.class.getMethods()) {
            if (method.getName().equals("defineHiddenClass")) return method;
        }
        return null;
    }

    /** Defines a hidden class in the package of the lookup's class. Returns null before Java 15. */
    static Class<?> define(MethodHandles.Lookup lookup, byte[] bytes) throws ReflectiveOperationException {
        if (DEFINE == null) return null;
        return ((MethodHandles.Lookup) call(DEFINE, lookup, bytes, true, OPTIONS)).lookupClass();
    }

    /** Returns a lookup with the private access of {@code type}, if this Java supports it. */
    static MethodHandles.Lookup in(Class<?> type) throws ReflectiveOperationException {
        MethodHandles.Lookup own = MethodHandles.lookup();
        return PRIVATE_LOOKUP == null ? own.in(type) : (MethodHandles.Lookup) call(PRIVATE_LOOKUP, null, type, own);
    }

    private static Object call(Method method, Object receiver, Object... arguments) throws ReflectiveOperationException {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof LinkageError) throw (LinkageError) error.getCause();
            throw error;
        }
    }
}
