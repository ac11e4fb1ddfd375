/* Syntax of a line, and the two streams. Independent of verbs (PROTOCOL.md, 1 and 2). */
#ifndef DERNY_WIRE_H
#define DERNY_WIRE_H

#include "buffer.h"

DERNY_BEGIN

/* Maximum lengths in bytes: of a line with its line feed, of an error's message, and of its detail. */
enum { DERNY_LINE = 65536, DERNY_MESSAGE = 4096, DERNY_DETAIL = 16384 };

/* Appends bytes in the encoding of keys and values. Also encodes the characters in `also`. */
DERNY_FUNCTION void derny_encode(struct derny_buffer *to, const char *bytes, size_t size, const char *also) {
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte <= 0x20 || byte == 0x7f || byte == '%' || byte == '=' || strchr(also, byte) != NULL) {
            derny_add_format(to, "%%%02X", byte);
        } else {
            derny_add_bytes(to, bytes + i, 1);
        }
    }
}

DERNY_FUNCTION void derny_field(struct derny_buffer *line, const char *key, const char *value) {
    derny_add(line, " ");
    derny_encode(line, key, strlen(key), "");
    derny_add(line, "=");
    derny_encode(line, value, strlen(value), "");
}

DERNY_FUNCTION void derny_integer_field(struct derny_buffer *line, const char *key, uint64_t value) {
    derny_add_format(line, " %s=", key);
    derny_add_integer(line, value);
}

/* Appends an item to the list `key`. `count` is the number of items that the list already has. */
DERNY_FUNCTION void derny_item(struct derny_buffer *line, const char *key, size_t *count, const char *item) {
    if ((*count)++ == 0) derny_add_format(line, " %s=", key);
    else derny_add(line, ",");
    derny_encode(line, item, strlen(item), ",");
}

/* Returns the length of the longest prefix of at most `size` bytes that is valid UTF-8. */
DERNY_FUNCTION size_t derny_whole(const char *text, size_t size) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    while (at < size) {
        const unsigned char first = bytes[at];
        size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        uint32_t code = length == 1 ? first : first & (0x7fu >> length);
        if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || at + length > size) break;
        bool ok = true;
        for (size_t i = 1; i < length; i++) {
            ok = ok && (bytes[at + i] & 0xc0) == 0x80;
            code = code << 6 | (bytes[at + i] & 0x3fu);
        }
        ok = ok && !(length == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000)));
        ok = ok && !(length == 4 && (code < 0x10000 || code > 0x10ffff));
        if (!ok) break;
        at += length;
    }
    return at;
}

/* Appends a field with a value cut to `most` bytes. Replaces invalid UTF-8 with question marks. */
DERNY_FUNCTION void derny_cut_field(struct derny_buffer *line, const char *key, const char *value,
                                    size_t most) {
    size_t size = strlen(value), at = 0;
    const bool is_cut = size > most;
    size = is_cut ? most : size;
    derny_add_format(line, " %s=", key);
    while (at < size) {
        const size_t whole = derny_whole(value + at, size - at);
        derny_encode(line, value + at, whole, "");
        at += whole;
        if (at >= size || (is_cut && size - at < 4)) break;
        derny_add(line, "?");
        at++;
    }
}

DERNY_FUNCTION int derny_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Resolves escapes in place and returns the new length. Returns SIZE_MAX if an escape is malformed or
 * stands for NUL, which C strings cannot contain. */
DERNY_FUNCTION size_t derny_unescape(char *bytes, size_t size) {
    size_t to = 0;
    for (size_t at = 0; at < size; at++) {
        if (bytes[at] == '%') {
            const int high = at + 2 < size ? derny_digit(bytes[at + 1]) : -1;
            const int low = at + 2 < size ? derny_digit(bytes[at + 2]) : -1;
            if (high < 0 || low < 0 || high + low == 0) return SIZE_MAX;
            bytes[to++] = (char)(high * 16 + low);
            at += 2;
        } else {
            bytes[to++] = bytes[at];
        }
    }
    return derny_whole(bytes, to) == to ? to : SIZE_MAX;
}

/* Decodes a key or value in place. Returns SIZE_MAX if it is malformed. */
DERNY_FUNCTION size_t derny_decode(char *bytes, size_t size) {
    for (size_t at = 0; at < size; at++) {
        const unsigned char byte = (unsigned char)bytes[at];
        if (byte < 0x20 || byte == 0x7f || byte == '=') return SIZE_MAX;
    }
    return derny_unescape(bytes, size);
}

struct derny_pair {
    char *key, *value;
    /* The value before decoding, because lists must be split first. */
    const char *encoded;
};

struct derny_message {
    char *line, *decoded;
    const char *verb;
    struct derny_pair *pairs;
    size_t count;
};

DERNY_FUNCTION void derny_message_release(struct derny_message *message) {
    free(message->line);
    free(message->decoded);
    free(message->pairs);
    memset(message, 0, sizeof *message);
}

DERNY_FUNCTION const char *derny_value(const struct derny_message *message, const char *key) {
    for (size_t i = 0; i < message->count; i++) {
        if (strcmp(message->pairs[i].key, key) == 0) return message->pairs[i].value;
    }
    return NULL;
}

/* Parses the word at `offset` of a line as `key=value`. */
DERNY_FUNCTION bool derny_parse_pair(struct derny_message *message, size_t offset, struct derny_buffer *why) {
    char *written = message->line + offset, *key = message->decoded + offset;
    char *sign = strchr(written, '=');
    if (sign == NULL) {
        derny_add_format(why, "%s: `%s` is not of the form key=value", message->verb, written);
        return false;
    }
    const size_t key_size = (size_t)(sign - written);
    char *value = key + key_size + 1;
    const size_t decoded_key = derny_decode(key, key_size);
    const size_t decoded = derny_decode(value, strlen(value));
    if (decoded_key == SIZE_MAX || decoded == SIZE_MAX) {
        derny_add_format(why, "%s: `%s` is malformed", message->verb, written);
        return false;
    }
    key[decoded_key] = value[decoded] = '\0';
    if (derny_value(message, key) != NULL) {
        derny_add_format(why, "%s: the key %s appears twice", message->verb, key);
        return false;
    }
    struct derny_pair *pair = &message->pairs[message->count++];
    pair->key = key;
    pair->value = value;
    pair->encoded = sign + 1;
    return true;
}

/* Parses a line. If it is malformed, adds the reason to `why` and returns false. */
DERNY_FUNCTION bool derny_parse(const char *line, struct derny_message *message, struct derny_buffer *why) {
    const size_t size = strlen(line);
    size_t words = 1;
    memset(message, 0, sizeof *message);
    message->line = derny_copy(line, size);
    for (size_t i = 0; i < size; i++) {
        if (message->line[i] == ' ') words++, message->line[i] = '\0';
    }
    message->decoded = (char *)derny_allocate(NULL, size + 1);
    memcpy(message->decoded, message->line, size + 1);
    message->verb = message->line;
    message->pairs = (struct derny_pair *)derny_allocate(NULL, words * sizeof *message->pairs);
    size_t offset = strlen(message->verb) + 1;
    for (; offset <= size; offset += strlen(message->line + offset) + 1) {
        if (!derny_parse_pair(message, offset, why)) return false;
    }
    return true;
}

/* Parses a non-negative integer as PROTOCOL.md defines it. Returns false if `text` is not one. */
DERNY_FUNCTION bool derny_read_integer(const char *text, uint64_t *value) {
    *value = 0;
    for (const char *digit = text; *digit != '\0'; digit++) {
        const uint64_t more = (uint64_t)(*digit - '0');
        if (*digit < '0' || *digit > '9' || *value > (UINT64_MAX - more) / 10) return false;
        *value = *value * 10 + more;
    }
    return *text != '\0';
}

/*
 * Reads a required integer of a message. Returns false and adds a message to `why` if it is missing or
 * wrong.
 */
DERNY_FUNCTION bool derny_needed(const struct derny_message *message, const char *key, uint64_t *value,
                                 struct derny_buffer *why) {
    const char *text = derny_value(message, key);
    if (text != NULL && derny_read_integer(text, value)) return true;
    if (text == NULL) derny_add_format(why, "%s: the key %s is missing", message->verb, key);
    else derny_add_format(why, "%s: %s must be an integer, not `%s`", message->verb, key, text);
    return false;
}

struct derny_streams {
    int commands, replies;
    char *bytes;
    size_t begin, end;
};

/* Opens a stream that child processes do not inherit. After an error, prints a message and returns -1. */
DERNY_FUNCTION int derny_open_stream(const char *path, int flags) {
    const int stream = open(path, flags);
    if (stream < 0) {
        fprintf(stderr, "derny: cannot open %s: %s\n", path, strerror(errno));
        return -1;
    }
    fcntl(stream, F_SETFD, FD_CLOEXEC);
    return stream;
}

/* Closes an inherited descriptor after it was reopened as /dev/fd/N. */
DERNY_FUNCTION void derny_close_inherited(const char *path) {
    const char *number = strncmp(path, "/dev/fd/", 8) == 0 ? path + 8 : "";
    uint64_t descriptor;
    if (derny_read_integer(number, &descriptor) && descriptor > 2) close((int)descriptor);
}

/* Opens the streams that the environment names, and removes the variables. Returns 1 if they are open and 0
 * if a user started the program. After an error, prints a message and returns -1. */
DERNY_FUNCTION int derny_open_streams(struct derny_streams *streams) {
    const char *replies = getenv("DERNY_REPLIES"), *commands = getenv("DERNY_COMMANDS");
    memset(streams, 0, sizeof *streams);
    if (replies == NULL && commands == NULL) return 0;
    if (replies == NULL || commands == NULL) {
        fprintf(stderr, "derny: %s is set, but %s is not\n",
                replies != NULL ? "DERNY_REPLIES" : "DERNY_COMMANDS",
                replies != NULL ? "DERNY_COMMANDS" : "DERNY_REPLIES");
        return -1;
    }
    /* Keep this order. Opening a FIFO blocks until the engine opens its other end. */
    streams->replies = derny_open_stream(replies, O_WRONLY);
    if (streams->replies < 0) return -1;
    streams->commands = derny_open_stream(commands, O_RDONLY);
    if (streams->commands < 0) return -1;
    derny_close_inherited(replies);
    if (strcmp(replies, commands) != 0) derny_close_inherited(commands);
    unsetenv("DERNY_REPLIES");
    unsetenv("DERNY_COMMANDS");
    streams->bytes = (char *)derny_allocate(NULL, DERNY_LINE);
    return 1;
}

/* Returns the next line without its line feed, or NULL at the end of the stream. If the line is too long or
 * not UTF-8, returns NULL and adds the reason to `why`. The line is valid until the next call. */
DERNY_FUNCTION char *derny_read_line(struct derny_streams *streams, struct derny_buffer *why) {
    for (;;) {
        char *line = streams->bytes + streams->begin;
        const size_t held = streams->end - streams->begin;
        char *feed = held > 0 ? (char *)memchr(line, '\n', held) : NULL;
        if (feed != NULL) {
            const size_t size = (size_t)(feed - line);
            streams->begin += size + 1;
            *feed = '\0';
            if (strlen(line) == size && derny_whole(line, size) == size) return line;
            derny_add(why, "a line is not valid UTF-8");
            return NULL;
        }
        if (held == DERNY_LINE) {
            derny_add_format(why, "a line is longer than %d bytes", DERNY_LINE);
            return NULL;
        }
        memmove(streams->bytes, line, held);
        streams->begin = 0;
        streams->end = held;
        const ssize_t got = read(streams->commands, streams->bytes + held, DERNY_LINE - held);
        if (got > 0) streams->end += (size_t)got;
        else if (got == 0 || errno != EINTR) return NULL;
    }
}

/* Writes one or more lines. Adds the line feed that ends the last one. Returns false after an error. */
DERNY_FUNCTION bool derny_write(struct derny_streams *streams, struct derny_buffer *lines) {
    derny_add(lines, "\n");
    for (size_t written = 0; written < lines->size;) {
        const ssize_t more = write(streams->replies, lines->bytes + written, lines->size - written);
        if (more > 0) written += (size_t)more;
        else if (errno != EINTR) return false;
    }
    return true;
}

DERNY_END

#endif
