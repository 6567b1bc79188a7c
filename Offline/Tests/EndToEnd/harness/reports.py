# SPDX-License-Identifier: Apache-2.0
"""Ordinary and hostile reports, in the JSON format of TidingsSendReports."""

import random
import time

def hostile_texts(length):
    """Strings that break parsers, and strings longer than a limit of this many code points."""
    return [
        "", " ", "\n", "a\nb", "a\r\nb\r", "\0", "a\0b", "\x1b[31mred\x7f", "\u2028\u2029\u0085", "\ufeff",
        "\ufffd\ufffe\uffff", "a/b\\c", "..", ".", "latest", "none", "None", "null", "{{ default }}",
        "@", "a@", "@a", "a@b@c", '"quoted" \\ {"json": [1]}', "</script>", "😀" * (length + 600),
        "👨‍👩‍👧‍👦" * (length // 7 + 100), "é" * (length + 600), "z" + "\u0301" * (length + 600), "\u202eright to left",
        "%s%n%p", "=?,;:", "x" * (length + 3_000), f"{'x' * length}\n{'x' * length}", "名前" * (length // 2 + 600)]


# This length exceeds every limit.
HOSTILE = hostile_texts(16_384)
NUMBERS = [0, -1, 2**31, 2**53, 2**63 - 1, -(2**63), 1e300, 5e-324, -0.0, 0.1, "<nan>", "<inf>", "<-inf>"]
DATES = [0, -1, -1e18, 1e18, 1e300, -6e10, "<nan>", "<inf>", "<-inf>", 2**31, 4e9]


def report(number=1, **members):
    """A report of an error with only the required members."""
    return {
        "id": f"5e0f0000-0000-4000-8000-{number:012x}", "date": time.time() - 5, "level": "error",
        "application": "films", "release": "films@1.4.0",
        "errors": [{"domain": "Films.LoadError", "code": "notFound", "message": "There is no film."}],
        "context": {}, "values": {}, "breadcrumbs": [], **members,
    }


BUILD = "00112233445566778899aabbccddeeff01234567"


def frame(address, **members):
    return {"address": address, "kind": "call", "isInlined": False, "isSystem": False, **members}


def stack():
    return {
        "frames": [
            frame(0x1010, kind="counter", function="load(_:)", file="~/films/Sources/Films/Load.swift",
                  line=12, image="films"),
            frame(0x1010, function="Library.open()", file="~/films/Sources/Films/Library.swift",
                  line=80, image="films", isInlined=True),
            frame(0x7F0000001234, function="__libc_start_main", image="libc.so.6", isSystem=True),
        ],
        "images": [
            {"path": "/usr/bin/films", "buildID": BUILD, "start": 0x1000, "end": 0x9000},
            {"path": "/lib/x86_64-linux-gnu/libc.so.6", "start": 0x7F0000000000,
             "end": 0x7F0000100000},
        ],
    }


def crash(identity=2, **members):
    """A report of a crash with all members."""
    now = time.time()
    details = {
        "signal": "SIGSEGV", "number": 11, "code": 1, "address": 0x10, "threadName": "films",
        "thread": 4711, "registers": {"rip": 0x1010, "rsp": 0x7FFFFFFFE000},
        "isTruncated": False, "isRecovered": False, **members,
    }
    return report(
        identity, level="fatal", errors=[], crash=details, environment="production", user="u-17",
        context={}, values={"queue": 3, "mode": "offline", "is_idle": False, "load": 0.25},
        breadcrumbs=[
            {"date": now - 9, "origin": "log", "text": "begun"},
            {"date": now - 6, "origin": "message", "text": "FilmOpened 7",
             "location": "Films/Library.swift:78"},
        ],
        machine={"system": "Debian GNU/Linux 12", "kernel": "6.1.0-30-amd64",
                 "architecture": "x86_64", "locale": "en_US"},
        session="5e0f1111-0000-4000-8000-000000000001", **stack())


def session(number, status="running"):
    return {
        "id": f"5e0f2222-0000-4000-8000-{number:012x}", "isFirst": True, "sequence": 0,
        "status": status, "started": 1.7e9, "date": 1.7e9 + 60, "errors": 0, "release": "films@1.4.0",
    }


def hostile():
    """Returns reports with each hostile string in each member."""
    made = []
    for place, limit in [
            (_set_release, 256), (_set_environment, 256), (_set_user, 256), (_set_key, 256), (_set_value, 256),
            (_set_context, 16_384), (_set_error, 8_192), (_set_frame, 512), (_set_crash, 8_192),
            (_set_breadcrumb, 4_096), (_set_machine, 256), (_set_grouping, 256), (_set_id, 256), (_set_image, 256)]:
        for text in hostile_texts(limit):
            made.append(crash(len(made)))
            place(made[-1], text)
    return made


def random_reports(rng, count):
    """Returns random reports that the generator can reproduce."""
    return [_random_report(rng, number) for number in range(count)]


def _set_release(report, text):
    report["release"] = text


def _set_environment(report, text):
    report["environment"] = text


def _set_user(report, text):
    report["user"] = text


def _set_key(report, text):
    report["values"] = {text: 1, text + "2": text}
    report["context"] = {text: text}


def _set_value(report, text):
    report["values"] = {"key": text}


def _set_context(report, text):
    report["context"] = {"name": text}
    report["values"] = {"name": text + " "}


def _set_error(report, text):
    report["errors"] = [
        {"domain": text, "code": text, "message": text, "location": text},
        {"domain": text, "message": text}]
    if len(text) % 2:
        del report["crash"]


def _set_frame(report, text):
    report["frames"] = [
        frame(0x1010, function=text, file=text, image=text, kind=kind)
        for kind in ("counter", "call", "resumption", "scanned")]


def _set_crash(report, text):
    report["crash"].update(signal=text, reason=text, text=text, threadName=text, registers={text: 1})


def _set_breadcrumb(report, text):
    report["breadcrumbs"] = [{"date": 1.7e9, "origin": "log", "text": text, "location": text}]


def _set_machine(report, text):
    report["machine"] = {"system": text, "kernel": text, "architecture": text, "locale": text}
    report["application"] = report["session"] = text


def _set_grouping(report, text):
    report["grouping"] = [text, text]


def _set_id(report, text):
    report["id"] = text


def _set_image(report, text):
    report["images"] = [{"path": text, "buildID": text[:64], "start": 0x1000, "end": 0x2000},
                        {"path": text, "buildID": BUILD, "start": 0x1000, "end": 0x2000}]


def _random_report(rng, number):
    def text():
        return rng.choice(HOSTILE)[:rng.choice([5, 300, 20_000])] + rng.choice(["", "a", "\n", "b c"])

    def some(make, most=4):
        return [make() for _ in range(rng.randrange(most))]

    def value():
        return rng.choice([text, lambda: rng.choice(NUMBERS), lambda: rng.random() < 0.5])()

    made = rng.choice([report, crash])(number)
    made.update(
        level=rng.choice(["info", "warning", "error", "fatal"]), release=text(), environment=text(),
        user=text(), application=text(),
        errors=[{"domain": text(), "code": text(), "message": text()} for _ in some(text)],
        context={text(): value() for _ in some(text, 9)}, values={text(): value() for _ in some(text, 9)},
        breadcrumbs=[{"date": rng.choice(DATES), "origin": "message", "text": text()}
                     for _ in some(text, 9)],
        frames=[frame(rng.getrandbits(64), function=text(), file=text()) for _ in some(text, 9)],
        grouping=some(text), session=text(), date=rng.choice(DATES))
    return made
