/* Entry point of a program, whether the engine or a user started it. */
#ifndef DERNY_START_H
#define DERNY_START_H

#include "compiler.h"
#include "session.h"

DERNY_BEGIN

DERNY_FUNCTION void derny_print_line(const char *program) {
    printf("usage: %s [OPTIONS OF derny run] [-- ARGUMENTS OF THIS PROGRAM]\n"
           "       %s list [OPTIONS OF derny list]\n"
           "       %s --list\n\n"
           "Measures the benchmarks of this program with the engine `derny`.\n"
           "`--list` prints their cases without the engine. `derny run --help` shows all options.\n",
           program, program, program);
}

/* Prints the cases without an engine, one per line. Returns the exit status. */
DERNY_FUNCTION int derny_print_cases(void) {
    struct derny_buffer lines = {NULL, 0, 0};
    struct derny_message nothing;
    memset(&nothing, 0, sizeof nothing);
    struct derny_listing listing = {NULL, &nothing, &lines};
    if (!derny_protected(derny_define_all, NULL) || !derny_protected(derny_list_all, &listing)) {
        fprintf(stderr, "derny: %s\n", derny_failure.message.bytes);
        return 1;
    }
    char *line = lines.bytes;
    while (line != NULL && *line != '\0') {
        char *end = strchr(line, '\n');
        struct derny_message message;
        struct derny_buffer why = {NULL, 0, 0};
        *end = '\0';
        derny_parse(line, &message, &why);
        for (size_t i = 0; i < message.count; i++) {
            const struct derny_pair *pair = &message.pairs[i];
            if (strcmp(pair->key, "benchmark") == 0) printf("%s", pair->value);
            if (strncmp(pair->key, "p.", 2) == 0) printf(" %s=%s", pair->key + 2, pair->value);
        }
        puts("");
        derny_message_release(&message);
        derny_release(&why);
        line = end + 1;
    }
    derny_release(&lines);
    return 0;
}

/*
 * Replaces this process with the engine, which then starts the program again. Returns an exit status
 * only on failure.
 */
DERNY_FUNCTION int derny_become_engine(int argc, char **argv) {
    static char run[] = "run", list[] = "list", dashes[] = "--", engine_name[] = "derny";
    char *named = getenv("DERNY_BIN"), own[4096];
    const bool is_named = named != NULL && *named != '\0';
    char **words = (char **)derny_allocate(NULL, ((size_t)argc + 5) * sizeof *words);
    const bool lists = argc > 1 && strcmp(argv[1], "list") == 0;
    int at = lists ? 2 : 1, count = 0;
    const ssize_t size = readlink("/proc/self/exe", own, sizeof own - 1);
    own[size > 0 ? size : 0] = '\0';
    words[count++] = is_named ? named : engine_name;
    words[count++] = lists ? list : run;
    while (at < argc && strcmp(argv[at], "--") != 0) words[count++] = argv[at++];
    words[count++] = dashes;
    words[count++] = size > 0 ? own : argv[0];
    for (at++; at < argc; at++) words[count++] = argv[at];
    words[count] = NULL;
    execvp(words[0], words);
    if (errno == ENOENT && !is_named) {
        fputs("derny: the engine is not installed. Put the `derny` binary on the PATH, or set DERNY_BIN to its path. "
              "`--list` works without it.\n",
              stderr);
    } else {
        fprintf(stderr, "derny: cannot start %s: %s\n", words[0], strerror(errno));
    }
    free(words);
    return 2;
}

/* Implements `main`. Returns the exit status of the program. */
DERNY_FUNCTION int derny_start_program(int argc, char **argv, const struct derny_build *build) {
    static struct derny_session session;
    derny_turns.build = *build;
    const int is_open = derny_open_streams(&session.talk.streams);
    if (is_open < 0) return 2;
    if (is_open > 0) return derny_serve(&session);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--list") == 0) return derny_print_cases();
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            derny_print_line(argv[0]);
            return 0;
        }
    }
    return derny_become_engine(argc, argv);
}

DERNY_END

/* Language of the translation unit that contains `main`. */
#ifdef __cplusplus
#define DERNY_LANGUAGE "cpp"
#else
#define DERNY_LANGUAGE "c"
#endif
/* Runs the benchmarks of the program. A user-defined `main` calls it and returns its result. */
DERNY_INLINE int derny_main(int argc, char **argv) {
    const struct derny_build build = {DERNY_LANGUAGE, DERNY_RUNTIME, DERNY_COMPILER, DERNY_INSTRUMENTED, false, false};
    return derny_start_program(argc, argv, &build);
}

/* Defines `main`: `DERNY_MAIN();` in one file of the program. */
#define DERNY_MAIN()                                                                               \
    int main(int argc, char **argv) { return derny_main(argc, argv); }                             \
    int main(int argc, char **argv)

#endif
