# SPDX-License-Identifier: Apache-2.0
"""`offline serve` as a process: kills, signals, foreign requests and attacks."""

import http.client
import json
import os
import signal
import socket
import stat

import pytest

from harness import media, registry
from harness.kills import stored_bytes
from harness.origin import PAUSES, pausing_routes
from harness.program import finish
from harness.server import Events, Server
from harness.waiting import wait_until

ROUNDS = max(4, int(os.environ.get("OFFLINE_KILLS") or 20) // 5)


@pytest.fixture
def server(program):
    return Server(program)


def slow_routes(samples):
    names = [path.name for path in samples.stream.glob("part*.ts")]
    return {"/s/": {"directory": str(samples.stream)},
            **{f"/s/{name}": {"throttle": 300_000} for name in names},
            "/data": {"file": str(samples.file), "throttle": 2_500_000, "gate": "end", "gateAfter": 3_900_000}}


def fast_routes(samples):
    names = [path.name for path in samples.stream.glob("part*.ts")]
    return {"/s/": {"directory": str(samples.stream)}, **{f"/s/{name}": {} for name in names},
            "/data": {"file": str(samples.file)}}


@pytest.mark.timeout(1800 + ROUNDS * 60)
def test_o3_a_killed_server_resumes_its_downloads_after_a_restart(samples, programs, origins, rng):
    # The first 2.5 megabytes of the file arrive before the last bytes are released.
    certain = sum(path.stat().st_size for path in samples.stream.glob("part*.ts")) // 2 + 2_500_000
    for number in range(ROUNDS):
        program, origin = programs(f"round{number}"), origins.another()
        origin.serve(slow_routes(samples))
        server = Server(program)
        stream = server.download(origin.url("/s/stream.m3u8"))["id"]
        file = server.download(origin.url("/data"))["id"]
        # The bytes on disk determine the moment at any speed of the machine.
        wanted = rng.uniform(0, 1) * certain
        wait_until(lambda: stored_bytes(program) >= wanted or server.process.poll() is not None,
                   program.root, f"fewer than {wanted} bytes are on disk", process=server.process)
        assert server.process.poll() is None, f"the server ended by itself: {server.rest()}"
        server.kill()
        left = {id: registry.snapshot(program.library, id) for id in (stream, file)}
        origin.open_gate("end")
        assert left[file].is_unfinished, "the file ended although its end was held"
        begun = origin.newest_connection()
        origin.serve(fast_routes(samples))
        port = server.port
        server.start()
        assert server.port == port
        server.wait_for_items(lambda items: all(i["state"] == "ready" for i in items.values()))
        asked = origin.fetched(after=begun)
        assert not {origin.url(entry["path"]) for entry in asked} & left[stream].done
        if left[file].state == "ready":
            assert "/data" not in {entry["path"] for entry in asked}
        elif 0 < left[file].partial < samples.file.stat().st_size and not left[file].file_name:
            ranges = [entry["range"] for entry in asked if entry["path"] == "/data"]
            assert ranges == [f"bytes={left[file].partial}-"]
        items = {item["id"]: item for item in program.items()}
        assert program.media(items[file]).read_bytes() == samples.file.read_bytes()
        hashes = media.frame_hashes(program.media(items[stream]))
        assert media.picture_count(hashes) == media.FRAMES
        server.kill()
        origin.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_o17_a_stopped_server_keeps_the_data_and_says_how_to_continue(
        number, server, program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "middle", "gateAfter": 2_000_000}})
    server.download(origin.url("/data"))
    origin.wait_at_gate("middle")
    server.wait_for_items(lambda items: items[1].get("receivedBytes", 0) > 1_000_000)
    server.process.send_signal(number)
    result = finish(server.process)
    assert result.code == 0
    assert "kept" in result.err and "offline serve" in result.err
    assert not (program.data / "server.json").exists()
    left = registry.snapshot(program.library)
    assert left.state == "queued" and left.partial > 1_000_000
    origin.open_gate("middle")
    assert program.get(origin.url("/data")).code == 0
    assert origin.settled_log()[1]["range"] == f"bytes={left.partial}-"
    assert program.media().read_bytes() == samples.file.read_bytes()


def test_o17_commands_use_the_running_server(server, program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "go"},
                  "/film.mp4": {"file": str(samples.film)}})
    mode = (program.data / "server.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    queued = program.run("get", origin.url("/data"), "--allow-private")
    assert queued.code == 0 and "The running server downloads it" in queued.err
    origin.wait_at_gate("go")
    watcher = program.start_get(origin.url("/data"))
    film = program.get(origin.url("/film.mp4"))
    assert film.code == 0 and film.out.strip().endswith("/film.mp4")
    assert [item["state"] for item in program.items()] == ["ready", "fetching"] \
        or program.items()[1]["state"] == "queued"
    origin.open_gate("go")
    done = finish(watcher)
    assert done.code == 0 and done.out.strip().endswith("/data.bin")
    assert "Compared 2 items." in program.run("refresh").out
    assert program.run("remove", "1", "--with-file").code == 0
    assert [item["id"] for item in server.items()] == [2]
    second = program.run("serve", "--no-browser")
    assert second.code == 0 and second.out.strip() == server.address


def test_o17_a_port_in_use_is_an_error(server, programs):
    other = programs("other").run("serve", "--no-browser", "--port", server.port)
    assert other.code == 1 and str(server.port) in other.err


def test_port_0_is_any_free_port(program):
    server = Server(program, port=0)
    assert server.port > 0
    assert server.items() == []


def test_a_client_that_reads_nothing_blocks_no_other(server, origin, samples):
    origin.serve({"/data": {"file": str(samples.film)}})
    server.download(origin.url("/data"))
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
    head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n\r\n"
    for number, connection in enumerate(idle):
        path = "/api/events" if number % 2 else "/media/1"
        connection.sendall(f"GET {path} HTTP/1.1\r\n{head}".encode())
    status, headers, body = server.request("GET", "/media/1", headers={"Range": "bytes=100-199"})
    assert (status, len(body)) == (206, 100)
    size = samples.film.stat().st_size
    assert headers["Content-Range"] == f"bytes 100-199/{size}"
    assert body == samples.film.read_bytes()[100:200]
    for connection in idle:
        connection.close()


def test_events_report_all_states_of_a_download(server, origin, samples):
    origin.serve(pausing_routes(samples))
    with Events(server) as events:
        stream = iter(events)
        assert next(stream)[0] == "hello"
        assert next(stream) == ("preferences", {"notifications": "unknown"})
        assert next(stream) == ("items", {"counts": {}, "items": []})
        server.download(origin.url("/s/stream.m3u8"))
        states, fractions = [], []
        for _ in stream:
            item = (events.items or {}).get(1)
            if not item:
                continue
            if not states or states[-1] != item["state"]:
                states.append(item["state"])
            if item["state"] == "fetching" and "fraction" in item:
                fractions.append(item["fraction"])
                for gate in PAUSES:
                    if item["doneSegments"] >= gate:
                        origin.open_gate(str(gate))
            if item["state"] == "ready":
                break
    order = ["queued", "fetching", "fetchingPlaylist", "fetching", "muxing", "verifying", "ready"]
    # A client may miss a short state, but sees no state in another order.
    following = iter(order)
    assert all(state in following for state in states), states
    assert states[-1] == "ready" and "fetching" in states
    assert fractions == sorted(fractions) and len(set(fractions)) >= 3


PATHS = ["/", "/api/items", "/api/events", "/media/1", "/pictures/1", "/app.js", "/nothing"]


def refusals(server):
    port = server.port
    token = {"Authorization": f"Bearer {server.token}"}
    cookie = {"Cookie": f"offline_token_{port}={server.token}"}
    return {
        "wrong host": (token, {"Host": f"evil.example:{port}"}, "wrongHost"),
        "rebound host": (cookie, {"Host": "localhost.evil.example"}, "wrongHost"),
        "host without port": (token, {"Host": "127.0.0.1"}, "wrongHost"),
        "foreign origin": (token, {"Origin": "http://evil.example"}, "foreignOrigin"),
        "null origin": (cookie, {"Origin": "null"}, "foreignOrigin"),
        "other port": (cookie, {"Origin": "http://127.0.0.1:1"}, "foreignOrigin"),
        "cross-site": (cookie, {"Sec-Fetch-Site": "cross-site"}, "foreignOrigin"),
        "no token": ({}, {}, "noToken"),
        "wrong token": ({"Authorization": "Bearer 0123456789abcdef0123456789abcdef"}, {},
                        "wrongToken"),
        "wrong cookie": ({"Cookie": f"offline_token_{port}=0123456789abcdef"}, {}, "wrongToken"),
    }


def test_o15_a_refused_request_reads_and_changes_nothing(server, program, origin, samples):
    origin.serve({"/data": {"file": str(samples.film)}})
    server.download(origin.url("/data"))
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    for name, (credential, headers, code) in refusals(server).items():
        for path in PATHS:
            status, _, body = server.request("GET", path, headers={**credential, **headers},
                                             bearer=False)
            assert status == 403, (name, path, status)
            assert json.loads(body)["error"]["code"] == code, (name, path, body)
        for method, path in [("POST", "/api/downloads"), ("POST", "/api/sample"),
                             ("POST", "/api/refresh"), ("DELETE", "/api/items/1?withFile=true")]:
            body = {"url": origin.url("/more"), "removeMissing": True}
            status, _, answer = server.request(method, path, body, {**credential, **headers},
                                               bearer=False)
            assert status == 403, (name, method, path, status, answer)
    assert [item["id"] for item in server.items()] == [1]
    assert program.media(server.item(1)).exists()
    assert [entry["path"] for entry in origin.settled_log()] == ["/data"]


def test_o15_a_form_of_another_page_changes_nothing(server):
    cookie = {"Cookie": f"offline_token_{server.port}={server.token}"}
    body = '{"url": "http://127.0.0.1:9/a"}'
    # The cookie alone, which an old browser would send, does not permit a write.
    status, _, _ = server.request("POST", "/api/downloads", body, cookie, bearer=False)
    assert status == 403
    same = {**cookie, "Origin": server.origin}
    for type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        status, _, _ = server.request("POST", "/api/downloads", body,
                                      {**same, "Content-Type": type}, bearer=False)
        assert status == 415, type
    assert server.items() == []


def test_o15_the_token_becomes_a_cookie_and_leaves_the_address(server):
    status, headers, _ = server.request("GET", f"/?token={server.token}", bearer=False)
    assert (status, headers["Location"]) == (303, "/")
    cookie = headers["Set-Cookie"]
    for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
        assert part in cookie
    status, headers, page = server.request(
        "GET", "/", headers={"Cookie": cookie.split(";")[0]}, bearer=False)
    assert status == 200 and server.token.encode() not in page
    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy or "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    status, _, page = server.request("GET", "/add?url=http://a.example/x", bearer=False,
                                     headers={"Sec-Fetch-Site": "cross-site",
                                              "Sec-Fetch-Mode": "navigate",
                                              "Sec-Fetch-Dest": "document"})
    assert status == 200 and b"refresh" in page and b"script" not in page
    assert server.items() == []


@pytest.mark.parametrize("path", [
    "/media/../registry.sqlite", "/media/..%2fregistry.sqlite", "/..%2f..%2fetc/passwd",
    "/sample/..%2f..%2fserver.json", "/pictures/%2e%2e", "/media/1%00", "//etc/passwd",
    "/media/-1", "/media/99999999999999999999", "/%", "/media/1/../../lock",
])
def test_no_path_leaves_the_library(path, server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
        connection.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                            f"Authorization: Bearer {server.token}\r\n"
                            "Connection: close\r\n\r\n").encode())
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
    assert answer.status in (400, 404), (answer.status, body)
    assert b"SQLite" not in body and b"root:" not in body and server.token.encode() not in body


def test_requests_that_are_not_http_do_no_harm(server):
    attacks = [b"\0" * 4096, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000, b"A" * 300_000,
               b"POST /api/downloads HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
               b"POST /api/downloads HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
               b"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{"
               % (server.port, server.token.encode())]
    for attack in attacks:
        with socket.create_connection(("127.0.0.1", server.port), timeout=120) as connection:
            try:
                connection.sendall(attack)
            except OSError:
                pass  # The server may close the connection.
            assert server.items() == []
    for body in ("", "[]", "{", "null", '{"url": 5}', '{"url": ""}', '"' + "a" * 100_000 + '"'):
        status, _, answer = server.request("POST", "/api/downloads", body)
        assert status in (400, 413), (status, body[:20])
        assert json.loads(answer)["error"]["message"]
    assert server.items() == []


def test_the_server_never_downloads_from_itself(server):
    item = server.download(f"{server.origin}/api/items")
    items = server.wait_for_items(lambda items: items[item["id"]]["state"] == "failed")
    assert items[item["id"]]["error"]["code"] == "refused"


def test_the_sample_stream_plays_without_a_network(server, program):
    item = server.call("POST", "/api/sample", {})
    server.wait_for_items(lambda items: items[item["id"]]["state"] == "ready")
    hashes = media.frame_hashes(program.media())
    assert media.picture_count(hashes) > 100
    assert 20 < program.item()["duration"] < 30
    status, headers, _ = server.request("GET", f"/media/{item['id']}", headers={"Range": "bytes=0-0"})
    assert (status, headers["Content-Type"]) == (206, "video/mp4")
    status, headers, picture = server.request("GET", f"/pictures/{item['id']}")
    assert status == 200 and picture.startswith(b"\xff\xd8")
