# SPDX-License-Identifier: Apache-2.0
"""The settings of all downloads: number, hosts and hours."""

import datetime
import json
import time

import pytest

from harness import registry
from harness.program import finish
from harness.server import Server


def settings(program):
    """Returns the lines of `offline settings` by name."""
    result = program.run("settings")
    assert result.code == 0, result.err
    return dict(line.split() for line in result.out.splitlines())


def hours_without_now():
    """Returns hours in UTC that start in three hours."""
    now = datetime.datetime.now(datetime.UTC)
    begin, end = (now + datetime.timedelta(hours=hours) for hours in (3, 4))
    return f"{begin:%H}:00-{end:%H}:00"


def test_o22_settings_work_without_a_server_with_one_and_after_kill_9(program):
    assert settings(program)["downloads"] == "auto"
    assert program.run("settings", "downloads", "2").out == "2\n"
    server = Server(program)
    assert server.call("GET", "/api/settings")["downloads"] == "2"
    assert server.call("PATCH", "/api/settings", {"per-host": 1})["per-host"] == "1"
    # A second process changes the library of the first process.
    assert program.run("settings", "hours", "1:00-5:00").out == "01:00-05:00\n"
    server.kill()
    expected = {"downloads": "2", "per-host": "1", "hours": "01:00-05:00"}
    assert {name: settings(program)[name] for name in expected} == expected
    server.start()
    assert {name: server.call("GET", "/api/settings")[name] for name in expected} == expected
    server.kill()


def test_o22_invalid_values_are_refused_with_the_allowed_ones(program):
    for words, allowed in [(["downloads", "17"], "1 to 16"), (["hours", "7-9"], "23:00-07:00"),
                           (["speed", "1"], "downloads"), (["per-host", ""], "1 to 16")]:
        result = program.run("settings", *words)
        assert result.code == 2 and allowed in result.err, result
    server = Server(program)
    status, _, content = server.request("PATCH", "/api/settings", {"downloads": "0"})
    assert status == 400 and json.loads(content)["error"]["code"] == "invalidSetting"
    server.kill()
    assert settings(program)["downloads"] == "auto"


def test_o22_the_number_of_downloads_holds_at_once_and_after_kill_9(program, origin):
    origin.serve({f"/{number}": {"size": 100_000, "gate": "rest", "gateAfter": 1000}
                  for number in range(4)})
    server = Server(program)
    numbers = [server.download(origin.url(f"/{number}"))["id"] for number in range(4)]

    def running():
        return [item for item in server.items() if item["state"] == "fetching"]

    # The number of places adapts, so a slow first byte may add a place.
    server.wait_until(lambda: len(running()) >= 3)
    assert program.run("settings", "downloads", "1").code == 0
    server.wait_until(lambda: len(running()) == 1)
    server.kill()
    server.start()
    # The queue publishes its state after the download has started.
    server.wait_until(lambda: len(running()) == 1
                      and server.call("GET", "/api/queue")["running"] == [numbers[0]])
    origin.open_gate("rest")
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in numbers))
    server.kill()


def test_o22_one_host_gets_no_more_connections_than_the_limit(program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)},
                  **{f"/s/part{number}.ts": {"gate": "rest"} for number in range(48)}})
    assert program.run("settings", "per-host", "2").code == 0
    server = Server(program)
    number = server.download(origin.url("/s/stream.m3u8"))["id"]
    origin.wait_at_gate("rest", 2)
    # The playlist's own request may not have ended.
    running = [entry for entry in origin.log() if not entry["finished"] and entry["path"].endswith(".ts")]
    assert len(running) == 2
    # Without the limit, further transfers of the stream start immediately.
    assert program.run("settings", "per-host", "auto").code == 0
    origin.wait_at_gate("rest", 4)
    origin.open_gate("rest")
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    server.kill()


def test_o22_outside_the_hours_downloads_wait_also_after_kill_9(program, origin, samples):
    program.added["TZ"] = "UTC"
    origin.serve({"/data": {"file": str(samples.file), "gate": "rest", "gateAfter": 1_000_000}})
    server = Server(program)
    number = server.download(origin.url("/data"))["id"]
    server.wait_for_items(lambda items: items and items[number].get("receivedBytes", 0) >= 1_000_000)
    hours = hours_without_now()
    assert program.run("settings", "hours", hours).code == 0
    server.wait_for_items(lambda items: items and items[number]["state"] == "queued")
    begin = hours[:5]
    assert server.item(number)["waiting"] == f"The download hours begin at {begin}."
    # The item returns to the queue before the download has ended.
    server.wait_until(lambda: server.call("GET", "/api/queue") == {
        "hoursBegin": begin, "isDiskFull": False, "running": [], "waitingForNetwork": []})
    server.kill()
    server.start()
    assert server.item(number)["state"] == "queued"
    origin.open_gate("rest")
    assert program.run("settings", "hours", "always").code == 0
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    assert program.media(server.item(number)).read_bytes() == samples.file.read_bytes()
    assert [entry["range"] for entry in origin.settled_log()] == [None, "bytes=1000000-"]
    server.kill()


def test_o22_a_command_outside_the_hours_names_them(program, origin):
    program.added["TZ"] = "UTC"
    origin.serve({"/data": {"text": "content"}})
    hours = hours_without_now()
    assert program.run("settings", "hours", hours).code == 0
    process = program.start_get(origin.url("/data"))
    sentence = f"The download hours begin at {hours[:5]}."
    assert process.stderr.readline() == sentence + "\n"
    assert program.run("list").out.splitlines()[1:] == [sentence]
    assert f"Waiting:   {sentence}" in program.run("show", "1").out
    process.terminate()
    assert finish(process).code == 130
    assert program.item()["waiting"] == sentence
    assert origin.settled_log() == []


def received(items, numbers):
    return [items[number].get("receivedBytes") or 0 for number in numbers]


def until_rate(server, numbers, least, seconds=4):
    """Waits until downloads together have this rate over some seconds."""
    begin = None

    def has_rate(items):
        nonlocal begin
        now = time.monotonic(), sum(received(items, numbers))
        begin = begin or now
        if now[0] - begin[0] < seconds:
            return False
        rate, begin = (now[1] - begin[1]) / (now[0] - begin[0]), now
        return rate >= least

    server.wait_for_items(has_rate)


def check_limit(server, numbers, limit, begin, kept=0, seconds=6):
    """Checks that downloads, which had `kept` bytes at the time `begin`, have not been faster.

    The time includes the duration of the questions, so a slow machine only makes the check easier.
    """
    items = server.wait_for_items(lambda items: sum(received(items, numbers)) - kept >= seconds * limit)
    elapsed = time.monotonic() - begin
    # A download may start with the bytes of half a second.
    assert sum(received(items, numbers)) - kept <= 1.05 * limit * (elapsed + 0.5), elapsed


def kept_bytes(program, numbers):
    return sum(registry.snapshot(program.library, number).partial for number in numbers)


def test_o22_the_speed_holds_for_all_downloads_together_and_changes_at_once(program, origin):
    origin.serve({f"/{number}": {"size": 40_000_000, "seed": number} for number in range(3)})
    assert program.run("settings", "limit", "300K").out == "300K\n"
    server = Server(program)
    begin = time.monotonic()
    numbers = [server.download(origin.url(f"/{number}"))["id"] for number in range(3)]
    check_limit(server, numbers, 300_000, begin)
    until_rate(server, numbers, 270_000)
    # The shares of downloads that started at different times become equal.
    server.wait_for_items(
        lambda items: max(received(items, numbers)) < 1.2 * min(received(items, numbers)))
    assert program.run("settings", "limit", "900K").code == 0
    until_rate(server, numbers, 810_000, 3)
    server.kill()
    kept = kept_bytes(program, numbers)
    begin = time.monotonic()
    server.start()
    check_limit(server, numbers, 900_000, begin, kept)
    until_rate(server, numbers, 810_000, 3)
    # With the limit, the downloads would take two minutes more.
    assert program.run("settings", "limit", "none").code == 0
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in numbers), seconds=90)
    server.kill()


def test_o22_the_speed_holds_for_segments(program, origin, samples):
    origin.serve({"/s/": {"directory": str(samples.stream)}})
    size = sum(path.stat().st_size for path in samples.stream.glob("part*.ts"))
    limit = max(16_000, size // 4)
    assert program.run("settings", "limit", str(limit)).code == 0
    begin = time.monotonic()
    assert program.get(origin.url("/s/stream.m3u8")).code == 0
    assert time.monotonic() - begin > 0.85 * size / limit


def test_o22_the_limit_of_an_item_holds_after_a_restart_and_for_no_other(program, origin):
    # With the limit, each download would take more than five minutes.
    origin.serve({f"/{number}": {"size": 60_000_000, "seed": number} for number in range(2)})
    server = Server(program)
    slow = server.download(origin.url("/0"), limit="200K")["id"]
    fast = server.download(origin.url("/1"))["id"]
    server.wait_for_items(lambda items: items and items[fast]["state"] == "ready")
    server.kill()
    kept = kept_bytes(program, [slow])
    begin = time.monotonic()
    server.start()
    check_limit(server, [slow], 200_000, begin, kept)
    until_rate(server, [slow], 180_000, 3)
    # The same address with another limit is the same item, which uses the new limit immediately.
    assert server.download(origin.url("/0"), limit="none")["id"] == slow
    server.wait_for_items(lambda items: items and items[slow]["state"] == "ready")
    server.kill()


def test_a_malformed_limit_names_the_allowed_ones(program):
    for words in (["get", "--limit", "fast"], ["follow", "--limit", "1K"]):
        result = program.run(*words, "https://a.example/film.mp4")
        assert result.code == 2 and "500K or 2M, from 16K on" in result.err, result.err
    server = Server(program)
    status, _, content = server.request(
        "POST", "/api/downloads", {"url": "https://a.example/film.mp4", "limit": "1K"})
    assert status == 400 and b'"invalidOption"' in content
    assert server.items() == []


# The page does not get the settings until this script permits the request.
HELD = """
const real = window.fetch;
const released = new Promise((resolve) => { window.release = resolve; });
window.fetch = async (path, options) => {
  if (path === "/api/settings" && options.method === "GET") await released;
  return real(path, options);
};
"""


@pytest.mark.parametrize("arrives", [False, True])
def test_a_change_before_the_settings_have_arrived_is_saved_alone(arrives, browser, program):
    server = Server(program)
    kept = {"downloads": "3", "hours": "01:00-05:00"}
    server.call("PATCH", "/api/settings", kept)
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.script(HELD)
    browser.section("settings")
    # A click of the driver posts no input event, but a key does.
    browser.find("#setting-quality").send_keys("720p")
    browser.until_text("#settings-said", "Not saved yet")
    if arrives:
        browser.script("window.release()")
        browser.until(lambda: browser.find("#setting-hours").get_attribute("value") == kept["hours"],
                      "the settings are missing")
    browser.click("#settings-form [type=submit]")
    browser.until_text("#settings-said", "Saved")
    found = server.call("GET", "/api/settings")
    assert {name: found[name] for name in ("quality", *kept)} == {"quality": "720p", **kept}
    assert browser.find("#setting-hours").get_attribute("value") == kept["hours"]
