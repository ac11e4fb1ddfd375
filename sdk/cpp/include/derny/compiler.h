/* Compiler settings of this translation unit. */
#ifndef DERNY_COMPILER_H
#define DERNY_COMPILER_H

#define DERNY_TEXT_OF_(number) #number
#define DERNY_TEXT_OF(number) DERNY_TEXT_OF_(number)
#define DERNY_DOTTED(a, b, c) DERNY_TEXT_OF(a) "." DERNY_TEXT_OF(b) "." DERNY_TEXT_OF(c)
#if defined(__clang__)
#define DERNY_RUNTIME "clang/" DERNY_DOTTED(__clang_major__, __clang_minor__, __clang_patchlevel__)
#else
#define DERNY_RUNTIME "gcc/" DERNY_DOTTED(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__)
#endif
#if defined(__OPTIMIZE__)
#define DERNY_COMPILER NULL
#else
#define DERNY_COMPILER "no optimisation"
#endif
#ifndef __has_feature
#define __has_feature(feature) 0
#define DERNY_DEFINED_FEATURE
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define DERNY_INSTRUMENTED "address sanitizer"
#elif defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define DERNY_INSTRUMENTED "race"
#else
#define DERNY_INSTRUMENTED NULL
#endif
#ifdef DERNY_DEFINED_FEATURE
#undef __has_feature
#undef DERNY_DEFINED_FEATURE
#endif

#endif
