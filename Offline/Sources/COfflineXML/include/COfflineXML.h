// SPDX-License-Identifier: Apache-2.0
// Reads XML with libxml2, node by node, without other files, network access or entities of the
// document.
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
    /// A comment, a processing instruction or white space.
    OFFLINE_XML_OTHER,
    /// A reference to an entity, or a document type.
    OFFLINE_XML_REFUSED,
    /// The document is malformed, or the system is out of memory.
    OFFLINE_XML_FAILED,
};

/// Prepares the library. The caller must call this function once, before opening any reader.
void offline_xml_prepare(void);

/// Opens a reader of UTF-8 bytes, which must stay valid until the reader is closed. Returns null if
/// memory is short.
struct offline_xml_reader *offline_xml_open(const char *bytes, size_t length);

/// Closes a reader.
void offline_xml_close(struct offline_xml_reader *reader);

/// Goes to the next node.
enum offline_xml_node offline_xml_next(struct offline_xml_reader *reader);

/// Goes to the next attribute of a start tag. Returns 0 after the last attribute.
int offline_xml_next_attribute(struct offline_xml_reader *reader);

/// The name of an element without the prefix, valid until the next call.
const char *offline_xml_local_name(struct offline_xml_reader *reader);

/// The namespace of an element, or null without a namespace, valid until the next call.
const char *offline_xml_namespace(struct offline_xml_reader *reader);

/// The name of an attribute, valid until the next call.
const char *offline_xml_name(struct offline_xml_reader *reader);

/// The value of an attribute or a text node, valid until the next call.
const char *offline_xml_value(struct offline_xml_reader *reader);

/// The line that the reader has reached.
int offline_xml_line(struct offline_xml_reader *reader);
