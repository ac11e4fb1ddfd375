#include <derny.h>

static char text[1000];

/* Appends where the last word ended. */
DERNY_BENCH(join) {
    char *end = text;
    for (int i = 0; i < 100; i++) {
        end = stpcpy(end, "word ");
        derny_keep(text);
    }
}

/* Looks for the end of the text again for each word. */
DERNY_BENCH(concatenate) {
    text[0] = '\0';
    for (int i = 0; i < 100; i++) {
        strcat(text, "word ");
        derny_keep(text);
    }
}

DERNY_MAIN();
