package derny;

/** Where a class is defined, as far as the class knows. */
final class SourceFile {
    private SourceFile() {}

    /** Its source's path below the root of the sources: the file of the outermost class, in the folders of the package. */
    static String of(Class<?> type) {
        Class<?> outer = type;
        while (outer.getEnclosingClass() != null) outer = outer.getEnclosingClass();
        return outer.getName().replace('.', '/') + ".java";
    }
}
