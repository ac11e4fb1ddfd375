package derny;

/** The source file of a class, as recorded in the class file. */
final class SourceFile {
    private SourceFile() {}

    /**
     * Returns the path of a class's source file relative to the source root: the file of the outermost class,
     * in the folders of its package.
     */
    static String of(Class<?> type) {
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null) outer = outer.getEnclosingClass();
        return outer.getName().replace('.', '/') + ".java";
    }
}
