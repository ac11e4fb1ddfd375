package derny;

/** Finds the source location of a caller on the stack. */
final class Caller {
    private Caller() {}

    /** Returns the nearest stack frame outside of this package, or null if there is none. */
    static StackTraceElement outsideOfThisPackage() {
        String own = Caller.class.getName();
        String prefix = own.substring(0, own.lastIndexOf('.') + 1);
        for (StackTraceElement element : new Throwable().getStackTrace()) {
            String name = element.getClassName();
            boolean isOwn = name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0;
            if (!isOwn && !name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) return element;
        }
        return null;
    }
}
