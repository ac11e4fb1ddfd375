// Access to a case's parameters in C++.
#ifndef DERNY_PARAMS_HPP
#define DERNY_PARAMS_HPP

#include "failure.hpp"
#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace derny {

/// The values of a case's parameters.
class params {
  public:
    explicit params(const derny_params *own) : own_(own) {}

    /// Returns a value as text. Fails if there is no such parameter.
    std::string text(std::string_view name) const {
        for (std::size_t i = 0; i < own_->count; i++) {
            if (name == own_->items[i].name) return own_->items[i].value;
        }
        fail("the benchmark has no parameter " + std::string(name));
    }

    /// Returns a value as a number, a boolean or a text. Fails if it cannot be
    /// converted.
    template <class T> T get(std::string_view name) const {
        const std::string value = text(name);
        if constexpr (std::is_same_v<T, bool>) {
            if (value == "true" || value == "1") return true;
            if (value == "false" || value == "0") return false;
        } else if constexpr (std::is_integral_v<T>) {
            T number{};
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
            if (error == std::errc() && end == value.data() + value.size()) return number;
        } else if constexpr (std::is_floating_point_v<T>) {
            char *end = nullptr;
            const T number = static_cast<T>(std::strtod(value.c_str(), &end));
            if (!value.empty() && *end == '\0') return number;
        } else {
            return T(value);
        }
        fail("the parameter " + std::string(name) + " has the wrong type: `" + value + "`");
    }

  private:
    const derny_params *own_;
};

namespace detail {

/// Returns the text of a parameter's value.
template <class T> std::string value_text(const T &value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(value);
    } else if constexpr (std::is_floating_point_v<T>) {
        struct derny_buffer text = {nullptr, 0, 0};
        derny_add_number(&text, static_cast<double>(value));
        std::string copy(text.bytes);
        derny_release(&text);
        return copy;
    } else {
        return std::string(value);
    }
}

/// Appends an item, which it encodes, to a comma-separated list.
inline void append_item(std::string &list, bool is_first, const std::string &item) {
    struct derny_buffer text = {nullptr, 0, 0};
    derny_encode(&text, item.data(), item.size(), ",");
    if (!is_first) list += ',';
    if (text.bytes != nullptr) list += text.bytes;
    derny_release(&text);
}

} // namespace detail
} // namespace derny

#endif
