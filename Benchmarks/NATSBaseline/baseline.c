// SPDX-License-Identifier: Apache-2.0
// Does the same as the bridge with the core API of NATS's C client, for a comparison by
// `bridge.py`.
//
//   baseline fill URL SPACE COUNT            stores COUNT messages
//   baseline drain URL SPACE COUNT WINDOW FILE   sends COUNT outbox rows and prints the seconds
//   baseline publish URL SPACE COUNT WINDOW  the same without an outbox
//   baseline read URL SPACE COUNT BATCH      reads the first COUNT messages and prints the seconds
//   baseline latency URL SPACE COUNT         prints the median microseconds from send to receipt
// The next line enables the monotonic clock.
#define _POSIX_C_SOURCE 200809L

#include <nats/nats.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char body[] = "{\"number\":123456,\"text\":\"0123456789012345678901234567890123456789"
                           "012345678901234567890123456789012345678901234567890123456789\"}";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void check(natsStatus status, const char *call) {
    if (status == NATS_OK) return;
    fprintf(stderr, "error: %s: %s\n", call, natsStatus_GetText(status));
    exit(1);
}

static void check_sql(int status, sqlite3 *file) {
    if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
    fprintf(stderr, "error: %s\n", sqlite3_errmsg(file));
    exit(1);
}

static natsConnection *connect_to(const char *url, bool sends_at_once) {
    natsOptions *options;
    natsConnection *connection;
    check(natsOptions_Create(&options), "create");
    check(natsOptions_SetURL(options, url), "address");
    check(natsOptions_SetAllowReconnect(options, false), "reconnect");
    check(natsOptions_SetSendAsap(options, sends_at_once), "at once");
    check(natsOptions_SetMaxPendingMsgs(options, 1000000), "pending");
    check(natsConnection_Connect(&connection, options), "connect");
    natsOptions_Destroy(options);
    return connection;
}

// Sends a request and fails if the answer has an error.
static void request(natsConnection *connection, const char *subject, const char *text) {
    natsMsg *answer;
    check(natsConnection_RequestString(&answer, connection, subject, text, 5000), subject);
    if (strstr(natsMsg_GetData(answer), "\"error\"") != NULL) {
        fprintf(stderr, "error: %s: %s\n", subject, natsMsg_GetData(answer));
        exit(1);
    }
    natsMsg_Destroy(answer);
}

static void make_stream(natsConnection *connection, const char *space) {
    char subject[200], text[300];
    snprintf(subject, sizeof subject, "$JS.API.STREAM.CREATE.%s", space);
    snprintf(text, sizeof text,
             "{\"name\":\"%s\",\"subjects\":[\"%s.>\"],\"storage\":\"file\",\"retention\":\"limits\","
             "\"discard\":\"new\",\"max_consumers\":-1,\"max_msgs\":-1,\"max_bytes\":-1,"
             "\"num_replicas\":1,\"duplicate_window\":120000000000,\"allow_direct\":true}",
             space, space);
    request(connection, subject, text);
}

// The subject, headers and body are the same as in the benchmark of the bridge.
static void send_row(natsConnection *connection, const char *space, const char *inbox, long row,
                     const void *data, int size) {
    char subject[200], reply[200], id[64];
    natsMsg *message;
    snprintf(subject, sizeof subject, "%s.bench.durable._", space);
    snprintf(reply, sizeof reply, "%s.%ld", inbox, row);
    snprintf(id, sizeof id, "1x2y3z4a5b6c7-%ld", row);
    check(natsMsg_Create(&message, subject, reply, data, size), "message");
    natsMsgHeader_Set(message, "Nats-Msg-Id", id);
    natsMsgHeader_Set(message, "Tidings-Id", id);
    natsMsgHeader_Set(message, "Tidings-Origin", "1x2y3z4a5b6c7");
    natsMsgHeader_Set(message, "Tidings-Type", "bench.durable");
    natsMsgHeader_Set(message, "Tidings-Version", "1");
    natsMsgHeader_Set(message, "Tidings-Hops", "1");
    check(natsConnection_PublishMsg(connection, message), "publish");
    natsMsg_Destroy(message);
}

static long row_of(const char *subject) { return atol(strrchr(subject, '.') + 1); }

// Takes the acknowledgements that have arrived, or waits for one, and returns their number.
static long take_acknowledgements(natsSubscription *answers, long *next) {
    long count = 0;
    natsMsg *answer;
    uint64_t waiting = 1;
    while (waiting > 0) {
        check(natsSubscription_NextMsg(&answer, answers, 10000), "acknowledgement");
        if (strstr(natsMsg_GetData(answer), "\"seq\"") == NULL || row_of(natsMsg_GetSubject(answer)) != *next) {
            fprintf(stderr, "error: not in order: %s\n", natsMsg_GetData(answer));
            exit(1);
        }
        natsMsg_Destroy(answer);
        count += 1;
        *next += 1;
        check(natsSubscription_QueuedMsgs(answers, &waiting), "queue");
    }
    return count;
}

static natsSubscription *make_inbox(natsConnection *connection, char **inbox) {
    char pattern[200];
    natsSubscription *answers;
    check(natsInbox_Create(inbox), "inbox");
    snprintf(pattern, sizeof pattern, "%s.*", *inbox);
    check(natsConnection_SubscribeSync(&answers, connection, pattern), "subscribe");
    natsSubscription_SetPendingLimits(answers, -1, -1);
    return answers;
}

static void publish(natsConnection *connection, const char *space, long count, long window) {
    char *inbox;
    natsSubscription *answers = make_inbox(connection, &inbox);
    long sent = 0, next = 1;
    while (next <= count) {
        while (sent < count && sent - next + 1 < window) {
            sent += 1;
            send_row(connection, space, inbox, sent, body, sizeof body - 1);
        }
        take_acknowledgements(answers, &next);
    }
    natsSubscription_Destroy(answers);
    free(inbox);
}

// Fills an outbox with rows in the form of the bridge.
static sqlite3 *make_outbox(const char *path, long count) {
    sqlite3 *file;
    sqlite3_stmt *insert;
    check_sql(sqlite3_open(path, &file), file);
    check_sql(sqlite3_exec(file,
                           "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
                           "CREATE TABLE outbox (row INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL,"
                           "headers TEXT NOT NULL, body BLOB NOT NULL, size INTEGER NOT NULL); BEGIN",
                           NULL, NULL, NULL),
              file);
    check_sql(sqlite3_prepare_v2(file, "INSERT INTO outbox (subject, headers, body, size) VALUES (?, ?, ?, 300)",
                                 -1, &insert, NULL),
              file);
    for (long row = 0; row < count; row++) {
        sqlite3_bind_text(insert, 1, "space.bench.durable._", -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 2,
                          "Tidings-Origin: 1x2y3z4a5b6c7\nTidings-Type: bench.durable\n"
                          "Tidings-Version: 1\nTidings-Hops: 1\n",
                          -1, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 3, body, sizeof body - 1, SQLITE_STATIC);
        check_sql(sqlite3_step(insert), file);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    check_sql(sqlite3_exec(file, "COMMIT", NULL, NULL, NULL), file);
    return file;
}

static void drain(natsConnection *connection, const char *space, long count, long window, sqlite3 *file) {
    char *inbox;
    natsSubscription *answers = make_inbox(connection, &inbox);
    sqlite3_stmt *load, *remove;
    check_sql(sqlite3_prepare_v2(
                  file, "SELECT row, subject, headers, body FROM outbox WHERE row > ? ORDER BY row LIMIT ?", -1,
                  &load, NULL),
              file);
    check_sql(sqlite3_prepare_v2(file, "DELETE FROM outbox WHERE row >= ? AND row < ?", -1, &remove, NULL), file);
    long sent = 0, next = 1;
    while (next <= count) {
        if (sent < count && sent - next + 1 < window) {
            sqlite3_bind_int64(load, 1, sent);
            sqlite3_bind_int64(load, 2, window - (sent - next + 1));
            while (sqlite3_step(load) == SQLITE_ROW) {
                sent = sqlite3_column_int64(load, 0);
                send_row(connection, space, inbox, sent, sqlite3_column_blob(load, 3), sqlite3_column_bytes(load, 3));
            }
            check_sql(sqlite3_reset(load), file);
        }
        long first = next;
        take_acknowledgements(answers, &next);
        sqlite3_bind_int64(remove, 1, first);
        sqlite3_bind_int64(remove, 2, next);
        check_sql(sqlite3_step(remove), file);
        check_sql(sqlite3_reset(remove), file);
    }
    sqlite3_finalize(load);
    sqlite3_finalize(remove);
    natsSubscription_Destroy(answers);
    free(inbox);
}

// The consumer has the name of the process, because the server keeps the position of an earlier
// name.
static natsSubscription *make_reader(natsConnection *connection, const char *space, const char *policy, char **inbox) {
    char subject[300], text[400];
    natsSubscription *reader;
    check(natsInbox_Create(inbox), "inbox");
    check(natsConnection_SubscribeSync(&reader, connection, *inbox), "subscribe");
    natsSubscription_SetPendingLimits(reader, -1, -1);
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.CREATE.%s.baseline%d", space, getpid());
    snprintf(text, sizeof text,
             "{\"stream_name\":\"%s\",\"config\":{\"name\":\"baseline%d\",\"ack_policy\":\"none\",\"deliver_policy\":"
             "\"%s\",\"replay_policy\":\"instant\",\"mem_storage\":true,\"num_replicas\":1,"
             "\"inactive_threshold\":5000000000}}",
             space, getpid(), policy);
    request(connection, subject, text);
    return reader;
}

static void pull(natsConnection *connection, const char *space, const char *inbox, int batch) {
    char subject[300], text[200];
    snprintf(subject, sizeof subject, "$JS.API.CONSUMER.MSG.NEXT.%s.baseline%d", space, getpid());
    snprintf(text, sizeof text, "{\"batch\":%d,\"expires\":30000000000}", batch);
    check(natsConnection_PublishRequestString(connection, subject, inbox, text), "pull");
}

// Reads as the bridge does, with the sequence number of each message and a copy of body and
// headers.
static void read_all(natsConnection *connection, const char *space, long count, int batch) {
    char *inbox;
    natsSubscription *reader = make_reader(connection, space, "all", &inbox);
    pull(connection, space, inbox, batch);
    long left = batch, last = 0;
    while (last < count) {
        natsMsg *message;
        const char *id;
        check(natsSubscription_NextMsg(&message, reader, 10000), "message");
        const char *token = natsMsg_GetReply(message);
        if (token == NULL) {
            natsMsg_Destroy(message);
            continue;
        }
        for (int dots = 0; dots < 5; dots++) token = strchr(token, '.') + 1;
        long sequence = atol(token);
        check(natsMsgHeader_Get(message, "Tidings-Id", &id), "header");
        if (sequence != last + 1) {
            fprintf(stderr, "error: message %ld follows %ld\n", sequence, last);
            exit(1);
        }
        void *copy = malloc((size_t)natsMsg_GetDataLength(message));
        memcpy(copy, natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
        free(copy);
        last = sequence;
        natsMsg_Destroy(message);
        left -= 1;
        if (left == batch / 2) {
            pull(connection, space, inbox, batch);
            left += batch;
        }
    }
    natsSubscription_Destroy(reader);
    free(inbox);
}

static int by_value(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static double median_latency(const char *url, const char *space, long count) {
    char *inbox, *replies;
    natsConnection *sender = connect_to(url, true), *receiver = connect_to(url, true);
    make_stream(sender, space);
    natsSubscription *answers = make_inbox(sender, &replies);
    natsSubscription *reader = make_reader(receiver, space, "new", &inbox);
    double *times = malloc((size_t)count * sizeof *times);
    pull(receiver, space, inbox, 100);
    long left = 100, next = 1;
    for (long row = 1; row <= count; row++) {
        natsMsg *message;
        double begin = now();
        send_row(sender, space, replies, row, body, sizeof body - 1);
        do {
            check(natsSubscription_NextMsg(&message, reader, 10000), "message");
            if (natsMsg_GetReply(message) != NULL) break;
            natsMsg_Destroy(message);
        } while (true);
        times[row - 1] = now() - begin;
        natsMsg_Destroy(message);
        take_acknowledgements(answers, &next);
        left -= 1;
        if (left == 50) {
            pull(receiver, space, inbox, 100);
            left += 100;
        }
    }
    qsort(times, (size_t)count, sizeof *times, by_value);
    return times[count / 2] * 1e6;
}

int main(int count, char **words) {
    if (count < 5) {
        fprintf(stderr, "usage: baseline fill|drain|publish|read|latency URL SPACE COUNT [NUMBER [FILE]]\n");
        return 64;
    }
    const char *mode = words[1], *url = words[2], *space = words[3];
    long messages = atol(words[4]);
    int number = count > 5 ? atoi(words[5]) : 1024;
    if (strcmp(mode, "latency") == 0) {
        printf("%f\n", median_latency(url, space, messages));
        return 0;
    }
    sqlite3 *file = strcmp(mode, "drain") == 0 && count > 6 ? make_outbox(words[6], messages) : NULL;
    double begin = now();
    natsConnection *connection = connect_to(url, false);
    if (strcmp(mode, "read") == 0) {
        read_all(connection, space, messages, number);
    } else {
        make_stream(connection, space);
        if (file != NULL)
            drain(connection, space, messages, number, file);
        else
            publish(connection, space, messages, number);
    }
    printf("%f\n", now() - begin);
    natsConnection_Destroy(connection);
    if (file != NULL) sqlite3_close(file);
    return 0;
}
