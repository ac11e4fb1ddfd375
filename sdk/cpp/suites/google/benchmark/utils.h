// Functions that prevent the optimiser from removing a benchmark's work.
#ifndef DERNY_BENCHMARK_UTILS_H
#define DERNY_BENCHMARK_UTILS_H

#pragma GCC system_header

#include "macros.h"
#include <atomic>
#include <type_traits>
#include <utility>

DERNY_BENCHMARK_BEGIN

DERNY_BENCHMARK_INTERNAL_BEGIN

inline DERNY_BENCHMARK_APART void UseCharPointer(const volatile char *pointer) {
    __asm__ __volatile__("" : : "r"(pointer) : "memory");
}

DERNY_BENCHMARK_INTERNAL_END

// Versions of the library implement these functions differently, at different cost. Use those of
// the version that the program was written for.
#if defined(__has_include)
#if __has_include("derny_user_optimize.h")
#include "derny_user_optimize.h"
#define DERNY_BENCHMARK_HAS_OPTIMIZE
#endif
#endif

#ifndef DERNY_BENCHMARK_HAS_OPTIMIZE

inline BENCHMARK_ALWAYS_INLINE void ClobberMemory() {
    std::atomic_signal_fence(std::memory_order_acq_rel);
}

DERNY_BENCHMARK_INTERNAL_BEGIN

/// Types that fit into a register. clang chooses the location of any value itself.
template <class T> struct FitsRegister {
#if defined(__clang__)
    static constexpr bool value = true;
#else
    static constexpr bool value = std::is_trivially_copyable<T>::value && sizeof(T) <= sizeof(T *);
#endif
};

#if defined(__clang__)
#define DERNY_BENCHMARK_CHANGED "+r,m"
#else
#define DERNY_BENCHMARK_CHANGED "+m,r"
#endif

template <bool fits> struct Keeper {
    template <class T> static inline BENCHMARK_ALWAYS_INLINE void Change(T &value) {
        __asm__ __volatile__("" : DERNY_BENCHMARK_CHANGED(value) : : "memory");
    }
    template <class T> static inline BENCHMARK_ALWAYS_INLINE void Read(const T &value) {
        __asm__ __volatile__("" : : "r,m"(value) : "memory");
    }
};
template <> struct Keeper<false> {
    template <class T> static inline BENCHMARK_ALWAYS_INLINE void Change(T &value) {
        __asm__ __volatile__("" : "+m"(value) : : "memory");
    }
    template <class T> static inline BENCHMARK_ALWAYS_INLINE void Read(const T &value) {
        __asm__ __volatile__("" : : "m"(value) : "memory");
    }
};

DERNY_BENCHMARK_INTERNAL_END

template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(const T &value) {
    internal::Keeper<internal::FitsRegister<T>::value>::Read(value);
}
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T &value) {
    internal::Keeper<internal::FitsRegister<T>::value>::Change(value);
}
template <class T> inline BENCHMARK_ALWAYS_INLINE void DoNotOptimize(T &&value) {
    internal::Keeper<internal::FitsRegister<typename std::remove_reference<T>::type>::value>::Change(value);
}

#undef DERNY_BENCHMARK_CHANGED
#endif

DERNY_BENCHMARK_END

#endif
