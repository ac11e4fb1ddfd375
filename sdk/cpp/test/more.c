#include <derny.h>

DERNY_BENCH(in_c) { derny_keep(context); }
