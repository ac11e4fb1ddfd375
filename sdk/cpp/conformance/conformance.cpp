// Benchmarks that `derny dev conform` runs. Their correct results are in protocol/IMPLEMENTING.md.
#include <derny.hpp>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

static void busy(int us) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(us);
    while (std::chrono::steady_clock::now() < end) {
    }
}

static void fail_at(const std::string &at, const char *place) {
    if (at == place) throw std::runtime_error(std::string("thrown in ") + place);
}

static void conform(derny::suite &suite) {
    suite.bench("empty", [] {});

    suite.define("busy")
        .param("us", {20, 200})
        .setup([](const derny::params &p) { return p.get<int>("us"); })
        .run([](int us) { busy(us); });

    static double calls = 0;
    suite.define("count")
        .metric("calls", "count", "total:exact", [] { return std::exchange(calls, 0); })
        .run([] { calls++; });

    suite.define("setup").before_batch([] { busy(2000); }).run([] { busy(20); });

    suite.define("params")
        .param("size", {1, 2})
        .param("kind", {"a", "b"})
        .filter([](const derny::params &p) { return p.text("size") != "2" || p.text("kind") != "b"; })
        .run([] {});

    suite.define("text")
        .param("text", {"plain"})
        .setup([](const derny::params &p) { return p.text("text"); })
        .run_hashed([](const std::string &text) { return text; });

    suite.define("throw")
        .param("at", {"setup", "call", "teardown"})
        .setup([](const derny::params &p) {
            fail_at(p.text("at"), "setup");
            return p.text("at");
        })
        .teardown([](const std::string &at) { fail_at(at, "teardown"); })
        .run([](const std::string &at) { fail_at(at, "call"); });

    suite.bench("print", [] {
        std::puts("times 1 2 3");
        std::fflush(stdout);
        std::fputs("error message=printed fatal=1\n", stderr);
    });

    suite.define("self")
        .param("us", {20})
        .setup([](const derny::params &p) { return p.get<int>("us"); })
        .run_timed([](int us, std::uint64_t iterations, derny::timer &timer) {
            timer.start();
            for (; iterations > 0; iterations--) busy(us);
            timer.stop();
        });

    suite.define("value").untimed().metric("answer", "count", "level:more:exact", [] { return 42; }).run([] {});

    suite.define("skip").setup([](const derny::params &) -> int { derny::skip("not here"); }).run([] {});

    suite.define("report")
        .setup([](const derny::params &) { return 0; })
        .teardown([](int) { derny::report("lines", "count", "more:total", 60); })
        .run([] {
            derny::report("ns/op", "ns", "", 1.5);
            derny::report("a:b", "B", "peak:less", 1);
        });

    suite.bench("twin", [] { busy(20); });
    suite.bench("twin", [] { busy(200); });
}

DERNY_SUITE(suite) { suite.group("conform", conform); }

DERNY_MAIN();
