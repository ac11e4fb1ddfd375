package derny;

/** Source of a class, as far as the class has it. */
final class SourceFile {
    private SourceFile() {}

    /**
     * Returns the path of its source below the root of the sources: the file of the outermost class, in the
     * folders of the package.
     */
    static String of(Class<?> type) {
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null) outer = outer.getEnclosingClass();
        return outer.getName().replace('.', '/') + ".java";
    }
}
