// Functions that prevent the optimiser from removing or precomputing values, and hashes of results.
#ifndef DERNY_KEEP_HPP
#define DERNY_KEEP_HPP

#include "loop.h"
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace derny {
namespace detail {

/// True for types that fit into one register.
template <class T>
inline constexpr bool is_small = std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(void *);
template <class T>
inline constexpr bool is_float = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
inline constexpr bool is_word = is_small<T> && (std::is_integral_v<T> || std::is_pointer_v<T> || std::is_enum_v<T>);

} // namespace detail

/// Makes the compiler compute a value and, if it is a pointer, write the object that it points to.
template <class T> [[gnu::always_inline]] inline void keep(const T &value) {
    if constexpr (detail::is_float<T>) {
#if defined(__SSE2__)
        __asm__ __volatile__("" : : "x"(value) : "memory");
#elif defined(__aarch64__)
        __asm__ __volatile__("" : : "w"(value) : "memory");
#else
        __asm__ __volatile__("" : : "m"(value) : "memory");
#endif
    } else if constexpr (detail::is_small<T>) {
        __asm__ __volatile__("" : : DERNY_PLACE(value) : "memory");
    } else {
        __asm__ __volatile__("" : : "m"(value) : "memory");
    }
}

/// Returns a value that the compiler cannot predict. Use it for inputs, so that results are not
/// precomputed.
template <class T> [[gnu::always_inline]] inline T opaque(T value) {
    if constexpr (detail::is_word<T>) {
        __asm__ __volatile__("" : "+r"(value) : : "memory");
    } else {
        __asm__ __volatile__("" : "+m"(value) : : "memory");
    }
    return value;
}

namespace detail {

/// A 64-bit FNV-1a hash.
class fnv {
  public:
    void bytes(const void *from, std::size_t size) {
        const auto *at = static_cast<const unsigned char *>(from);
        for (std::size_t i = 0; i < size; i++) state_ = (state_ ^ at[i]) * UINT64_C(0x100000001b3);
    }
    std::uint64_t result() const { return state_; }

  private:
    std::uint64_t state_ = UINT64_C(0xcbf29ce484222325);
};

template <class T, class = void> struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::begin(std::declval<const T &>()) != std::end(std::declval<const T &>()))>>
    : std::true_type {};
template <class T, class = void> struct is_tuple : std::false_type {};
template <class T> struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};

/// Adds a value to a hash. Types other than numbers, strings, ranges and tuples need a `std::hash`
/// specialisation.
template <class T> void add_hash(fnv &hash, const T &value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
        hash.bytes(&value, sizeof value);
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        const std::string_view text = value;
        hash.bytes(text.data(), text.size());
        hash.bytes("", 1);
    } else if constexpr (is_range<T>::value) {
        std::uint64_t count = 0;
        for (const auto &each : value) add_hash(hash, each), count++;
        hash.bytes(&count, sizeof count);
    } else if constexpr (is_tuple<T>::value) {
        std::apply([&](const auto &...parts) { (add_hash(hash, parts), ...); }, value);
    } else {
        add_hash(hash, std::hash<T>{}(value));
    }
}

template <class T> std::uint64_t hash_of(const T &value) {
    fnv hash;
    add_hash(hash, value);
    return hash.result();
}

} // namespace detail
} // namespace derny

#endif
