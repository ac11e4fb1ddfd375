#define ANKERL_NANOBENCH_IMPLEMENT
#include "local.h"

int main() {
    int calls = 0;
    ankerl::nanobench::Bench().run("beside", [&] { calls++; });
}
