// Classes that define benchmarks in C++.
#ifndef DERNY_SUITE_HPP
#define DERNY_SUITE_HPP

#include "body.hpp"
#include <initializer_list>

namespace derny {

/// Reports a value that was not declared. A value from a body or hook belongs to the turn, one from the
/// tear-down to the case. `words` are those of `metric`, separated by colons, such as "total:less".
inline void report(const char *name, const char *unit, const char *words, double value) {
    derny_report(name, unit, words, value);
}

namespace detail {

/// Options that a benchmark accepts before its body. Self is the class that each method returns.
template <class Self> class options {
  public:
    /// Adds a parameter. Cases are all combinations of values. The first parameter varies slowest.
    template <class T> Self &param(const std::string &name, std::initializer_list<T> values) {
        return add_param(name, values);
    }
    template <class Range> Self &param(const std::string &name, const Range &values) { return add_param(name, values); }

    /// Sets a function that returns true for combinations to keep. It also filters combinations of
    /// values that a user gives.
    Self &filter(std::function<bool(const params &)> keep) {
        said().filter = std::move(keep);
        return self();
    }
    /// Sets the operations, bytes or items of one call: a number, or a function of the parameters.
    template <class T> Self &ops(T count) { return set(said().ops, std::move(count)); }
    template <class T> Self &bytes(T count) { return set(said().bytes, std::move(count)); }
    template <class T> Self &items(T count) { return set(said().items, std::move(count)); }
    /// Sets the number of threads that call the body at the same time: a number, or a function of the
    /// parameters.
    template <class T> Self &threads(T count) { return set(said().threads, std::move(count)); }
    /// Sets the name of an operation.
    Self &unit(std::string name) {
        benchmark().unit = said().text(std::move(name));
        return self();
    }
    /// Adds tags, by which users select benchmarks.
    Self &tags(std::initializer_list<const char *> tags) {
        for (const char *tag : tags) append_item(said().tags, said().tags.empty(), tag);
        benchmark().tags = said().tags.c_str();
        return self();
    }
    /// Adds an environment variable for the processes that measure the benchmark.
    Self &env(const std::string &name, const std::string &value) {
        append_item(said().env, said().env.empty(), name + "=" + value);
        benchmark().env = said().env.c_str();
        return self();
    }
    /// Runs the benchmark in separate processes, which measure no other case.
    Self &isolate() {
        benchmark().is_isolated = true;
        return self();
    }
    /// Limits the calls of a batch: 1 for a body that works only once after `before_batch`.
    Self &max_iterations(std::uint64_t most) {
        benchmark().max_iterations = most;
        return self();
    }
    /// Destroys results while the clock is stopped. Use it if destroying takes a large part of the time and
    /// you do not want to measure it. At most 256 results are kept, and at most 16 KiB of them.
    Self &drop_outside() {
        said().drops_outside = true;
        return self();
    }
    /// Reports metrics only, no times.
    Self &untimed() {
        benchmark().has_no_times = true;
        return self();
    }

  private:
    Self &self() { return static_cast<Self &>(*this); }
    derny_benchmark &benchmark() { return self().benchmark_; }
    spec &said() { return *self().benchmark_.said; }

    template <class T> Self &set(quantity &which, T count) {
        if constexpr (std::is_integral_v<T>) {
            which = [count](const params &) { return static_cast<std::uint64_t>(count); };
        } else {
            which = [count](const params &values) { return static_cast<std::uint64_t>(count(values)); };
        }
        return self();
    }
    template <class Range> Self &add_param(const std::string &name, const Range &values) {
        std::string list;
        bool is_first = true;
        for (const auto &value : values) {
            append_item(list, is_first, value_text(value));
            is_first = false;
        }
        if (is_first) fail("the parameter " + name + " of " + said().name + " has no values");
        if (said().axes == DERNY_PARAMS) fail(said().name + " has too many parameters");
        benchmark().params[said().axes++] = {said().text(name), said().text(list)};
        return self();
    }
};

template <class Defined> void add(std::unique_ptr<Defined> benchmark) {
    spec &said = *benchmark->said;
    benchmark->name = said.name.c_str();
    benchmark->group = said.group.empty() ? nullptr : said.group.c_str();
    benchmark->file = said.file.c_str();
    benchmark->line = said.line;
    derny_register(benchmark.release());
}

} // namespace detail

/// A benchmark that has fresh inputs but no body yet.
template <class C, class Make> class fresh {
  public:
    fresh(detail::prepared_benchmark<C> &&benchmark, Make make)
        : benchmark_(std::move(benchmark)), make_(std::move(make)) {}

    /// Sets the body. It takes an input, or the context and an input.
    template <class Body> void run(Body body) { finish<false>(std::move(body)); }
    /// Sets the body, and has Derny compare its results across all variants.
    template <class Body> void run_hashed(Body body) { finish<true>(std::move(body)); }

  private:
    template <bool is_hashed, class Body> void finish(Body body) {
        using input = std::decay_t<decltype(detail::call(std::declval<Make &>(), std::declval<C &>()))>;
        using benchmark = detail::looped_benchmark<C, input, Make, Body, is_hashed>;
        detail::add(std::make_unique<benchmark>(std::move(benchmark_), std::move(make_), std::move(body)));
    }
    detail::prepared_benchmark<C> benchmark_;
    Make make_;
};

/// A benchmark whose body takes a context of type C.
template <class C> class prepared : public detail::options<prepared<C>> {
  public:
    explicit prepared(detail::prepared_benchmark<C> &&benchmark) : benchmark_(std::move(benchmark)) {}

    /// Sets the tear-down, which is called before the context is destroyed.
    prepared &teardown(std::function<void(C &)> tear_down) {
        benchmark_.tear_down = std::move(tear_down);
        return *this;
    }
    /// Sets a hook that runs before each batch, untimed. It may take the context and the number of calls.
    template <class F> prepared &before_batch(F prepare) {
        benchmark_.before = around(std::move(prepare));
        return *this;
    }
    /// Sets a hook that runs after each batch, untimed.
    template <class F> prepared &after_batch(F finish) {
        benchmark_.after = around(std::move(finish));
        return *this;
    }
    /// Adds a metric, read after each turn. `words` are a kind ("total", "level", "peak" or "rate"), "less"
    /// or "more" for the better direction, and "exact" if equal work gives equal values. `read` takes the
    /// context or nothing.
    template <class F> prepared &metric(const char *name, const char *unit, const char *words, F read) {
        detail::spec &said = *benchmark_.said;
        if (said.metrics == DERNY_METRICS) fail(said.name + " has too many metrics");
        benchmark_.metrics[said.metrics++] = {said.text(name), said.text(unit), said.text(words), nullptr};
        benchmark_.values.push_back([read](C &context) mutable {
            return static_cast<double>(detail::call(read, context));
        });
        return *this;
    }
    /// Makes an input for each call, in advance and untimed. `make` takes the context or nothing.
    template <class Make> derny::fresh<C, Make> fresh(Make make) { return {std::move(benchmark_), std::move(make)}; }

    /// Sets the body, which takes the context or nothing.
    template <class Body> void run(Body body) { finish<false>(std::move(body)); }
    /// Sets the body, and has Derny compare its results across all variants.
    template <class Body> void run_hashed(Body body) { finish<true>(std::move(body)); }
    /// Sets a body that times itself. It takes the context (optional), a number of operations, and a `timer`.
    template <class Body> void run_timed(Body body) {
        detail::add(std::make_unique<detail::timed_benchmark<C, Body>>(std::move(benchmark_), std::move(body)));
    }

  private:
    friend class detail::options<prepared<C>>;
    template <class F> static std::function<void(C &, std::uint64_t)> around(F hook) {
        return [hook](C &context, [[maybe_unused]] std::uint64_t iterations) mutable {
            if constexpr (std::is_invocable_v<F &, C &, std::uint64_t>) hook(context, iterations);
            else if constexpr (std::is_invocable_v<F &, C &>) hook(context);
            else hook();
        };
    }
    template <bool is_hashed, class Body> void finish(Body body) {
        using benchmark = detail::looped_benchmark<C, detail::nothing, detail::nothing, Body, is_hashed>;
        detail::add(std::make_unique<benchmark>(std::move(benchmark_), detail::nothing{}, std::move(body)));
    }
    detail::prepared_benchmark<C> benchmark_;
};

/// A benchmark that has neither set-up nor body yet.
class definition : public detail::options<definition> {
  public:
    explicit definition(std::unique_ptr<detail::spec> said) { benchmark_.said = std::move(said); }

    /// Sets the set-up. It makes the context once per case, untimed.
    template <class F> auto setup(F set_up) {
        using C = std::decay_t<decltype(set_up(std::declval<const params &>()))>;
        detail::prepared_benchmark<C> with_context{};
        static_cast<derny_benchmark &>(with_context) = benchmark_;
        with_context.said = std::move(benchmark_.said);
        with_context.set_up = std::move(set_up);
        return prepared<C>(std::move(with_context));
    }
    template <class Make> auto fresh(Make make) { return without_context().fresh(std::move(make)); }
    template <class F> auto before_batch(F prepare) { return std::move(without_context().before_batch(std::move(prepare))); }
    template <class F> auto metric(const char *name, const char *unit, const char *words, F read) {
        return std::move(without_context().metric(name, unit, words, std::move(read)));
    }
    template <class Body> void run(Body body) { without_context().run(std::move(body)); }
    template <class Body> void run_hashed(Body body) { without_context().run_hashed(std::move(body)); }
    template <class Body> void run_timed(Body body) { without_context().run_timed(std::move(body)); }

  private:
    friend class detail::options<definition>;
    prepared<detail::nothing> without_context() {
        return setup([](const params &) { return detail::nothing{}; });
    }
    detail::prepared_benchmark<detail::nothing> benchmark_{};
};

/// Defines benchmarks.
class suite {
  public:
    /// Defines a benchmark whose body takes no arguments. The compiler cannot optimise away the value that
    /// the body returns.
    template <class Body>
    void bench(const std::string &name, Body body, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
        define(name, file, line).run(std::move(body));
    }
    /// Begins the definition of a benchmark, which ends with `run`, `run_hashed` or `run_timed`.
    definition define(const std::string &name, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
        auto said = std::make_unique<detail::spec>();
        said->name = name;
        said->group = group_;
        said->file = file;
        said->line = line;
        return definition(std::move(said));
    }
    /// Defines benchmarks whose names begin with a group's name.
    template <class F> void group(const std::string &name, F benchmarks) {
        suite inner;
        inner.group_ = group_.empty() ? name : group_ + "/" + name;
        benchmarks(inner);
    }

  private:
    std::string group_;
};

namespace detail {

/// Registers a function that defines benchmarks once the program has started.
struct suite_registration {
    explicit suite_registration(void (*define)()) : own{define, nullptr} { derny_register_suite(&own); }
    struct derny_suite own;
};

} // namespace detail
} // namespace derny

#undef derny_fail
#define derny_fail(...) static_assert(false, "call derny::fail in C++")

#define DERNY_JOIN_(a, b) a##b
#define DERNY_JOIN(a, b) DERNY_JOIN_(a, b)

/// Defines benchmarks: `DERNY_SUITE(suite) { suite.bench("fib", [] { return fib(20); }); }`.
#define DERNY_SUITE(name) DERNY_SUITE_(name, DERNY_JOIN(derny_suite_of_line_, __LINE__))
#define DERNY_SUITE_(name, function)                                                               \
    static void function(::derny::suite &);                                                        \
    static const ::derny::detail::suite_registration DERNY_JOIN(function, _registration)([] {      \
        ::derny::detail::guarded(nullptr, [] {                                                     \
            ::derny::suite all;                                                                    \
            function(all);                                                                         \
        });                                                                                        \
    });                                                                                            \
    static void function([[maybe_unused]] ::derny::suite &name)

#endif
