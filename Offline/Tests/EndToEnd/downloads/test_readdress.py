# SPDX-License-Identifier: Apache-2.0
"""A new address in place of an expired one (O14 and O23)."""

import os
import signal

from harness.server import Server

KEPT = 60_000


def expire(samples, origin, path="/old.mp4"):
    origin.serve({path: [{"file": str(samples.film), "cut": KEPT, "etag": '"v1"'},
                         {"status": 403, "text": "expired"}]})


def test_o23_a_command_replaces_an_expired_address(samples, program, origin, origins):
    expire(samples, origin)
    failed = program.get(origin.url("/old.mp4"), "--header", "X-Token: secret")
    assert failed.code == 1 and "403" in failed.err
    other = origins.another()
    other.serve({"/new/film.mp4": {"file": str(samples.film), "etag": '"v1"'}})
    result = program.run("retry", "1", "--address", other.url("/new/film.mp4"))
    assert result.code == 0, result.err
    done = program.get(other.url("/new/film.mp4"))
    assert done.code == 0, done.err
    assert program.media().read_bytes() == samples.film.read_bytes()
    log = other.settled_log()
    assert [entry["range"] for entry in log] == [f"bytes={KEPT}-"]
    assert "X-Token" not in log[0]["headers"]
    assert "not sent to the new one" in program.item()["note"]
    other.close()


def test_o23_a_new_address_survives_a_kill_of_the_server(samples, program, origin):
    expire(samples, origin)
    origin.serve({"/new.mp4": {"file": str(samples.film), "etag": '"v1"', "gate": "head"},
                  "/taken.mp4": {"file": str(samples.film)}})
    server = Server(program)
    number = server.download(origin.url("/old.mp4"))["id"]
    server.wait_for_items(lambda items: items[number]["state"] == "failed")
    taken = server.download(origin.url("/taken.mp4"))["id"]
    path = f"/api/items/{number}/retry"
    status, _, body = server.request("POST", path, {"address": origin.url("/taken.mp4")})
    assert (status, b"addressInUse" in body) == (409, True)
    for address in ("file:///etc/passwd", "", "ftp://example.org/a"):
        assert server.request("POST", path, {"address": address})[0] == 400
    item = server.call("POST", path, {"address": origin.url("/new.mp4")})
    assert (item["id"], item["address"]) == (number, origin.url("/new.mp4"))
    origin.wait_at_gate("head")
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    origin.open_gate("head")
    server.start()
    items = server.wait_for_items(
        lambda items: all(items[each]["state"] == "ready" for each in (number, taken)))
    assert items[number].get("note") is None
    assert program.media(items[number]).read_bytes() == samples.film.read_bytes()
