// Macros that define benchmarks. Some programs also use those with PRIVATE in their name.
#ifndef DERNY_BENCHMARK_REGISTRATION_H
#define DERNY_BENCHMARK_REGISTRATION_H

#pragma GCC system_header

#include "benchmark_api.h"

#define BENCHMARK_DISABLE_COUNTER_WARNING
#define BENCHMARK_RESTORE_COUNTER_WARNING
#define BENCHMARK_PRIVATE_UNIQUE_ID __COUNTER__
#define BENCHMARK_PRIVATE_NAME(...)                                                                \
    BENCHMARK_PRIVATE_CONCAT(benchmark_uniq_, BENCHMARK_PRIVATE_UNIQUE_ID, __VA_ARGS__)
#define BENCHMARK_PRIVATE_CONCAT(a, b, c) BENCHMARK_PRIVATE_CONCAT2(a, b, c)
#define BENCHMARK_PRIVATE_CONCAT2(a, b, c) a##b##c
#define BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method) Base##_##Method##_Benchmark
#define BENCHMARK_PRIVATE_DECLARE(n)                                                               \
    static ::benchmark::Benchmark *const BENCHMARK_PRIVATE_NAME(n) BENCHMARK_UNUSED

// The place of a definition, and the compiler's settings there.
#define DERNY_BENCHMARK_SITE                                                                       \
    ::benchmark::internal::Site {                                                                  \
        __FILE__, __LINE__, DERNY_COMPILER, &::benchmark::internal::Guard<DERNY_BENCHMARK_EXCEPTIONS>::Run, \
            __BASE_FILE__                                                                          \
    }
#define DERNY_BENCHMARK_ADD(...) ::benchmark::internal::RegisterAt(DERNY_BENCHMARK_SITE, new __VA_ARGS__)
#define DERNY_BENCHMARK_FUNCTION(name, ...)                                                        \
    BENCHMARK_PRIVATE_DECLARE(_benchmark_) =                                                       \
        DERNY_BENCHMARK_ADD(::benchmark::internal::FunctionBenchmark(name, __VA_ARGS__))
#define DERNY_BENCHMARK_CAST(...) static_cast<::benchmark::internal::Function *>(__VA_ARGS__)

#define BENCHMARK(...) DERNY_BENCHMARK_FUNCTION(#__VA_ARGS__, DERNY_BENCHMARK_CAST(__VA_ARGS__))
#define BENCHMARK_WITH_ARG(n, a) BENCHMARK(n)->Arg((a))
#define BENCHMARK_WITH_ARG2(n, a1, a2) BENCHMARK(n)->Args({(a1), (a2)})
#define BENCHMARK_WITH_UNIT(n, t) BENCHMARK(n)->Unit((t))
#define BENCHMARK_RANGE(n, lo, hi) BENCHMARK(n)->Range((lo), (hi))
#define BENCHMARK_RANGE2(n, l1, h1, l2, h2) BENCHMARK(n)->RangePair((l1), (h1), (l2), (h2))

#define BENCHMARK_CAPTURE(function, test_case, ...)                                                \
    DERNY_BENCHMARK_FUNCTION(#function "/" #test_case,                                             \
                             [](::benchmark::State &derny_state_) { function(derny_state_, __VA_ARGS__); })
#define BENCHMARK_NAMED(function, test_case)                                                       \
    DERNY_BENCHMARK_FUNCTION(#function "/" #test_case, DERNY_BENCHMARK_CAST(function))

#define BENCHMARK_TEMPLATE1(n, a) DERNY_BENCHMARK_FUNCTION(#n "<" #a ">", DERNY_BENCHMARK_CAST(n<a>))
#define BENCHMARK_TEMPLATE2(n, a, b)                                                               \
    DERNY_BENCHMARK_FUNCTION(#n "<" #a "," #b ">", DERNY_BENCHMARK_CAST(n<a, b>))
#define BENCHMARK_TEMPLATE(n, ...)                                                                 \
    DERNY_BENCHMARK_FUNCTION(#n "<" #__VA_ARGS__ ">", DERNY_BENCHMARK_CAST(n<__VA_ARGS__>))
#define BENCHMARK_TEMPLATE1_CAPTURE(function, a, test_case, ...)                                   \
    BENCHMARK_CAPTURE(function<a>, test_case, __VA_ARGS__)
#define BENCHMARK_TEMPLATE2_CAPTURE(function, a, b, test_case, ...)                                \
    DERNY_BENCHMARK_FUNCTION(                                                                      \
        #function "<" #a "," #b ">/" #test_case,                                                   \
        [](::benchmark::State &derny_state_) { function<a, b>(derny_state_, __VA_ARGS__); })

// Fixtures. `name` is the name of the case, and the last arguments are the base class.
#define DERNY_BENCHMARK_CLASS(Class, name, ...)                                                    \
    class Class : public __VA_ARGS__ {                                                             \
      public:                                                                                      \
        Class() { this->SetName(name); }                                                           \
                                                                                                   \
      protected:                                                                                   \
        void BenchmarkCase(::benchmark::State &) override;                                         \
    };
#define BENCHMARK_PRIVATE_DECLARE_F(Base, Method)                                                  \
    DERNY_BENCHMARK_CLASS(BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method), #Base "/" #Method, Base)
#define BENCHMARK_TEMPLATE1_PRIVATE_DECLARE_F(Base, Method, a)                                     \
    DERNY_BENCHMARK_CLASS(BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method), #Base "<" #a ">/" #Method, Base<a>)
#define BENCHMARK_TEMPLATE2_PRIVATE_DECLARE_F(Base, Method, a, b)                                  \
    DERNY_BENCHMARK_CLASS(BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method), #Base "<" #a "," #b ">/" #Method, \
                          Base<a, b>)
#define BENCHMARK_TEMPLATE_PRIVATE_DECLARE_F(Base, Method, ...)                                    \
    DERNY_BENCHMARK_CLASS(BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method), #Base "<" #__VA_ARGS__ ">/" #Method, \
                          Base<__VA_ARGS__>)

#define DERNY_BENCHMARK_BODY(Base, Method) void BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method)::BenchmarkCase
#define BENCHMARK_DEFINE_F(Base, Method)                                                           \
    BENCHMARK_PRIVATE_DECLARE_F(Base, Method) DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE1_DEFINE_F(Base, Method, a)                                              \
    BENCHMARK_TEMPLATE1_PRIVATE_DECLARE_F(Base, Method, a) DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE2_DEFINE_F(Base, Method, a, b)                                           \
    BENCHMARK_TEMPLATE2_PRIVATE_DECLARE_F(Base, Method, a, b) DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE_DEFINE_F(Base, Method, ...)                                             \
    BENCHMARK_TEMPLATE_PRIVATE_DECLARE_F(Base, Method, __VA_ARGS__) DERNY_BENCHMARK_BODY(Base, Method)

#define BENCHMARK_REGISTER_F(Base, Method)                                                         \
    BENCHMARK_PRIVATE_REGISTER_F(BENCHMARK_PRIVATE_CONCAT_NAME(Base, Method))
#define BENCHMARK_PRIVATE_REGISTER_F(Class) BENCHMARK_PRIVATE_DECLARE(Class) = DERNY_BENCHMARK_ADD(Class)

#define BENCHMARK_F(Base, Method)                                                                  \
    BENCHMARK_PRIVATE_DECLARE_F(Base, Method)                                                      \
    BENCHMARK_REGISTER_F(Base, Method);                                                            \
    DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE1_F(Base, Method, a)                                                     \
    BENCHMARK_TEMPLATE1_PRIVATE_DECLARE_F(Base, Method, a)                                         \
    BENCHMARK_REGISTER_F(Base, Method);                                                            \
    DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE2_F(Base, Method, a, b)                                                  \
    BENCHMARK_TEMPLATE2_PRIVATE_DECLARE_F(Base, Method, a, b)                                      \
    BENCHMARK_REGISTER_F(Base, Method);                                                            \
    DERNY_BENCHMARK_BODY(Base, Method)
#define BENCHMARK_TEMPLATE_F(Base, Method, ...)                                                    \
    BENCHMARK_TEMPLATE_PRIVATE_DECLARE_F(Base, Method, __VA_ARGS__)                                \
    BENCHMARK_REGISTER_F(Base, Method);                                                            \
    DERNY_BENCHMARK_BODY(Base, Method)

#define BENCHMARK_TEMPLATE_PRIVATE_CONCAT_NAME_F(Base, Method) Base##_##Method##_BenchmarkTemplate
#define BENCHMARK_TEMPLATE_METHOD_F(BaseClass, Method)                                             \
    template <class... Args>                                                                       \
    class BENCHMARK_TEMPLATE_PRIVATE_CONCAT_NAME_F(BaseClass, Method) : public BaseClass<Args...> { \
      protected:                                                                                   \
        using Base = BaseClass<Args...>;                                                           \
        void BenchmarkCase(::benchmark::State &) override;                                         \
    };                                                                                             \
    template <class... Args>                                                                       \
    void BENCHMARK_TEMPLATE_PRIVATE_CONCAT_NAME_F(BaseClass, Method)<Args...>::BenchmarkCase
#define BENCHMARK_TEMPLATE_PRIVATE_INSTANTIATE_F(BaseClass, Method, Unique, ...)                   \
    class Unique : public BENCHMARK_TEMPLATE_PRIVATE_CONCAT_NAME_F(BaseClass, Method)<__VA_ARGS__> { \
      public:                                                                                      \
        Unique() { this->SetName(#BaseClass "<" #__VA_ARGS__ ">/" #Method); }                      \
    };                                                                                             \
    BENCHMARK_PRIVATE_REGISTER_F(Unique)
#define BENCHMARK_TEMPLATE_INSTANTIATE_F(BaseClass, Method, ...)                                   \
    BENCHMARK_TEMPLATE_PRIVATE_INSTANTIATE_F(BaseClass, Method, BENCHMARK_PRIVATE_NAME(BaseClass##Method), \
                                             __VA_ARGS__)

#define BENCHMARK_MAIN()                                                                           \
    int main(int argc, char **argv) {                                                              \
        ::benchmark::Initialize(&argc, argv);                                                      \
        if (::benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;                        \
        ::benchmark::RunSpecifiedBenchmarks();                                                     \
        ::benchmark::Shutdown();                                                                   \
        return 0;                                                                                  \
    }                                                                                              \
    int main(int, char **)

#endif
