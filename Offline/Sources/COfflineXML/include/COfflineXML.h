// SPDX-License-Identifier: Apache-2.0
// Reads XML with libxml2, node by node, without other files, a network or entities of the document.
#pragma once

#include <stddef.h>

/// A reader of one document.
struct offline_xml_reader;

/// The kind of the next node.
enum offline_xml_node {
    /// The end of a well-formed document.
    OFFLINE_XML_DONE,
    /// A start tag.
    OFFLINE_XML_START,
    /// An element without content.
    OFFLINE_XML_EMPTY,
    /// An end tag.
    OFFLINE_XML_END,
    /// Text.
    OFFLINE_XML_TEXT,
    /// A comment, an instruction or space.
    OFFLINE_XML_OTHER,
    /// A reference to an entity, or a document type.
    OFFLINE_XML_REFUSED,
    /// The document is malformed, or the system has no memory.
    OFFLINE_XML_FAILED,
};

/// Prepares the library; call it once, before any reader is opened.
void offline_xml_prepare(void);

/// Opens a reader of UTF-8, which must stay valid until the reader is closed; null without memory.
struct offline_xml_reader *offline_xml_open(const char *bytes, size_t length);

/// Closes a reader.
void offline_xml_close(struct offline_xml_reader *reader);

/// Goes to the next node.
enum offline_xml_node offline_xml_next(struct offline_xml_reader *reader);

/// Goes to the next attribute of a start tag; returns 0 after the last one.
int offline_xml_next_attribute(struct offline_xml_reader *reader);

/// The name of an element without its prefix; valid until the next call.
const char *offline_xml_local_name(struct offline_xml_reader *reader);

/// The namespace of an element; null without one, valid until the next call.
const char *offline_xml_namespace(struct offline_xml_reader *reader);

/// The name of an attribute; valid until the next call.
const char *offline_xml_name(struct offline_xml_reader *reader);

/// The value of an attribute or a text; valid until the next call.
const char *offline_xml_value(struct offline_xml_reader *reader);

/// The line that the reader has reached.
int offline_xml_line(struct offline_xml_reader *reader);
