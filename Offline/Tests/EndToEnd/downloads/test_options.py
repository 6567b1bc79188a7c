# SPDX-License-Identifier: Apache-2.0
"""Headers, cookies, referrer, proxy and checksum of an item, and their absence elsewhere."""

import base64
import hashlib
import http.client
import json
import sqlite3

import pytest

from harness import media
from harness.program import finish, kill
from harness.proxy import Proxy
from harness.server import Server

SECRET = "s3cr3t"
FAR = 4_000_000_000


def cookies_file(path, *cookies):
    """Writes a cookies.txt with cookies of the form (domain, name).

    A domain with a dot includes its subdomains.
    """
    rows = [f"{domain}\t{'TRUE' if domain[0] == '.' else 'FALSE'}\t/\tFALSE\t{FAR}\t{name}\t{SECRET}-{name}"
            for domain, name in cookies]
    path.write_text("# Netscape HTTP Cookie File\n#HttpOnly_" + "\n".join(rows) + "\n")
    return path


def headers(origin, path):
    """Returns the headers of the requests for a path, with names in lowercase."""
    return [{name.lower(): value for name, value in entry["headers"].items()}
            for entry in origin.settled_log() if entry["path"].split("?")[0] == path]


def assert_kept_secret(program, *outputs, secret=SECRET):
    """Fails if the secret is anywhere but in the registry."""
    for path in program.root.rglob("*"):
        if path.is_file() and not path.name.startswith("registry") and path.name != "cookies.txt":
            assert secret.encode() not in path.read_bytes(), path
    listed = program.run("list", "--json")
    shown = program.run("reports", "--json")
    for result in (*outputs, listed, shown, program.run("list")):
        assert secret not in result.out + result.err
    assert (program.data / "registry.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.fixture
def second(origins):
    server = origins.another()
    yield server
    server.close()


def test_o14_a_redirect_to_another_origin_carries_no_secret(program, origin, second, samples, tmp_path):
    second.serve({"/film.bin": {"file": str(samples.file)}})
    origin.serve({"/start": {"redirect": "/here"}, "/here": {"redirect": second.url("/film.bin")}})
    jar = cookies_file(tmp_path / "cookies.txt", ("127.0.0.1", "id"), (".other.example", "no"))
    result = program.get(
        origin.url("/start"), "--header", f"X-Key: {SECRET}", "--header", f"Authorization: Bearer {SECRET}",
        "--cookies", jar, "--referrer", f"{origin.base}/page?{SECRET}")
    assert result.code == 0, result.err
    for path in ("/start", "/here"):
        sent = headers(origin, path)[0]
        assert sent["x-key"] == SECRET and sent["authorization"] == f"Bearer {SECRET}"
        assert sent["cookie"] == f"id={SECRET}-id"
        assert sent["referer"] == f"{origin.base}/page?{SECRET}"
    sent = headers(second, "/film.bin")[0]
    assert SECRET not in json.dumps(sent)
    assert sent["referer"] == origin.base + "/"
    assert_kept_secret(program, result)
    with sqlite3.connect(program.data / "registry.sqlite") as connection:
        stored = connection.execute("SELECT options FROM items").fetchone()[0]
    assert "other.example" not in stored


def test_o14_segments_elsewhere_get_no_secret(program, origin, second, samples):
    playlist = (samples.stream / "stream.m3u8").read_text()
    moved = "\n".join(second.url(f"/s/{line}") if line.endswith("20.ts") else line for line in playlist.splitlines())
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/s/stream.m3u8": {"text": moved}})
    second.serve({"/s/": {"directory": str(samples.stream)}})
    result = program.get(origin.url("/s/stream.m3u8"), "--header", f"X-Key: {SECRET}")
    assert result.code == 0, result.err
    assert all(sent["x-key"] == SECRET for sent in headers(origin, "/s/part21.ts"))
    assert headers(origin, "/s/part21.ts")
    assert headers(second, "/s/part20.ts") and SECRET not in json.dumps(headers(second, "/s/part20.ts"))
    assert_kept_secret(program, result)


def test_o1_options_survive_a_kill_and_apply_to_the_retry(program, origin, samples, tmp_path):
    origin.serve({"/film.bin": [
        {"file": str(samples.file), "gate": "never", "gateAfter": 1_000_000}, {"file": str(samples.file)}]})
    jar = cookies_file(tmp_path / "cookies.txt", ("127.0.0.1", "id"))
    process = program.start_get(origin.url("/film.bin"), "--header", f"X-Key: {SECRET}", "--cookies", jar)
    origin.wait_at_gate("never")
    kill(process)
    newest = origin.newest_connection()
    origin.open_gate("never")
    result = program.get(origin.url("/film.bin"))
    assert result.code == 0, result.err
    again = [entry["headers"] for entry in origin.fetched(after=newest)]
    assert again and all(sent["X-Key"] == SECRET and sent["Cookie"] == f"id={SECRET}-id" for sent in again)
    assert_kept_secret(program, finish(process), result)


def test_o14_a_failure_and_the_api_contain_no_secret(program, origin, samples):
    origin.serve({"/gone": {"status": 403, "text": "no"}})
    server = Server(program, "--allow-private")
    with Proxy("http", user="user:right") as proxy:
        result = program.run("get", origin.url("/gone"), "--wait", "--header", f"X-Key: {SECRET}",
                             "--proxy", f"http://user:{SECRET}@127.0.0.1:{proxy.port}")
    assert result.code == 1 and "407" in result.err
    item = server.items()[0]
    text = json.dumps(server.items()) + json.dumps(server.item(item["id"]))
    for path in ("/api/activity", "/api/reports", "/api/notifications"):
        text += json.dumps(server.call("GET", path))
    assert SECRET not in text
    status, _, content = server.request("POST", "/api/items", {
        "text": origin.url("/gone"), "headers": [f"Host: {SECRET}"]})
    assert status == 400 and SECRET.encode() not in content and b"Host" in content
    assert_kept_secret(program, result)


def test_a_waiting_command_hands_its_options_over(program, origin, samples):
    origin.serve({"/slow": {"file": str(samples.file), "gate": "end", "gateAfter": 1_000_000},
                  "/film.bin": {"file": str(samples.file)}})
    first = program.start_get(origin.url("/slow"))
    origin.wait_at_gate("end")
    result = program.get(origin.url("/film.bin"), "--header", f"X-Key: {SECRET}")
    assert result.code == 0, result.err
    origin.open_gate("end")
    assert finish(first).code == 0
    assert headers(origin, "/film.bin")[0]["x-key"] == SECRET
    assert "x-key" not in headers(origin, "/slow")[0]
    assert_kept_secret(program, result)


def test_the_api_takes_the_options_of_all_addresses_of_a_text(program, origin, samples):
    origin.serve({f"/{name}": {"file": str(samples.file)} for name in ("a", "b")})
    server = Server(program, "--allow-private")
    server.call("POST", "/api/items", {
        "text": f"{origin.url('/a')} {origin.url('/b')}", "headers": [f"X-Key: {SECRET}"],
        "cookies": f"127.0.0.1\tFALSE\t/\tFALSE\t0\tid\t{SECRET}\n"})
    server.wait_for_items(lambda items: [item["state"] for item in items.values()] == ["ready", "ready"])
    for path in ("/a", "/b"):
        assert headers(origin, path)[0]["x-key"] == SECRET
        assert headers(origin, path)[0]["cookie"] == f"id={SECRET}"


@pytest.mark.parametrize("options,hint", [
    (["--header", f"Host: {SECRET}"], "sets the header Host itself"),
    (["--header", f"X {SECRET}"], "no colon"),
    (["--header", f"X: {SECRET}\nHost: a"], "invalid character"),
    (["--referrer", f"file:///{SECRET}"], "referrer"),
    (["--proxy", f"http://u:{SECRET}@a"], "proxy"),
    (["--cookies", "/nowhere/cookies.txt"], "cannot be read"),
    (["--cookies-from-browser", "chromium"], "--cookies FILE"),
    (["--cookies-from-browser", "firefox"], "Firefox has no profile"),
    (["--checksum", SECRET], "sha256:"),
])
def test_o14_an_invalid_option_is_refused_without_its_value(options, hint, program):
    result = program.run("get", "https://a.example/f", *options)
    assert result.code == 2
    assert hint in result.err and SECRET not in result.err


def test_cookies_come_from_firefox(program, origin, samples):
    origin.serve({"/film.bin": {"file": str(samples.file)}})
    profile = program.home / ".mozilla/firefox/abc.default"
    profile.mkdir(parents=True)
    (profile.parent / "profiles.ini").write_text(
        "[Profile0]\nName=other\nPath=other\nDefault=1\n\n[Install12]\nDefault=abc.default\n")
    # The connection stays open, as in a running Firefox, so that the rows are in the log.
    connection = sqlite3.connect(profile / "cookies.sqlite")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL "
                       "DEFAULT '', name TEXT, value TEXT, host TEXT, path TEXT, expiry INTEGER, "
                       "isSecure INTEGER, isHttpOnly INTEGER)")
    rows = [("", "id", SECRET, "127.0.0.1", "/", FAR, 0), ("", "ms", SECRET, "127.0.0.1", "/", FAR * 1000, 0),
            ("", "old", SECRET, "127.0.0.1", "/", 1000, 0), ("^userContextId=1", "work", SECRET, "127.0.0.1", "/", FAR, 0),
            ("", "other", SECRET, ".a.example", "/", FAR, 0)]
    connection.executemany("INSERT INTO moz_cookies (originAttributes, name, value, host, path, expiry, isSecure) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    result = program.get(origin.url("/film.bin"), "--cookies-from-browser", "firefox")
    assert result.code == 0, result.err
    assert headers(origin, "/film.bin")[0]["cookie"] == f"id={SECRET}; ms={SECRET}"
    connection.close()
    result = program.run("get", origin.url("/film.bin"), "--cookies-from-browser", "firefox:none")
    assert result.code == 2 and "no profile of this name" in result.err


@pytest.mark.parametrize("kind,scheme", [("http", "http"), ("socks5", "socks5h")])
def test_o14_requests_pass_through_the_proxy_of_their_item(kind, scheme, program, origin, samples):
    origin.serve({"/film.bin": {"redirect": "/moved.bin"}, "/moved.bin": {"file": str(samples.file)}})
    with Proxy(kind, user=f"user:{SECRET}", names={"media.invalid": "127.0.0.1"}) as proxy:
        # The option --allow-private is not given, because the proxy may be private and resolves the
        # name.
        address = f"http://media.invalid:{origin.port}/film.bin"
        result = program.run("get", address, "--wait", "--proxy", f"{scheme}://user:{SECRET}@127.0.0.1:{proxy.port}")
        assert result.code == 0, result.err
        assert program.media().read_bytes() == samples.file.read_bytes()
        assert set(proxy.seen) == {f"media.invalid:{origin.port}"} and proxy.seen
    assert SECRET not in json.dumps(origin.settled_log())
    token = base64.b64encode(f"user:{SECRET}".encode()).decode()
    assert token not in json.dumps(origin.settled_log())
    assert_kept_secret(program, result)


def test_a_private_address_needs_permission_through_a_proxy_too(program, origin, samples):
    origin.serve({"/film.bin": {"file": str(samples.file)}})
    with Proxy("http") as proxy:
        options = ["--wait", "--proxy", f"127.0.0.1:{proxy.port}"]
        result = program.run("get", origin.url("/film.bin"), *options)
        assert result.code == 1 and "--allow-private" in result.err
        assert proxy.seen == []
        result = program.run("get", origin.url("/film.bin"), *options, "--allow-private")
        assert result.code == 0 and len(proxy.seen) == 1


def test_a_proxy_that_refuses_the_user_is_named(program):
    with Proxy("http", user="user:right") as proxy:
        result = program.run("get", "https://media.invalid/film.bin", "--wait", "--proxy",
                             f"http://user:{SECRET}@127.0.0.1:{proxy.port}")
    assert result.code == 1
    assert "refused the connection with status 407" in result.err and SECRET not in result.err


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256", "sha512"])
def test_o4_a_file_is_ready_only_with_its_checksum(name, program, origin, samples):
    origin.serve({"/film.bin": {"file": str(samples.file)}})
    digest = hashlib.new(name, samples.file.read_bytes()).hexdigest()
    wrong = digest[:-1] + ("0" if digest[-1] != "0" else "1")
    result = program.get(origin.url("/film.bin"), "--checksum", f"{name}:{wrong}")
    assert result.code == 1 and f"the checksum {name}:" in result.err and result.out == ""
    item = program.item()
    assert (item["state"], item["error"]["code"]) == ("failed", "checksum") and "fileName" not in item
    assert not [path for path in program.library.rglob("*") if path.is_file() and path.stat().st_size == 4_000_000]
    result = program.get(origin.url("/film.bin"), "--checksum", f"{name}:{digest.upper()}")
    assert result.code == 0, result.err
    assert program.media().read_bytes() == samples.file.read_bytes()
    assert len(origin.fetched()) == 2
    assert program.get(origin.url("/film.bin"), "--checksum", f"{name}:{digest}").code == 0
    result = program.get(origin.url("/film.bin"), "--checksum", f"{name}:{wrong}")
    assert result.code == 1 and "another checksum" in result.err
    assert program.item()["state"] == "ready"


def test_o4_a_stream_and_a_page_have_no_checksum(program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)}, "/film.mp4": {"file": str(samples.film)},
                  "/page": {"text": "<video src='/film.mp4'></video>", "type": "text/html"}})
    for path, word in [("/s/stream.m3u8", "an HLS stream"), ("/page", "page")]:
        result = program.get(origin.url(path), "--checksum", "md5:" + "0" * 32)
        assert result.code == 1 and "A checksum belongs to a file" in result.err and word in result.err
    assert {item["error"]["code"] for item in program.items()} == {"refused"}
    assert origin.fetched()[-1]["path"] == "/page"
