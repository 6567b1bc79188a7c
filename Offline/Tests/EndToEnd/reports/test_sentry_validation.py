# SPDX-License-Identifier: Apache-2.0
"""Sent reports, validated by Sentry Relay and by Bugsink's parser and schema.

A report passes if Relay neither refuses nor truncates anything.
"""

import base64
import os
import time

from harness import reports, sentry

REPORTS = int(os.environ.get("OFFLINE_REPORTS") or 60)


def test_a_crash_is_sent_completely():
    [event] = sentry.events_of([reports.crash()])
    assert event["event_id"] == f"5e0f000000004000800{2:013x}"
    assert (event["platform"], event["level"]) == ("native", "fatal")
    assert (event["release"], event["environment"]) == ("films@1.4.0", "production")
    assert event["user"] == {"id": "u-17"}
    [value] = event["exception"]["values"]
    assert (value["type"], value["value"]) == ("SIGSEGV", "Bad pointer dereference")
    assert value["mechanism"]["handled"] is False and value["mechanism"]["synthetic"] is True
    assert value["mechanism"]["meta"]["signal"] == {"number": 11, "code": 1, "name": "SIGSEGV"}
    assert [frame.get("function") for frame in value["stacktrace"]["frames"]] == [
        "__libc_start_main", "Library.open()", "load(_:)"]
    assert value["stacktrace"]["registers"] == {"rip": "0x1010", "rsp": "0x7fffffffe000"}
    [image] = event["debug_meta"]["images"]
    assert image["code_id"] == reports.BUILD
    assert image["debug_id"] == "33221100-5544-7766-8899-aabbccddeeff"
    assert event["threads"]["values"] == [
        {"id": 4711, "name": "films", "crashed": True, "current": True}]
    assert value["thread_id"] == 4711
    assert event["tags"] == {"queue": "3", "mode": "offline", "is_idle": "false", "load": "0.25"}
    assert [crumb["message"] for crumb in event["breadcrumbs"]["values"]] == ["begun", "FilmOpened 7"]
    assert event["contexts"]["os"] == {
        "name": "Debian GNU/Linux", "version": "12", "kernel_version": "6.1.0-30-amd64"}


def test_the_message_of_the_runtime_is_the_title():
    [event] = sentry.events_of([reports.crash(reason="Fatal error: Index out of range")])
    [value] = event["exception"]["values"]
    assert (value["type"], value["value"]) == ("Fatal error", "Index out of range")
    assert value["mechanism"]["synthetic"] is False


def test_a_report_of_the_spool_is_sent_unchanged():
    report = reports.crash()
    report["date"] = time.strftime("%Y-%m-%dT%H:%M:%S.250Z", time.gmtime(time.time() - 60))
    for breadcrumb in report["breadcrumbs"]:
        breadcrumb["date"] = report["date"]
    [event] = sentry.events_of([report])
    assert event["timestamp"] % 1 == 0.25
    assert event["breadcrumbs"]["values"][0]["timestamp"] == event["timestamp"]


def test_the_first_cause_comes_first():
    chain = [
        {"domain": "Films.LoadError", "code": "refused", "message": "outer", "location": "Films/A.swift:1"},
        {"domain": "NSPOSIXErrorDomain", "code": "111", "message": "inner"},
    ]
    [event] = sentry.events_of([reports.report(errors=chain, **reports.stack())])
    values = event["exception"]["values"]
    assert [value["type"] for value in values] == ["NSPOSIXErrorDomain (111)", "Films.LoadError.refused"]
    assert ["stacktrace" in value for value in values] == [False, True]


def test_hostile_texts_in_every_member():
    made = reports.hostile()
    events = sentry.events_of(made)
    # Different reports have different identifiers.
    assert len({event["event_id"] for event in events}) == len({report["id"] for report in made})


def test_hostile_numbers_and_dates():
    made = []
    for number in reports.NUMBERS:
        made.append(reports.report(
            len(made), context={"number": number}, values={"number": number}))
    for date in reports.DATES:
        made.append(reports.report(
            len(made), date=date, breadcrumbs=[{"date": date, "origin": "log", "text": "x"}]))
    for address in (0, 2**63, 2**64 - 1):
        wild = reports.frame(address, line=-1)
        image = {"path": "", "buildID": "ab" * 3, "start": address, "end": 0}
        made.append(reports.report(len(made), frames=[wild], images=[image]))
    for number in (0, -1, 2**31 - 1, -(2**31)):
        made.append(reports.crash(len(made), number=number, code=number, thread=number, sender=number))
    for build in ("", "0" * 40, "zz", "abc", "AB" * 20, "ab" * 200):
        images = [{"path": "/a", "buildID": build, "start": 1, "end": 2}]
        made.append(reports.report(len(made), images=images, frames=[reports.frame(1)]))
    sentry.events_of(made)


def test_dates_that_servers_refuse_are_sent_as_extra_data():
    now = time.time()
    old, new, near = sentry.events_of([
        reports.report(1, date=now - 60 * 86_400), reports.report(2, date=now + 7_200),
        reports.report(3, date=now - 86_400)])
    for event in (old, new):
        assert now - 1 <= event["timestamp"] <= time.time() + 1
        assert event["extra"]["recorded_at"].startswith("20")
    assert abs(near["timestamp"] - (now - 86_400)) < 0.01 and "extra" not in near


def test_large_reports_are_truncated_to_the_limits_of_servers():
    emoji = "😀\\\"\n" * 2_100
    much = reports.crash(
        text=emoji, reason=emoji, threadName=emoji,
        registers={f"r{i}{emoji[:i]}": i for i in range(500)})
    much.update(
        frames=[reports.frame(0x1000 + i, function=f"{i}{emoji}", file=emoji, image=emoji)
                for i in range(600)],
        images=[{"path": emoji, "buildID": f"{i:040x}", "start": i * 16, "end": i * 16 + 16}
                for i in range(600)],
        breadcrumbs=[{"date": 1.7e9, "origin": "log", "text": emoji, "location": emoji}] * 150,
        values={f"k{i}": emoji for i in range(100)}, context={f"c{i}": emoji for i in range(100)},
        grouping=[emoji] * 50)
    many = reports.report(
        9, errors=[{"domain": emoji, "code": emoji, "message": emoji, "location": emoji}] * 40,
        values={f"v{i}": i for i in range(1_000)})
    first, second = sentry.events_of([much, many])
    assert len(first["exception"]["values"][0]["stacktrace"]["frames"]) >= 100
    assert len(second["tags"]) <= 100


def test_extra_data_stays_within_the_limit_of_relay():
    context = {f"c{number}": "x" * 16_000 for number in range(40)}
    [event] = sentry.events_of([reports.report(context=context)])
    assert 10 <= len(event["extra"]) < 40


def test_random_reports(rng):
    sentry.events_of(reports.random_reports(rng, REPORTS))


def test_breadcrumbs_tags_attachments_and_comments_are_valid():
    hostile = "\0\u2028😀\"\\\n" * 40
    crumb = {"date": time.time() - 5, "category": "mux", "level": "warning", "text": "begun",
             "data": {"segments": 12, "name": hostile, hostile: 0.5}, "location": "A/B.swift:1"}
    report = reports.report(
        1, breadcrumbs=[crumb, {**crumb, "category": hostile}], dist="4 17/" + "9" * 80,
        serverName=hostile, attachments={
            "films.log": base64.b64encode(b"opened\nclosed\n").decode(), hostile: "AAH/",
            "empty": ""})
    other = reports.report(2)["id"]
    first, second, last = sentry.envelopes_of([{
        "report": report, "comments": {report["id"]: hostile, other: "It was slow."},
        "losses": [{"reason": "sampled", "category": "error", "quantity": 2}]}])
    header, items = first
    assert [head["type"] for head, _, _ in items] == ["event"] + ["attachment"] * 3 + ["user_report"]
    sentry.validate_event(items[0][1], report)
    assert items[0][1]["breadcrumbs"]["values"][0]["data"]["segments"] == 12
    files = {head["filename"]: content for head, content, _ in items[1:4]}
    assert files["films.log"] == b"opened\nclosed\n" and files["empty"] == b""
    assert b"\0\1\xff" in files.values()
    assert items[4][1]["event_id"] == header["event_id"]
    assert second[0]["event_id"] == second[1][0][1]["event_id"] == other.replace("-", "")
    assert second[1][0][1]["comments"] == "It was slow."
    assert [head["type"] for head, _, _ in last[1]] == ["client_report"]


def test_sessions_and_loss_counts_are_valid():
    sessions = [reports.session(number) for number in range(250)]
    losses = [{"reason": reason, "category": "error", "quantity": 2}
              for reason in ("spoolFull", "queueFull", "diskFailed", "beforeSend", "sampled",
                             "refused", "unreadable")]
    losses.append({"reason": "refused", "category": "session", "quantity": 0})
    envelopes = sentry.envelopes_of([
        {"report": reports.report(), "sessions": sessions, "losses": losses},
        {"losses": losses}, {"sessions": sessions[:1]}, {},
    ])
    assert [len(items) for _, items in envelopes] == [101, 100, 51, 1, 1]
    assert [header.get("event_id") is not None for header, _ in envelopes] == [True] + [False] * 4
    update = envelopes[4][1][0][1]
    assert update["sid"] == sessions[0]["id"] and update["attrs"] == {"release": "films@1.4.0"}
    assert (update["status"], update["init"], update["seq"], update["errors"]) == ("ok", True, 0, 0)
    report = envelopes[3][1][0][1]
    assert {entry["reason"]: entry["quantity"] for entry in report["discarded_events"]} == {
        "cache_overflow": 2, "queue_overflow": 2, "internal_sdk_error": 4, "before_send": 2,
        "sample_rate": 2, "send_error": 2}
    statuses = [items[0][1]["status"] for _, items in sentry.envelopes_of(
        [{"sessions": [reports.session(1, status=status)]}
         for status in ("running", "ended", "crashed", "vanished")])]
    assert statuses == ["ok", "exited", "crashed", "abnormal"]
