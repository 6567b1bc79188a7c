// SPDX-License-Identifier: Apache-2.0
#include "COfflineHTTPServer.h"

#include <stdbool.h>
#include <sys/socket.h>

struct MHD_Daemon *offline_http_start(
    const struct offline_http_settings *settings,
    MHD_AccessHandlerCallback handler,
    MHD_RequestCompletedCallback completed,
    void *context)
{
    const bool encrypts = settings->certificates && settings->key;
    const struct MHD_OptionItem encryption[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificates},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (encrypts ? MHD_USE_TLS : 0),
        0,
        NULL, NULL,
        handler, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
        MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        // Without encryption, the array starts at the end marker.
        MHD_OPTION_ARRAY, encrypts ? encryption : encryption + 2,
        MHD_OPTION_END);
}

enum MHD_Result offline_http_set_timeout(struct MHD_Connection *connection, unsigned int seconds)
{
    return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

int offline_http_has_ended(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;
    return info && recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}
