/* A growing text buffer. Does not depend on the rest of Derny. */
#ifndef DERNY_BUFFER_H
#define DERNY_BUFFER_H

#include "platform.h"

DERNY_BEGIN

/* A byte buffer. A NUL follows the bytes, unless there are none. */
struct derny_buffer {
    char *bytes;
    size_t size, room;
};

/* Resizes `old`, which may be NULL, to `size` bytes and returns its new address. Ends
 * the program if memory runs out. */
DERNY_FUNCTION void *derny_allocate(void *old, size_t size) {
    void *memory = realloc(old, size > 0 ? size : 1);
    if (memory == NULL) {
        fputs("derny: out of memory\n", stderr);
        abort();
    }
    return memory;
}

DERNY_FUNCTION void derny_clear(struct derny_buffer *text) {
    text->size = 0;
    if (text->bytes != NULL) text->bytes[0] = '\0';
}

DERNY_FUNCTION void derny_release(struct derny_buffer *text) {
    free(text->bytes);
    text->bytes = NULL;
    text->size = text->room = 0;
}

DERNY_FUNCTION void derny_add_bytes(struct derny_buffer *text, const char *bytes, size_t size) {
    if (text->size + size + 1 > text->room) {
        text->room = 2 * (text->size + size + 1);
        text->bytes = (char *)derny_allocate(text->bytes, text->room);
    }
    if (size > 0) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

DERNY_FUNCTION void derny_add(struct derny_buffer *text, const char *more) {
    derny_add_bytes(text, more, strlen(more));
}

DERNY_FUNCTION DERNY_PRINTF(2, 0) void derny_add_arguments(struct derny_buffer *text, const char *format,
                                                           va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int size = vsnprintf(NULL, 0, format, arguments);
    if (size > 0) {
        char *made = (char *)derny_allocate(NULL, (size_t)size + 1);
        vsnprintf(made, (size_t)size + 1, format, again);
        derny_add_bytes(text, made, (size_t)size);
        free(made);
    }
    va_end(again);
}

DERNY_FUNCTION DERNY_PRINTF(2, 3) void derny_add_format(struct derny_buffer *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    derny_add_arguments(text, format, arguments);
    va_end(arguments);
}

/*
 * Appends the shortest decimal number that reads back as the same value, in any locale.
 */
DERNY_FUNCTION void derny_add_number(struct derny_buffer *text, double value) {
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        const double again = strtod(digits, NULL);
        if (memcmp(&again, &value, sizeof value) == 0) break;
    }
    for (char *digit = digits; *digit != '\0'; digit++) {
        if (strchr("0123456789+-e", *digit) == NULL) *digit = '.';
    }
    derny_add(text, digits);
}

DERNY_FUNCTION void derny_add_integer(struct derny_buffer *text, uint64_t value) {
    char digits[24], *digit = digits + sizeof digits;
    *--digit = '\0';
    do {
        *--digit = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    derny_add(text, digit);
}

/* Returns a copy, which the caller must free. */
DERNY_FUNCTION char *derny_copy(const char *bytes, size_t size) {
    char *copy = (char *)derny_allocate(NULL, size + 1);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}

DERNY_END

#endif
