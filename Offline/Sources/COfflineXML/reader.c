// SPDX-License-Identifier: Apache-2.0
#include "COfflineXML.h"

#include <limits.h>

#include <libxml/parser.h>
#include <libxml/xmlreader.h>

// The headers of libxml2 stay in this file, because they include ICU headers, which would conflict
// with Foundation's.

static xmlTextReaderPtr own(struct offline_xml_reader *reader) { return (xmlTextReaderPtr)(void *)reader; }

void offline_xml_prepare(void) { xmlInitParser(); }

struct offline_xml_reader *offline_xml_open(const char *bytes, size_t length) {
    if (length > INT_MAX) return NULL;
    // The caller has checked that the bytes are UTF-8, so the parser must not use another encoding.
    int options = XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOCDATA | XML_PARSE_IGNORE_ENC;
    return (struct offline_xml_reader *)(void *)xmlReaderForMemory(bytes, (int)length, NULL, "UTF-8", options);
}

void offline_xml_close(struct offline_xml_reader *reader) { xmlFreeTextReader(own(reader)); }

enum offline_xml_node offline_xml_next(struct offline_xml_reader *reader) {
    int status = xmlTextReaderRead(own(reader));
    if (status == 0) return OFFLINE_XML_DONE;
    if (status != 1) return OFFLINE_XML_FAILED;
    switch (xmlTextReaderNodeType(own(reader))) {
    case XML_READER_TYPE_ELEMENT:
        return xmlTextReaderIsEmptyElement(own(reader)) == 1 ? OFFLINE_XML_EMPTY : OFFLINE_XML_START;
    case XML_READER_TYPE_END_ELEMENT:
        return OFFLINE_XML_END;
    case XML_READER_TYPE_TEXT:
    case XML_READER_TYPE_CDATA:
        return OFFLINE_XML_TEXT;
    case XML_READER_TYPE_ENTITY_REFERENCE:
    case XML_READER_TYPE_DOCUMENT_TYPE:
        return OFFLINE_XML_REFUSED;
    default:
        return OFFLINE_XML_OTHER;
    }
}

int offline_xml_next_attribute(struct offline_xml_reader *reader) {
    return xmlTextReaderMoveToNextAttribute(own(reader)) == 1;
}

const char *offline_xml_local_name(struct offline_xml_reader *reader) {
    return (const char *)xmlTextReaderConstLocalName(own(reader));
}

const char *offline_xml_namespace(struct offline_xml_reader *reader) {
    return (const char *)xmlTextReaderConstNamespaceUri(own(reader));
}

const char *offline_xml_name(struct offline_xml_reader *reader) {
    return (const char *)xmlTextReaderConstName(own(reader));
}

const char *offline_xml_value(struct offline_xml_reader *reader) {
    return (const char *)xmlTextReaderConstValue(own(reader));
}

int offline_xml_line(struct offline_xml_reader *reader) { return xmlTextReaderGetParserLineNumber(own(reader)); }
