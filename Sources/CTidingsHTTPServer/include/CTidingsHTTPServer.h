// SPDX-License-Identifier: Apache-2.0
// libmicrohttpd as Swift can call it: its variadic functions behind fixed ones.
#pragma once

#include <microhttpd.h>
#include <stddef.h>

/// What the daemon is started with.
struct tidings_http_settings {
    /// A bound, listening, non-blocking socket; the daemon closes it when it stops.
    int listen_socket;
    /// Connections beyond this number wait in the backlog.
    unsigned int connection_limit;
    /// A connection on which nothing moved for this long is closed.
    unsigned int timeout_seconds;
    /// Memory for the head of one request.
    size_t connection_memory;
};

/// Starts a daemon with one thread of its own around epoll, whose connections can be suspended.
/// Returns NULL if it did not start.
struct MHD_Daemon *tidings_http_start(
    const struct tidings_http_settings *settings,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed,
    void *context);

/// Changes the time after which this one connection counts as dead.
enum MHD_Result tidings_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds);
