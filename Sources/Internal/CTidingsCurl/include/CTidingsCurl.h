// SPDX-License-Identifier: Apache-2.0
// Non-variadic wrappers for libcurl's variadic setters and getters, which Swift cannot call.
#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

typedef size_t (*TidingsCurlDataCallback)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*TidingsCurlSocketCallback)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

CURLcode tidings_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode tidings_curl_set_large(CURL *easy, CURLoption option, curl_off_t value);
CURLcode tidings_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode tidings_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode tidings_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode tidings_curl_set_data_callback(
    CURL *easy, CURLoption option, TidingsCurlDataCallback callback);
CURLcode tidings_curl_set_socket_callback(CURL *easy, TidingsCurlSocketCallback callback);
long tidings_curl_get_long(CURL *easy, CURLINFO info);
CURLMcode tidings_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Names the calling thread for debuggers and process lists.
void tidings_curl_name_thread(const char *name);

/// Returns the next finished transfer and sets the result, or returns NULL when there is none.
CURL *tidings_curl_next_finished(CURLM *multi, CURLcode *result);

/// Returns the address that libcurl is about to connect to.
const struct sockaddr *tidings_curl_address(const struct curl_sockaddr *address);

/// Reads a part of an address, with host names as UTF-8 in every locale of the process.
CURLUcode tidings_curl_url_get_utf8(CURLU *url, CURLUPart part, char **text, unsigned int flags);
