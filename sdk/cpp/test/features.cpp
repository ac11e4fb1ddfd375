// Benchmarks whose behaviour `test.sh` checks, through the protocol.
#include <derny.hpp>

#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Number of values that were made, that are alive, and that were alive at once at most.
struct census {
    int made = 0, alive = 0, most = 0;
};

/// A value that counts its instances.
class counted {
  public:
    explicit counted(census &all) : all_(&all) {
        all.made++;
        all.most = std::max(all.most, ++all.alive);
    }
    counted(counted &&other) noexcept : all_(std::exchange(other.all_, nullptr)) {}
    counted &operator=(counted &&) = delete;
    ~counted() {
        if (all_ != nullptr) all_->alive--;
    }

  private:
    census *all_;
};

/// State shared by several threads.
struct shared {
    std::atomic<int> calls{0};
    std::array<std::atomic<int>, 8> of_thread{};
};

static std::unique_ptr<census> new_census(const derny::params &) { return std::make_unique<census>(); }

static void life(derny::suite &suite) {
    // The tear-down reports the numbers of values that were made, that are alive, and that were
    // alive at once.
    const auto told = [](std::unique_ptr<census> &all) {
        derny::report("made", "count", "", all->made);
        derny::report("alive", "count", "", all->alive);
        derny::report("most", "count", "", all->most);
    };
    suite.define("results").setup(new_census).teardown(told).run([](auto &all) { return counted(*all); });
    suite.define("kept").drop_outside().setup(new_census).teardown(told).run([](auto &all) { return counted(*all); });
    suite.define("fresh")
        .setup(new_census)
        .teardown(told)
        .fresh([](auto &all) { return counted(*all); })
        .run([](counted one) { return one; });
    suite.define("fresh by reference")
        .setup(new_census)
        .teardown(told)
        .fresh([](auto &all) { return counted(*all); })
        .run([](auto &all, counted &one) { return all->alive + static_cast<int>(sizeof one); });
}

static void threads(derny::suite &suite) {
    suite.define("threads")
        .param("threads", {1, 3})
        .threads([](const derny::params &p) { return p.get<int>("threads"); })
        .setup([](const derny::params &) { return std::make_unique<shared>(); })
        .teardown([](std::unique_ptr<shared> &all) {
            derny::report("calls", "count", "", all->calls);
            int taking_part = 0;
            for (const auto &count : all->of_thread) taking_part += count > 0;
            derny::report("threads", "count", "", taking_part);
        })
        .run([](std::unique_ptr<shared> &all) {
            all->calls++;
            all->of_thread[derny::thread()]++;
        });
    suite.define("thread fails").threads(2).run([] {
        if (derny::thread() == 1) throw std::logic_error("in thread 1");
    });
}

static void failures(derny::suite &suite) {
    suite.bench("nested", [] {
        try {
            throw std::invalid_argument("inner");
        } catch (...) {
            std::throw_with_nested(std::runtime_error("outer"));
        }
    });
    suite.bench("number", [] { throw 7; });
    suite.bench("fails", [] { derny::fail("no luck"); });
    suite.bench("skips", [] { derny::skip("not now"); });
    suite.define("not a number").param("n", {"x"}).setup([](const derny::params &p) { return p.get<int>("n"); }).run([] {});
}

static void said(derny::suite &suite) {
    suite.define("options")
        .param("n", {2, 3})
        .param("text", {"a,b", "c d"})
        .param("half", std::vector<double>{0.5})
        .filter([](const derny::params &p) { return p.get<int>("n") > 2 && p.get<double>("half") < 1; })
        .ops(4)
        .bytes([](const derny::params &p) { return p.get<std::size_t>("n") * 10; })
        .items(7)
        .unit("word")
        .tags({"x,y", "z"})
        .env("K", "v,w")
        .isolate()
        .max_iterations(5)
        .metric("a:b", "c%", "peak:less", [] { return 1.5; })
        .run([] {});
    suite.define("hashed").run_hashed([] { return std::vector<std::pair<int, std::string>>{{1, "a"}, {2, "b"}}; });
    suite.define("hooks")
        .setup([](const derny::params &) { return std::string("s"); })
        .before_batch([](std::string &seen, std::uint64_t calls) { seen += 'b' + std::to_string(calls); })
        .after_batch([](std::string &seen) { seen += 'a'; })
        .teardown([](std::string &seen) { std::fprintf(stderr, "hooks: %st\n", seen.c_str()); })
        .run([](std::string &seen) { seen += 'c'; });
    suite.bench("crash", [] {
        volatile int *volatile nowhere = nullptr;
        *nowhere = 1;
    });
    suite.bench("abort", [] { std::abort(); });
}

DERNY_SUITE(suite) {
    suite.group("life", life);
    threads(suite);
    suite.group("failures", failures);
    said(suite);
}

DERNY_MAIN();
