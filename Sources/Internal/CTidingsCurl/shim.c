// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CTidingsCurl.h"

#include <locale.h>
#include <pthread.h>

CURLcode tidings_curl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

CURLcode tidings_curl_set_large(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

CURLcode tidings_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

CURLcode tidings_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

CURLcode tidings_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value);
}

CURLcode tidings_curl_set_data_callback(
    CURL *easy, CURLoption option, TidingsCurlDataCallback callback) {
    return (curl_easy_setopt)(easy, option, callback);
}

CURLcode tidings_curl_set_socket_callback(CURL *easy, TidingsCurlSocketCallback callback) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

long tidings_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    (curl_easy_getinfo)(easy, info, &value);
    return value;
}

CURLMcode tidings_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

void tidings_curl_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}

CURL *tidings_curl_next_finished(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

const struct sockaddr *tidings_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}

static locale_t utf8_locale;

static void make_utf8_locale(void) {
    utf8_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

CURLUcode tidings_curl_url_get_utf8(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    // libidn2 reads the host in the locale's character set, and a program that has not called
    // setlocale() runs in "C". This call changes only the locale of the current thread. The locale
    // is created once, because every creation maps the locale's file again.
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_utf8_locale);
    locale_t previous = utf8_locale ? uselocale(utf8_locale) : (locale_t)0;
    CURLUcode code = curl_url_get(url, part, text, flags);
    if (utf8_locale) {
        uselocale(previous);
    }
    return code;
}
