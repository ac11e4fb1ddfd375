// Times a body. Each body has its own loop, so that other benchmarks do not affect its time.
#ifndef DERNY_BODY_HPP
#define DERNY_BODY_HPP

#include "keep.hpp"
#include "params.hpp"
#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <type_traits>
#include <vector>

namespace derny {

/// The clock of a body that times itself. It may be stopped and started again.
class timer {
  public:
    explicit timer(derny_timer &own) : own_(own) {}
    void start() { derny_start(&own_); }
    void stop() { derny_stop(&own_); }
    /// Sets the number of operations, if it is not the number of iterations.
    void ops(double count) { own_.ops = count; }

  private:
    derny_timer &own_;
};

/// Returns the index of the thread that calls the body, from 0.
inline unsigned thread() { return derny_thread(); }

namespace detail {

/// The type of a missing context or input.
struct nothing {};

template <class T> [[gnu::always_inline]] inline T *opaque_pointer(T *pointer) {
    __asm__ __volatile__("" : "+r"(pointer) : : "memory");
    return pointer;
}

/// Calls a user's function, with the context if it takes one.
template <class F, class C, class... More>
[[gnu::always_inline]] inline decltype(auto) call(F &function, C &context, More &&...more) {
    if constexpr (std::is_invocable_v<F &, C &, More...>) {
        return function(context, std::forward<More>(more)...);
    } else {
        return function(std::forward<More>(more)...);
    }
}

/// Calls a body with the arguments that it accepts: the context, the input, both or none. A
/// body may take the input by value.
template <class Body, class C, class I>
[[gnu::always_inline]] inline decltype(auto) call_body(Body &body, C &context, [[maybe_unused]] I &input) {
    if constexpr (std::is_same_v<I, nothing>) {
        return call(body, context);
    } else if constexpr (std::is_invocable_v<Body &, C &, I &&> || std::is_invocable_v<Body &, I &&>) {
        return call(body, context, std::move(input));
    } else {
        return call(body, context, input);
    }
}

template <class Body, class C, class I>
using result_of = decltype(call_body(std::declval<Body &>(), std::declval<C &>(), std::declval<I &>()));

/// Times calls. Each result is destroyed before the next call, as it is in most programs.
template <class Body, class C, class I>
DERNY_LOOP_FUNCTION void time_calls(derny_lane *lane, std::uint64_t calls, Body *body, C *context, I *input) {
    struct timespec start, stop;
    DERNY_READ_CLOCK(&start);
    DERNY_ROLLED
    for (; calls > 0; calls--) {
        body = opaque_pointer(body);
        context = opaque_pointer(context);
        if constexpr (!std::is_same_v<I, nothing>) input = opaque_pointer(input);
        if constexpr (std::is_void_v<result_of<Body, C, I>>) {
            call_body(*body, *context, *input);
        } else {
            keep(call_body(*body, *context, *input));
        }
        if constexpr (!std::is_same_v<I, nothing>) input++;
    }
    DERNY_READ_CLOCK(&stop);
    derny_span(lane, &start, &stop);
}

/// Times the same loop with an empty body.
template <class Body, class C>
DERNY_LOOP_FUNCTION void time_nothing(derny_lane *lane, std::uint64_t calls, Body *body, C *context) {
    struct timespec start, stop;
    DERNY_READ_CLOCK(&start);
    DERNY_ROLLED
    for (; calls > 0; calls--) {
        body = opaque_pointer(body);
        context = opaque_pointer(context);
    }
    DERNY_READ_CLOCK(&stop);
    derny_span(lane, &start, &stop);
}

/// Times calls and stores their results in `results`, which must have room for them.
template <class Body, class C, class I, class R>
DERNY_LOOP_FUNCTION void time_kept(derny_lane *lane, std::uint64_t calls, Body *body, C *context, I *input,
                                   std::vector<R> &results) {
    struct timespec start, stop;
    DERNY_READ_CLOCK(&start);
    DERNY_ROLLED
    for (; calls > 0; calls--) {
        body = opaque_pointer(body);
        context = opaque_pointer(context);
        if constexpr (!std::is_same_v<I, nothing>) input = opaque_pointer(input);
        results.push_back(call_body(*body, *context, *input));
        keep(results.back());
        if constexpr (!std::is_same_v<I, nothing>) input++;
    }
    DERNY_READ_CLOCK(&stop);
    derny_span(lane, &start, &stop);
}

/// Returns the number of values of type T that fit into `bytes`: at least 1, at most `most`.
template <class T> constexpr std::uint64_t room(std::size_t bytes, std::size_t most) {
    return std::clamp<std::size_t>(bytes / sizeof(T), 1, most);
}

using quantity = std::function<std::uint64_t(const params &)>;

/// The options of a benchmark, and the strings to which its C structure points.
struct spec {
    std::string name, group, file, unit, tags, env;
    int line = 0;
    std::list<std::string> texts;
    std::function<bool(const params &)> filter;
    quantity ops, bytes, items, threads;
    std::size_t axes = 0, metrics = 0;
    bool drops_outside = false;

    const char *text(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
};

/// A benchmark with a context, but without a body yet.
template <class C> struct prepared_benchmark : derny_benchmark {
    std::unique_ptr<spec> said;
    std::function<C(const derny::params &)> set_up;
    std::function<void(C &)> tear_down;
    std::function<void(C &, std::uint64_t)> before, after;
    std::vector<std::function<double(C &)>> values;
    std::unique_ptr<C> made;
    std::uint64_t hashed = 0;

    static prepared_benchmark &of(derny_benchmark *benchmark) {
        return *static_cast<prepared_benchmark *>(benchmark);
    }
    static bool keeps(derny_benchmark *benchmark, const derny_params *own) {
        bool is_kept = true;
        const auto &filter = of(benchmark).said->filter;
        guarded(benchmark, [&] { is_kept = !filter || filter(derny::params(own)); });
        return is_kept;
    }
    static void measures(derny_benchmark *benchmark, const derny_params *own, derny_quantities *quantities) {
        const spec &said = *of(benchmark).said;
        guarded(benchmark, [&] {
            const derny::params given(own);
            const auto count = [&](const quantity &of) { return of ? of(given) : 0; };
            quantities->ops = count(said.ops);
            quantities->bytes = count(said.bytes);
            quantities->items = count(said.items);
            quantities->threads = static_cast<unsigned>(count(said.threads));
        });
    }
    static void open(derny_benchmark *benchmark, const derny_params *own) {
        prepared_benchmark &self = of(benchmark);
        guarded(benchmark, [&] { self.made.reset(new C(self.set_up(derny::params(own)))); });
        self.context = self.made.get();
    }
    static void close(derny_benchmark *benchmark) {
        prepared_benchmark &self = of(benchmark);
        guarded(benchmark, [&] {
            const std::unique_ptr<C> last = std::move(self.made);
            self.context = nullptr;
            if (self.tear_down) self.tear_down(*last);
        });
    }
    static void before_batch(derny_benchmark *benchmark, std::uint64_t iterations) {
        prepared_benchmark &self = of(benchmark);
        if (self.before) guarded(benchmark, [&] { self.before(*self.made, iterations); });
    }
    static void after_batch(derny_benchmark *benchmark, std::uint64_t iterations) {
        prepared_benchmark &self = of(benchmark);
        if (self.after) guarded(benchmark, [&] { self.after(*self.made, iterations); });
    }
    static std::uint64_t hash(derny_benchmark *benchmark) { return of(benchmark).hashed; }
    static double value(derny_benchmark *benchmark, std::size_t index) {
        prepared_benchmark &self = of(benchmark);
        double read = 0;
        guarded(benchmark, [&] { read = self.values[index](*self.made); });
        return read;
    }
};

/// A benchmark whose body is called in a loop. `I` is the type of fresh inputs, or `nothing`.
template <class C, class I, class Make, class Body, bool is_hashed>
struct looped_benchmark : prepared_benchmark<C> {
    using R = result_of<Body, C, I>;
    static constexpr bool is_fresh = !std::is_same_v<I, nothing>;
    /// True if destroying a result may take time. Such results can be kept until the clock is
    /// stopped.
    static constexpr bool may_keep = !std::is_void_v<R> && !std::is_reference_v<R> && !std::is_trivially_destructible_v<R>;
    using kept_type = std::conditional_t<may_keep, R, nothing>;
    struct buffers {
        std::vector<I> inputs;
        std::vector<kept_type> results;
    };
    Make make;
    Body body;

    looped_benchmark(prepared_benchmark<C> &&base, Make make_, Body body_)
        : prepared_benchmark<C>(std::move(base)), make(std::move(make_)), body(std::move(body_)) {
        static const derny_kind own_kind = {this->keeps, this->measures, this->open, this->close, this->before_batch,
                                            this->after_batch, enter, leave, this->hash, this->value};
        this->kind = &own_kind;
        this->steps = {prepare, run, finish};
        this->empty = {nullptr, empty_run, nullptr};
        this->has_hash = is_hashed;
        this->most = UINT64_MAX;
        if (is_fresh) this->most = room<I>(std::size_t{1} << 20, 1024);
        if (keeps_results()) this->most = std::min(this->most, room<kept_type>(std::size_t{16} << 10, 256));
    }

    bool keeps_results() const { return may_keep && this->said->drops_outside; }
    static looped_benchmark &self(derny_lane *lane) {
        return static_cast<looped_benchmark &>(prepared_benchmark<C>::of(static_cast<derny_benchmark *>(lane->benchmark)));
    }
    static buffers &of(derny_lane *lane) { return *static_cast<buffers *>(lane->inputs); }
    static void enter(derny_lane *lane) { lane->inputs = new buffers; }
    static void leave(derny_lane *lane) { delete static_cast<buffers *>(lane->inputs); }

    static void prepare(derny_lane *lane, [[maybe_unused]] std::uint64_t calls) {
        looped_benchmark &own = self(lane);
        guarded(&own, [&] {
            finish(lane); // release what a failed call has left
            if (own.keeps_results()) of(lane).results.reserve(own.most);
            if constexpr (is_fresh) {
                of(lane).inputs.reserve(own.most);
                for (; calls > 0; calls--) of(lane).inputs.push_back(call(own.make, *own.made));
            }
        });
    }
    static void finish(derny_lane *lane) {
        of(lane).inputs.clear();
        of(lane).results.clear();
    }
    static void run(derny_lane *lane, std::uint64_t calls) {
        looped_benchmark &own = self(lane);
        nothing none;
        guarded(&own, [&] {
            I *input;
            if constexpr (is_fresh) input = of(lane).inputs.data();
            else input = &none;
            if constexpr (is_hashed) {
                if (lane->wants_hash) return own.run_hashed(lane, *input);
            }
            if constexpr (may_keep) {
                if (own.keeps_results()) {
                    return time_kept(lane, calls, &own.body, own.made.get(), input, of(lane).results);
                }
            }
            time_calls(lane, calls, &own.body, own.made.get(), input);
        });
    }
    void run_hashed(derny_lane *lane, I &input) {
        struct timespec start, stop;
        DERNY_READ_CLOCK(&start);
        auto &&result = call_body(body, *this->made, input);
        keep(result);
        DERNY_READ_CLOCK(&stop);
        derny_span(lane, &start, &stop);
        this->hashed = hash_of(result);
    }
    static void empty_run(derny_lane *lane, std::uint64_t calls) {
        looped_benchmark &own = self(lane);
        time_nothing(lane, calls, &own.body, own.made.get());
    }
};

template <class C, class Body> struct timed_benchmark : prepared_benchmark<C> {
    Body body;

    timed_benchmark(prepared_benchmark<C> &&base, Body body_)
        : prepared_benchmark<C>(std::move(base)), body(std::move(body_)) {
        static const derny_kind own_kind = {this->keeps, this->measures, this->open, this->close, this->before_batch,
                                            this->after_batch, nullptr, nullptr, this->hash, this->value};
        this->kind = &own_kind;
        this->steps = {nullptr, run, nullptr};
        this->empty = {nullptr, empty_run, nullptr};
        this->is_self_timed = true;
        this->most = UINT64_MAX;
    }
    static void run(derny_lane *lane, std::uint64_t iterations) {
        auto &own = static_cast<timed_benchmark &>(prepared_benchmark<C>::of(static_cast<derny_benchmark *>(lane->benchmark)));
        derny_timer state = {0, 0, false, static_cast<double>(iterations)};
        guarded(&own, [&] {
            timer clock(state);
            call(own.body, *own.made, std::uint64_t{iterations}, clock);
        });
        derny_timed(lane, &state);
    }
    static void empty_run(derny_lane *lane, std::uint64_t iterations) {
        derny_timer state = {0, 0, false, static_cast<double>(iterations)};
        timer clock(state);
        clock.start();
        clock.stop();
        derny_timed(lane, &state);
    }
};

} // namespace detail
} // namespace derny

#endif
