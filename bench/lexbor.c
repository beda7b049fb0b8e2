/*
 * lexbor's full parse as a contender: a process that times itself. It is given the pages first, each behind its
 * length; then the protocol is that of src/worker.rs.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lexbor/html/parser.h"

typedef struct {
    lxb_char_t *text;
    size_t     length;
} page_t;

/* Start tags, others and errors are in these places of the counts. */
enum { ELEMENTS = 0, OTHERS = 8, ERRORS = 9, COUNTS = 10 };

static size_t
number(void)
{
    size_t number;

    if (scanf("%zu", &number) != 1) {
        exit(EXIT_SUCCESS);
    }
    getchar(); /* The end of the line. */
    return number;
}

/* Parses as whoever wants a tree does, and looks at the top of it. */
static void
parse(lxb_html_parser_t *parser, const page_t *page, unsigned long *counts)
{
    lxb_html_document_t *document = lxb_html_parse(parser, page->text, page->length);
    lxb_dom_node_t *node;

    if (document == NULL) {
        counts[ERRORS]++;
        return;
    }
    node = lxb_dom_node_first_child(lxb_dom_interface_node(document));
    for (; node != NULL; node = lxb_dom_node_next(node)) {
        counts[node->type == LXB_DOM_NODE_TYPE_ELEMENT ? ELEMENTS : OTHERS]++;
    }
    lxb_html_document_destroy(document);
}

int
main(void)
{
    size_t i, passes, pages = number();
    page_t *page = calloc(pages + 1, sizeof(page_t));
    lxb_html_parser_t *parser = lxb_html_parser_create();

    if (page == NULL || lxb_html_parser_init(parser) != LXB_STATUS_OK) {
        return EXIT_FAILURE;
    }
    for (i = 0; i < pages; i++) {
        page[i].length = number();
        page[i].text = malloc(page[i].length + 1);
        if (page[i].text == NULL
            || fread(page[i].text, 1, page[i].length, stdin) != page[i].length)
        {
            return EXIT_FAILURE;
        }
    }
    for (;;) {
        unsigned long counts[COUNTS];
        struct timespec start, end;

        passes = number();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
        for (; passes > 0; passes--) {
            for (i = 0; i < COUNTS; i++) {
                counts[i] = 0;
            }
            for (i = 0; i < pages; i++) {
                parse(parser, &page[i], counts);
            }
        }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        printf("%lld", (end.tv_sec - start.tv_sec) * 1000000000LL + end.tv_nsec - start.tv_nsec);
        for (i = 0; i < COUNTS; i++) {
            printf(" %lu", counts[i]);
        }
        putchar('\n');
        fflush(stdout);
    }
}
