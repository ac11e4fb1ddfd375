#include <csignal>
#include <nanobench.h>
#include <stdexcept>

void more(ankerl::nanobench::Bench &) {
    ankerl::nanobench::Bench bench;
    int calls = 0;
    bench.title("more").relative(true);
    bench.run("twice", [&] { calls++; });
    bench.run("twice", [&] { calls += 2; });
    bench.run("crash", [] { std::raise(SIGSEGV); });
    try {
        bench.run("caught", [] { throw std::logic_error("no luck"); });
    } catch (const std::logic_error &) {
    }
    bench.run("end", [] { std::exit(7); });
    bench.run("throw", [] { throw std::runtime_error("no luck"); });
    bench.run("last", [&] { calls++; });
}
