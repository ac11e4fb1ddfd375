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

/* Reads in another thread. The time includes starting the thread and waiting for it. */
DERNY_BENCH(elsewhere, .group = "read") { by_thread(read_some); }

/* Measures the cost of starting a thread and waiting for it. */
DERNY_BENCH(thread) { by_thread(do_nothing); }

DERNY_MAIN();
