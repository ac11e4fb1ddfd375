#include <derny.h>

static char text[4096];

static void *read_some(void *nothing) {
    FILE *file = fopen(__FILE__, "r");
    if (file == NULL) return NULL;
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    (void)nothing;
    return text + size;
}

static void *do_nothing(void *nothing) { return nothing; }

static void by_thread(void *(*work)(void *)) {
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, work, NULL) != 0) derny_fail("cannot start a thread");
    pthread_join(thread, &result);
    derny_keep(result);
}

DERNY_BENCH(here, .group = "read") { derny_keep(read_some(NULL)); }

/* Another thread does the work; starting it and waiting for it are part of every call. */
DERNY_BENCH(elsewhere, .group = "read") { by_thread(read_some); }

/* What a thread and waiting for it cost by themselves. */
DERNY_BENCH(thread) { by_thread(do_nothing); }

DERNY_MAIN();
