// Translates exceptions of the user's code into failures.
#ifndef DERNY_FAILURE_HPP
#define DERNY_FAILURE_HPP

#include "registry.h"
#include <cxxabi.h>
#include <exception>
#include <stdexcept>
#include <string>

#if defined(__cpp_exceptions)
#define DERNY_HAS_EXCEPTIONS 1
#endif

namespace derny {
namespace detail {

#ifdef DERNY_HAS_EXCEPTIONS
struct skipped {
    std::string reason;
};
struct failed {
    std::string message;
    const char *file;
    int line;
};

/// Returns the readable type name of the exception that is being handled.
inline std::string type_of_exception() {
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (type == nullptr) return "exception";
    int status = 0;
    char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    std::string text = status == 0 ? name : type->name();
    std::free(name);
    // `throw_with_nested` throws a library type that wraps the user's exception. Extract the user's
    // type.
    const std::size_t nested = text.find("ested"), begin = text.find('<');
    const bool is_nested = nested < begin && begin != std::string::npos && text.compare(0, 3, "std") == 0;
    return is_nested ? text.substr(begin + 1, text.rfind('>') - begin - 1) : text;
}

/// Appends the causes: the exceptions nested in `error`.
inline void add_causes(const std::exception &error) {
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &cause) {
        derny_add_format(&derny_failure.detail, "because of %s: %s\n", type_of_exception().c_str(), cause.what());
        add_causes(cause);
    } catch (...) {
        derny_add_format(&derny_failure.detail, "because of %s\n", type_of_exception().c_str());
    }
}

inline void record(const derny_benchmark *benchmark) {
    derny_forget_failure();
    derny_failure.has_failed = true;
    try {
        throw;
    } catch (const skipped &skip) {
        derny_failure.has_failed = false;
        derny_failure.has_skipped = true;
        derny_add(&derny_failure.message, skip.reason.c_str());
    } catch (const failed &failure) {
        derny_add(&derny_failure.message, failure.message.c_str());
        derny_add_format(&derny_failure.detail, "at %s:%d\n", failure.file, failure.line);
    } catch (const std::exception &error) {
        derny_add_format(&derny_failure.message, "%s: %s", type_of_exception().c_str(), error.what());
        add_causes(error);
    } catch (...) {
        derny_add_format(&derny_failure.message, "an exception of type %s", type_of_exception().c_str());
    }
    if (benchmark == nullptr) return;
    struct derny_buffer *detail = &derny_failure.detail;
    derny_add(detail, "in benchmark ");
    derny_add_name(detail, benchmark);
    derny_add_format(detail, " (%s:%d)\n", benchmark->file, benchmark->line);
}
#endif

/// Calls the user's code and ends the protected call if it throws.
template <class Call> void guarded(const derny_benchmark *benchmark, Call &&call) {
#ifdef DERNY_HAS_EXCEPTIONS
    bool has_thrown = false;
    try {
        call();
    } catch (...) {
        record(benchmark);
        has_thrown = true;
    }
    if (has_thrown) derny_end_call();
#else
    (void)benchmark;
    call();
#endif
}

} // namespace detail

/// Ends set-up, body or tear-down with an error. Throwing any other exception has the same
/// effect.
[[noreturn]] inline void fail(const std::string &message, const char *file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
#ifdef DERNY_HAS_EXCEPTIONS
    throw detail::failed{message, file, line};
#else
    derny_fail_at(file, line, "%s", message.c_str());
#endif
}

/// Skips the case for the given reason, such as an unsupported system. Call it from set-up or body.
[[noreturn]] inline void skip(const std::string &reason) {
#ifdef DERNY_HAS_EXCEPTIONS
    throw detail::skipped{reason};
#else
    derny_skip(reason.c_str());
#endif
}

} // namespace derny

#endif
