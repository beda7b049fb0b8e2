/*
 * lexbor's HTML tokenizer as a contender in a process of its own. The protocol is described in
 * src/worker.rs; how to build this in docs/performance.md.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lexbor/html/tokenizer.h"

/* The numbers of a tally, in the order of the protocol. */
enum {
    START_TAGS,
    END_TAGS,
    ATTRIBUTES,
    NAME_BYTES,
    VALUE_BYTES,
    TEXT_BYTES,
    COMMENTS,
    COMMENT_BYTES,
    OTHERS,
    ERRORS,
    NUMBERS
};

typedef struct {
    lxb_char_t *text;
    size_t     length;
    uint64_t   least;
} document_t;

static void
fail(const char *what)
{
    fprintf(stderr, "lexbor: %s\n", what);
    exit(EXIT_FAILURE);
}

static void
tag(lxb_html_tokenizer_t *tokenizer, const lxb_html_token_t *token,
    uint64_t *tally)
{
    size_t length;
    lxb_html_token_attr_t *attr;
    const bool is_end = (token->type & LXB_HTML_TOKEN_TYPE_CLOSE) != 0;

    tally[is_end ? END_TAGS : START_TAGS]++;
    if (lxb_tag_name_by_id(token->tag_id, &length) != NULL) {
        tally[NAME_BYTES] += length;
    }
    for (attr = token->attr_first; attr != NULL; attr = attr->next) {
        tally[ATTRIBUTES]++;
        if (lxb_html_token_attr_name(attr, &length) != NULL) {
            tally[NAME_BYTES] += length;
        }
        tally[VALUE_BYTES] += attr->value_size;
    }
    if (!is_end) {
        lxb_html_tokenizer_set_state_by_tag(tokenizer, false, token->tag_id,
                                            LXB_NS_HTML);
    }
}

static lxb_html_token_t *
count(lxb_html_tokenizer_t *tokenizer, lxb_html_token_t *token, void *context)
{
    uint64_t *tally = context;
    const size_t length = token->text_end - token->text_start;

    switch (token->tag_id) {
        case LXB_TAG__TEXT:
            tally[TEXT_BYTES] += length;
            break;
        case LXB_TAG__EM_COMMENT:
            tally[COMMENTS]++;
            tally[COMMENT_BYTES] += length;
            break;
        case LXB_TAG__EM_DOCTYPE:
        case LXB_TAG__PROCESSINGINSTRUCTION:
            tally[OTHERS]++;
            break;
        case LXB_TAG__END_OF_FILE:
            break;
        default:
            tag(tokenizer, token, tally);
    }
    return token;
}

static uint64_t
thread_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/* Returns the time of all documents; lessens that of each. */
static uint64_t
pass(lxb_html_tokenizer_t *tokenizer, document_t *documents, size_t number)
{
    size_t i;
    uint64_t time, all = 0;

    for (i = 0; i < number; i++) {
        time = thread_time();
        lxb_html_tokenizer_clean(tokenizer);
        if (lxb_html_tokenizer_begin(tokenizer) != LXB_STATUS_OK
            || lxb_html_tokenizer_chunk(tokenizer, documents[i].text,
                                        documents[i].length) != LXB_STATUS_OK
            || lxb_html_tokenizer_end(tokenizer) != LXB_STATUS_OK)
        {
            fail("cannot tokenize");
        }
        time = thread_time() - time;
        all += time;
        if (time < documents[i].least) {
            documents[i].least = time;
        }
    }
    return all;
}

static size_t
number_after(const char *format)
{
    size_t number;

    if (scanf(format, &number) != 1) {
        fail("malformed request");
    }
    /* The end of the line. */
    getchar();
    return number;
}

int
main(void)
{
    size_t i, passes, number = number_after("load %zu");
    uint64_t time, tally[NUMBERS];
    document_t *documents = calloc(number + 1, sizeof(document_t));
    lxb_html_tokenizer_t *tokenizer = lxb_html_tokenizer_create();

    if (documents == NULL || lxb_html_tokenizer_init(tokenizer) != LXB_STATUS_OK
        || lxb_html_tokenizer_tags_make(tokenizer, 256) != LXB_STATUS_OK
        || lxb_html_tokenizer_attrs_make(tokenizer, 512) != LXB_STATUS_OK)
    {
        fail("cannot start");
    }
    lxb_html_tokenizer_callback_token_done_set(tokenizer, count, tally);
    for (i = 0; i < number; i++) {
        documents[i].length = number_after("%zu");
        documents[i].least = UINT64_MAX;
        documents[i].text = malloc(documents[i].length + 1);
        if (documents[i].text == NULL
            || fread(documents[i].text, 1, documents[i].length, stdin)
               != documents[i].length)
        {
            fail("cannot read a document");
        }
    }
    puts("ok");
    fflush(stdout);
    while (scanf("run %zu", &passes) == 1) {
        getchar();
        time = 0;
        while (passes-- > 0) {
            for (i = 0; i < NUMBERS; i++) {
                tally[i] = 0;
            }
            time += pass(tokenizer, documents, number);
        }
        printf("%" PRIu64, time);
        for (i = 0; i < NUMBERS; i++) {
            printf(" %" PRIu64, tally[i]);
        }
        for (i = 0; i < number; i++) {
            printf(" %" PRIu64, documents[i].least);
        }
        putchar('\n');
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
