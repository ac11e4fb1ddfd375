#include <derny.h>

static char text[1000];

/* Appends at the end of the previous word. */
DERNY_BENCH(join) {
    char *end = text;
    for (int i = 0; i < 100; i++) {
        end = stpcpy(end, "word ");
        derny_keep(text);
    }
}

/* Searches for the end of the text for each word. */
DERNY_BENCH(concatenate) {
    text[0] = '\0';
    for (int i = 0; i < 100; i++) {
        strcat(text, "word ");
        derny_keep(text);
    }
}

DERNY_MAIN();
