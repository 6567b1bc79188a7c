// SPDX-License-Identifier: Apache-2.0
#include "COfflineHTML.h"

#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/dict.h>
#include <libxml/parser.h>

// libxml2 compares each attribute of a tag with the earlier attributes, and an end tag without a
// start with all open tags. The steps of a page are counted, so that a page with too many
// comparisons ends early instead of after hours.
static const unsigned long long step_limit = 400 * 1000 * 1000;
static const unsigned long long steps_of_error = 200;
// The maximum total size of all distinct names, which limits the distinct attributes of one tag.
static const size_t name_bytes = 80 * 1000;
static const size_t chunk_bytes = 64 << 10;

struct parse {
    const struct offline_html_events *events;
    void *context;
    htmlParserCtxtPtr parser;
    unsigned long long steps;
    int is_limited;
};

static void stop(struct parse *parse) {
    parse->is_limited = 1;
    xmlStopParser(parse->parser);
}

static void count_steps(struct parse *parse, unsigned long long steps) {
    parse->steps += steps;
    if (parse->steps > step_limit && !parse->is_limited) { stop(parse); }
}

static void on_start(void *data, const xmlChar *name, const xmlChar **attributes) {
    struct parse *parse = data;
    unsigned long long count = 1;
    for (const xmlChar **attribute = attributes; attribute && *attribute; attribute += 2) { count += 1; }
    parse->events->start(parse->context, (const char *)name, (const char *const *)attributes);
    count_steps(parse, count * count);
}

static void on_end(void *data, const xmlChar *name) {
    struct parse *parse = data;
    parse->events->end(parse->context, (const char *)name);
}

static void on_text(void *data, const xmlChar *bytes, int length) {
    struct parse *parse = data;
    parse->events->text(parse->context, (const char *)bytes, (size_t)length);
}

static void on_error(void *data, xmlErrorPtr error) {
    struct parse *parse = data;
    unsigned long long steps = steps_of_error;
    switch (error->code) {
    case XML_HTML_UNKNOWN_TAG:
        break;
    case XML_ERR_ATTRIBUTE_REDEFINED:
        steps += name_bytes / 4;
        break;
    case XML_ERR_NO_MEMORY:
        // The page has too many names.
        stop(parse);
        break;
    default:
        steps += (unsigned long long)parse->parser->nameNr;
    }
    count_steps(parse, steps);
}

void offline_html_prepare(void) { xmlInitParser(); }

enum offline_html_end offline_html_parse(
    const char *bytes,
    size_t length,
    const struct offline_html_events *events,
    void *context
) {
    htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(NULL, NULL, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);
    if (!parser) { return OFFLINE_HTML_FAILED; }
    struct parse parse = {.events = events, .context = context, .parser = parser};
    htmlCtxtUseOptions(parser, HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
    memset(parser->sax, 0, sizeof(htmlSAXHandler));
    parser->sax->startElement = on_start;
    parser->sax->endElement = on_end;
    parser->sax->characters = on_text;
    parser->sax->cdataBlock = on_text;
    parser->sax->ignorableWhitespace = on_text;
    parser->sax->serror = on_error;
    parser->sax->initialized = XML_SAX2_MAGIC;
    parser->userData = &parse;
    xmlDictSetLimit(parser->dict, name_bytes);
    // Without an open element, the parser would take a stray end tag for the end of the page.
    htmlParseChunk(parser, "<html>", 6, 0);
    for (size_t offset = 0; offset < length && !parse.is_limited; offset += chunk_bytes) {
        size_t rest = length - offset;
        htmlParseChunk(parser, bytes + offset, (int)(rest < chunk_bytes ? rest : chunk_bytes), 0);
    }
    if (!parse.is_limited) { htmlParseChunk(parser, bytes, 0, 1); }
    // When no further name fits, the parser skips tags and attributes.
    if (xmlDictGetUsage(parser->dict) > name_bytes) { parse.is_limited = 1; }
    htmlFreeParserCtxt(parser);
    return parse.is_limited ? OFFLINE_HTML_LIMITED : OFFLINE_HTML_COMPLETE;
}
