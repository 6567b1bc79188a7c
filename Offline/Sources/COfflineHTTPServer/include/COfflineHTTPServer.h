// SPDX-License-Identifier: Apache-2.0
// Imports libmicrohttpd for Swift, which cannot call variadic functions.
#pragma once

#include <microhttpd.h>
#include <stddef.h>

/// The settings of a daemon.
struct offline_http_settings {
    /// A bound, listening, non-blocking socket. The daemon closes the socket when stopping.
    int listen_socket;
    /// The maximum number of connections. Further connections wait in the backlog.
    unsigned int connection_limit;
    /// The time without transferred bytes before the daemon closes a connection.
    unsigned int timeout_seconds;
    /// The memory for the head of one request, in bytes.
    size_t connection_memory;
    /// The certificate chain and the key in PEM format for encrypted connections, or NULL for both
    /// without encryption.
    const char *certificates;
    const char *key;
};

/// Starts a daemon with a separate epoll thread and suspendable connections. Returns NULL if the
/// daemon fails to start.
struct MHD_Daemon *offline_http_start(
    const struct offline_http_settings *settings,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed,
    void *context);

/// Changes the timeout of one connection.
enum MHD_Result offline_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds);

/// Returns whether the client has closed the connection and no received byte is left.
int offline_http_has_ended(struct MHD_Connection *connection);
