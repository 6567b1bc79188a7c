// SPDX-License-Identifier: Apache-2.0
// Parses HTML with libxml2 as a sequence of events, without a tree, network access or unlimited
// time.
#pragma once

#include <stddef.h>

/// The receivers of a parse. All strings are UTF-8 and valid only during the call.
struct offline_html_events {
    /// Called for a start tag. `attributes` alternates names and values up to a null name, or is
    /// null. A value may be null.
    void (*start)(void *context, const char *name, const char *const *attributes);
    /// Called for an end tag, even if the page omits the tag.
    void (*end)(void *context, const char *name);
    /// Called for text, including script text, in pieces of any length.
    void (*text)(void *context, const char *bytes, size_t length);
};

/// The end of a parse.
enum offline_html_end {
    /// The whole page was parsed.
    OFFLINE_HTML_COMPLETE,
    /// The page would take too long. The events of the first part were delivered.
    OFFLINE_HTML_LIMITED,
    /// The system is out of memory.
    OFFLINE_HTML_FAILED,
};

/// Prepares the library. The caller must call this function once, before any parse.
void offline_html_prepare(void);

/// Parses a page that is valid UTF-8 without NUL characters.
enum offline_html_end offline_html_parse(
    const char *bytes,
    size_t length,
    const struct offline_html_events *events,
    void *context
);
