/* Failures and skips of set-up, body and tear-down. They end the call but not the process. */
#ifndef DERNY_FAILURE_H
#define DERNY_FAILURE_H

#include "buffer.h"

DERNY_BEGIN

/* The reason why a protected call of this thread ended. */
struct derny_failure {
    bool has_failed, has_skipped;
    /* Error message in one sentence, or the reason for a skip. */
    struct derny_buffer message;
    struct derny_buffer detail;
    /* Target of the jump that ends the current protected call, or NULL. */
    jmp_buf *end;
};

DERNY_VARIABLE __thread struct derny_failure derny_failure;

DERNY_FUNCTION void derny_forget_failure(void) {
    derny_failure.has_failed = derny_failure.has_skipped = false;
    derny_clear(&derny_failure.message);
    derny_clear(&derny_failure.detail);
}

/* Appends the stack of this thread to the detail, if the system can provide it. */
DERNY_FUNCTION void derny_add_stack(void) {
#ifdef DERNY_HAS_BACKTRACE
    void *frames[32];
    const int count = backtrace(frames, 32);
    char **symbols = backtrace_symbols(frames, count);
    for (int i = 1; symbols != NULL && i < count; i++) {
        derny_add_format(&derny_failure.detail, "  %s\n", symbols[i]);
    }
    free(symbols);
#endif
}

/* Ends the current protected call. If there is none, as in a thread that the user started, ends the
   program. */
DERNY_FUNCTION DERNY_NORETURN void derny_end_call(void) {
    if (derny_failure.end != NULL) longjmp(*derny_failure.end, 1);
    fprintf(stderr, "derny: %s\n%s", derny_failure.message.bytes,
            derny_failure.detail.bytes != NULL ? derny_failure.detail.bytes : "");
    abort();
}

DERNY_FUNCTION DERNY_NORETURN DERNY_PRINTF(3, 4) void derny_fail_at(const char *file, int line,
                                                                    const char *format, ...) {
    va_list arguments;
    derny_forget_failure();
    derny_failure.has_failed = true;
    va_start(arguments, format);
    derny_add_arguments(&derny_failure.message, format, arguments);
    va_end(arguments);
    derny_add_format(&derny_failure.detail, "at %s:%d\n", file, line);
    derny_add_stack();
    derny_end_call();
}

/* Ends set-up, body or tear-down with an error: `derny_fail("cannot read %s", path)`. */
#define derny_fail(...) derny_fail_at(__FILE__, __LINE__, __VA_ARGS__)

/*
 * Skips the case for the given reason, such as an unsupported system. Call it from set-up or body.
 */
DERNY_FUNCTION DERNY_NORETURN void derny_skip(const char *reason) {
    derny_forget_failure();
    derny_failure.has_skipped = true;
    derny_add(&derny_failure.message, reason);
    derny_end_call();
}

/* Calls `call(argument)`. A failure or skip ends only this call. Returns false if there was one. */
DERNY_FUNCTION bool derny_protected(void (*call)(void *), void *argument) {
    jmp_buf here;
    jmp_buf *const outer = derny_failure.end;
    derny_forget_failure();
    derny_failure.end = &here;
    if (setjmp(here) == 0) call(argument);
    derny_failure.end = outer;
    return !derny_failure.has_failed && !derny_failure.has_skipped;
}

/* Moves the failure of another thread to this one. */
DERNY_FUNCTION void derny_take_failure(struct derny_failure *from) {
    jmp_buf *const end = derny_failure.end;
    derny_release(&derny_failure.message);
    derny_release(&derny_failure.detail);
    derny_failure = *from;
    derny_failure.end = end;
    memset(from, 0, sizeof *from);
}

DERNY_END

#endif
