// SPDX-License-Identifier: Apache-2.0
#include "COfflineHTTPServer.h"

struct MHD_Daemon *offline_http_start(
    const struct offline_http_settings *settings,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed,
    void *context)
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME,
        0,
        NULL, NULL,
        handler, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_END);
}

enum MHD_Result offline_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds)
{
    return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}
