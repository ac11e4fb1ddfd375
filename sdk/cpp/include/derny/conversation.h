/* Reads commands and sends answers. Independent of the meaning of verbs. */
#ifndef DERNY_CONVERSATION_H
#define DERNY_CONVERSATION_H

#include "turns.h"

DERNY_BEGIN

struct derny_conversation {
    struct derny_streams streams;
    /* Answer to the last command. It is sent before the next command is read. */
    struct derny_buffer answer;
    /* Reason for refusing the last command. If not empty, it replaces the answer. */
    struct derny_buffer why;
    bool has_quit;
    int status;
};

/* Replaces the answer with an error if one of its lines is too long, because sending such a line would end
   the conversation. */
DERNY_FUNCTION void derny_bound_answer(struct derny_buffer *answer) {
    for (const char *line = answer->bytes; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strcspn(line, "\n") >= DERNY_LINE) {
            derny_add_error(answer, "a reply exceeds the maximum length of a line", NULL);
            return;
        }
    }
}

DERNY_FUNCTION void derny_end_fatally(struct derny_conversation *talk, const char *message, const char *detail) {
    derny_add_error(&talk->answer, message, detail);
    derny_add(&talk->answer, " fatal=1");
    derny_write(&talk->streams, &talk->answer);
    fprintf(stderr, "derny: %s\n", message);
    talk->status = 2;
}

DERNY_FUNCTION bool derny_is_quit(const char *line) {
    return strcspn(line, " ") == 4 && strncmp(line, "quit", 4) == 0;
}

/*
 * Sends the answer and waits for the next command, which replaces `message`. Answers malformed lines itself.
 * Returns false when the conversation is over.
 */
DERNY_FUNCTION bool derny_next(struct derny_conversation *talk, struct derny_message *message) {
    for (;;) {
        derny_message_release(message);
        if (talk->why.size > 0) derny_add_error(&talk->answer, talk->why.bytes, NULL);
        derny_clear(&talk->why);
        derny_bound_answer(&talk->answer);
        if (!derny_write(&talk->streams, &talk->answer)) {
            talk->status = 2;
            return false;
        }
        derny_clear(&talk->answer);
        const char *line = derny_read_line(&talk->streams, &talk->why);
        if (line == NULL && talk->why.size > 0) derny_end_fatally(talk, talk->why.bytes, NULL);
        if (line == NULL) return false;
        talk->has_quit = derny_is_quit(line);
        if (talk->has_quit) return false;
        if (derny_parse(line, message, &talk->why)) return true;
    }
}

DERNY_FUNCTION void derny_unsupported(struct derny_conversation *talk, const char *verb) {
    derny_add(&talk->answer, "unsupported");
    derny_field(&talk->answer, "verb", verb);
}

DERNY_END

#endif
