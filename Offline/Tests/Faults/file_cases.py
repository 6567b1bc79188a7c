# SPDX-License-Identifier: Apache-2.0
"""Faults of servers that serve one file."""

from cases import Case

SIZE = 3_000_000
HALF = SIZE // 2


def file_cases(first, second):
    """Returns the cases of two versions of a file that have the same size."""
    right = first.read_bytes()
    whole = {"file": str(first)}
    newer = {"file": str(second)}
    gate = {"gate": "half", "gateAfter": HALF}

    def case(name, *routes, right=right, **more):
        return Case(name, "/data.bin", {"/data.bin": list(routes)}, right, **more)

    def resumed(name, first_route, then, right=right, resumes=True):
        return case(name, {**first_route, **gate}, killed_at="half", right=right, part=SIZE // 6,
                    resumes=resumes, later={"/data.bin": then})

    nothing = {"right": None}
    return [
        case("no fault", whole),
        case("cut once", {**whole, "cut": HALF}, whole),
        case("cut always", {**whole, "cut": HALF, "ranges": "ignore"}, **nothing),
        case("cut once, chunked", {**whole, "cut": HALF, "framing": "chunked"}, whole),
        case("cut always, chunked",
             {**whole, "cut": HALF, "framing": "chunked", "ranges": "ignore"}, **nothing),
        case("reset once", {**whole, "cut": HALF, "reset": True}, whole),
        case("announces more than it sends", {**whole, "announce": SIZE + 10, "close": True,
                                             "ranges": "ignore"},
             **nothing),
        case("404 after a cut", {**whole, "cut": HALF}, {"status": 404, "text": "gone"}, **nothing),
        case("page of the status 404", {"status": 404, "text": "<p>not here"}, **nothing),
        case("503 once", {"status": 503, "headers": {"Retry-After": "1"}, "text": "later"}, whole),
        case("429 once", {"status": 429, "headers": {"Retry-After": "1"}, "text": "later"}, whole),
        case("redirect to itself", {"redirect": "/data.bin"}, **nothing),
        case("no response", {"raw": ""}, **nothing),
        case("response that is no HTTP", {"raw": "hello\r\n\r\n" + "x" * 2_000}, **nothing),
        resumed("resumed", whole, whole),
        resumed("resumed, newer version", whole, newer, right=second.read_bytes()),
        resumed("resumed, newer version, weak validator", {**whole, "etag": 'W/"1"'},
                {**newer, "etag": 'W/"2"'}, right=second.read_bytes(), resumes=False),
        resumed("resumed, newer version, no validator", {**whole, "etag": None},
                {**newer, "etag": None}, right=second.read_bytes(), resumes=False),
        resumed("resumed, range ignored", whole, {**whole, "ranges": "ignore"}),
        resumed("resumed, other range sent", whole,
                [{**whole, "ranges": "wrong"}, {**whole, "ranges": "wrong"}, whole]),
        resumed("resumed, range refused", whole, {**whole, "ranges": "refuse"}),
        resumed("resumed, now a page", whole, {"text": "<p>log in", "type": "text/html"},
                right=None),
    ]
