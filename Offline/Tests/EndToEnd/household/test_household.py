# SPDX-License-Identifier: Apache-2.0
"""Several machines as one household: `offline serve --join`, with a real NATS server."""

import json
import types

import pytest

from harness.axe import violations
from harness.desktop import Desktop
from harness.household import NATSServer, Stranger, inbox, names, overview, together
from harness.network import Network, own_network
from harness.server import Server
from harness.waiting import wait_until


def machine(program, nats, name, *options):
    """Starts a machine that has a separate host name and may show notifications."""
    prefix = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name]
    server = Server(program, "--allow-private", "--join", nats.address, *options, prefix=prefix)
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    return server


@pytest.fixture
def nats(tmp_path):
    server = NATSServer(tmp_path / "nats")
    yield server
    server.kill()


@pytest.fixture
def desktop(tmp_path):
    desktop = Desktop(tmp_path / "desktop")
    yield desktop
    desktop.close()


def keep(server, origin, path):
    """Downloads a file to a good or bad end, and returns the item."""
    number = server.download(origin.url(path))["id"]
    return server.wait_for_items(
        lambda items: items[number]["state"] in ("ready", "failed"))[number]


@pytest.fixture
def house(nats, programs, origin, samples):
    """Two machines that have found each other, and films for both."""
    origin.serve({f"/{name}.mp4": {"file": str(samples.film)} for name in ("one", "two", "three")})
    nats.start()
    attic, kitchen = (machine(programs(name), nats, name) for name in ("attic", "kitchen"))
    together(attic, kitchen)
    return types.SimpleNamespace(nats=nats, attic=attic, kitchen=kitchen, origin=origin)


@own_network
def test_a_download_is_told_on_the_desktop_of_the_other_machine(
        nats, desktop, programs, origin, samples):
    Network().go_online()
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/song.mp4": {"file": str(samples.film)}})
    nats.start()
    there = programs("kitchen")
    there.added = desktop.environment
    attic = machine(programs("attic"), nats, "attic", "--lan")
    kitchen = machine(there, nats, "kitchen")
    together(attic, kitchen)

    keep(attic, origin, "/film.mp4")
    desktop.wait_for_notifications(1)
    desktop.picture("household-bubble")
    assert inbox(kitchen) == [("film", "Ready on attic.")]
    # The news of a machine do not wait for the machine's own notification.
    attic.wait_until(lambda: inbox(attic))
    assert inbox(attic) == [("film", "Ready in your library.")]
    desktop.press("Play")
    wait_until(lambda: desktop.opened(), desktop.folder, "“Play” opened nothing")
    # The address has no ticket and no token. The page of the remote machine admits this browser as
    # any device.
    assert desktop.opened() == [f"http://{Network.ADDRESS}:8440/#play-1"]
    assert inbox(kitchen) == []

    # In the reverse direction, the machine shows a usual notification, and nothing comes back.
    keep(kitchen, origin, "/song.mp4")
    attic.wait_until(lambda: len(inbox(attic)) == 2)
    assert inbox(attic) == [("song", "Ready on kitchen."), ("film", "Ready in your library.")]
    kitchen.wait_until(lambda: inbox(kitchen))
    assert inbox(kitchen) == [("song", "Ready in your library.")]
    # Without --lan, no link leads to an unreachable page.
    entry = attic.call("GET", "/api/notifications")["notifications"][0]
    assert entry["category"] == "DOWNLOAD_ELSEWHERE" and entry["actions"] == []


@own_network
def test_a_failure_is_told_with_the_host_alone(house):
    keep(house.attic, house.origin, "/missing.mp4?key=secret")
    house.kitchen.wait_until(lambda: inbox(house.kitchen))
    [(title, body)] = inbox(house.kitchen)
    assert title == "missing" and body.startswith("Failed on attic: ")
    assert "secret" not in body and "/missing" not in body


@own_network
def test_settings_that_hide_a_bubble_hide_it_from_the_others(house):
    attic, kitchen, origin = house.attic, house.kitchen, house.origin
    attic.call("PATCH", "/api/settings", {"notify": "failures"})
    keep(attic, origin, "/one.mp4")
    keep(attic, origin, "/missing.mp4")
    kitchen.wait_until(lambda: inbox(kitchen))
    attic.call("PATCH", "/api/settings", {"notify": "all", "notify-on": "page"})
    keep(attic, origin, "/two.mp4")
    attic.wait_until(lambda: ("two", "Ready in your library.") in inbox(attic))
    # The household reads the settings after the notification and before the end of the download.
    attic.wait_until(lambda: attic.call("GET", "/api/queue")["running"] == [])
    attic.call("PATCH", "/api/settings", {"notify-on": "desktop"})
    attic.call("POST", "/api/preferences", {"notifications": "denied"})
    keep(attic, origin, "/gone.mp4")
    # The process ends after the last message about the item.
    attic.process.terminate()
    assert attic.process.wait(120) == 0
    attic.start()
    attic.call("POST", "/api/preferences", {"notifications": "granted"})
    keep(attic, origin, "/three.mp4")
    kitchen.wait_until(lambda: len(inbox(kitchen)) == 2)
    assert [title for title, _ in inbox(kitchen)] == ["three", "missing"]
    # A machine that shows only failures does not show a success of another machine.
    kitchen.call("PATCH", "/api/settings", {"notify": "failures"})
    keep(attic, origin, "/one.mp4?again")
    keep(attic, origin, "/lost.mp4")
    kitchen.wait_until(lambda: len(inbox(kitchen)) == 3)
    assert [title for title, _ in inbox(kitchen)] == ["lost", "three", "missing"]


@own_network
def test_a_server_that_is_down_delays_nothing_and_news_wait_for_it(
        nats, programs, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/more.mp4": {"file": str(samples.film)}})
    attic, kitchen = (machine(programs(name), nats, name) for name in ("attic", "kitchen"))
    for server in (attic, kitchen):
        server.wait_until(lambda: overview(server).get("problem"))
        state = overview(server)
        assert state["isJoined"] and not state["isConnected"] and state["machines"] == []
        assert "cannot be reached" in state["problem"]
    assert keep(attic, origin, "/film.mp4")["state"] == "ready"
    nats.start()
    together(attic, kitchen)
    assert "problem" not in overview(attic) and overview(attic)["name"] == "attic"

    nats.kill()
    attic.wait_until(lambda: not overview(attic)["isConnected"])
    keep(attic, origin, "/more.mp4")
    attic.wait_until(lambda: overview(attic)["outboxCount"] > 0)
    # The news are on disk, so neither a kill nor the lost server loses a message.
    attic.kill()
    nats.start()
    attic.start()
    kitchen.wait_until(lambda: "more" in [title for title, _ in inbox(kitchen)])
    assert [title for title, _ in inbox(kitchen)].count("more") == 1


@own_network
def test_a_machine_appears_with_its_state_and_is_gone_after_a_kill(house):
    attic, kitchen = house.attic, house.kitchen
    [seen] = overview(kitchen)["machines"]
    assert seen["name"] == "attic" and seen["readyCount"] == 0 and seen["freeBytes"] > 0
    assert "page" not in seen
    keep(attic, house.origin, "/one.mp4")
    kitchen.wait_until(lambda: overview(kitchen)["machines"][0]["readyCount"] == 1)
    attic.kill()
    kitchen.wait_until(lambda: names(kitchen) == [])
    attic.start()
    kitchen.wait_until(lambda: names(kitchen) == ["attic"])


@own_network
def test_a_stranger_on_the_space_changes_no_more_than_texts(house):
    kitchen = house.kitchen
    stranger = Stranger(house.nats)
    good = {"machine": "cellar", "item": 1, "title": "last", "isPlayable": True}
    number = 0

    def publish(body, kind="offline.download-ended", key="x", **headers):
        nonlocal number
        number += 1
        stranger.publish(f"home.{kind}.{key}", body,
                         Tidings_Id=f"stranger-{number}", Tidings_Origin="stranger",
                         Tidings_Type=kind, Tidings_Version="1", **headers)

    for body in (b"", b"\xff\xfe", b"[1]", b"{" * 100_000, {**good, "item": -1},
                 {**good, "title": {"a": 1}}, {**good, "isPlayable": 3}, {"title": "x"},
                 {**good, "title": "huge" * 200_000, "item": 2}):
        publish(body)
    # An address that a machine would not download is not queued, and only the address counts.
    for address in (7, {}, {"url": "file:///etc/passwd"}, {"url": "javascript:alert(1)"},
                    {"url": "https://a.example/" + "x" * 9_000},
                    {"url": house.origin.url("/one.mp4"), "quality": "huge"}):
        publish({"address": address}, kind="offline.address.any")
    publish({"address": {"url": house.origin.url("/one.mp4")}, "origin": "nobody"},
            kind="offline.address.machine")
    publish({**good, "item": 3}, Tidings_Hops="-1")
    links = ["javascript:alert(1)", "file:///etc/passwd", "http://evil.example:80",
             "http://1.2.3.4:80/?x", "data:text/html,<script>"]
    for item, link in enumerate(links, 10):
        publish({**good, "item": item, "title": "<b>a\x1b[31m\n\u202eb</b>", "page": link})
    for body in (b"", {"machine": "x"}, {"machine": 1}):
        stranger.publish("home+now.offline.presence.x", body, Tidings_Origin="stranger",
                         Tidings_Type="offline.presence")
    publish(good)
    kitchen.wait_until(lambda: ("last", "Ready on cellar.") in inbox(kitchen))
    entries = kitchen.call("GET", "/api/notifications")["notifications"]
    assert all(entry["actions"] == [] for entry in entries), entries
    titles = [entry["title"] for entry in entries]
    assert titles.count("<b>a[31m b</b>") == len(links), titles
    assert max(len(title) for title in titles) <= 200
    # Nothing was downloaded, and the machines are still connected.
    assert kitchen.items() == [] and names(kitchen) == ["attic"]
    keep(house.attic, house.origin, "/one.mp4")
    kitchen.wait_until(lambda: ("one", "Ready on attic.") in inbox(kitchen))
    stranger.close()


@pytest.fixture
def browser(another_browser):
    return another_browser()


def rows(browser):
    return browser.script("return [...document.querySelectorAll('#machine-rows li')]"
                          ".map((row) => row.innerText.split(/\\n+/).join(' | '))")


@own_network
def test_the_page_lists_the_machines_and_links_to_their_pages(
        nats, browser, programs, origin, samples):
    Network().go_online()
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    nats.start()
    attic = machine(programs("attic"), nats, "attic", "--lan")
    kitchen = machine(programs("kitchen"), nats, "kitchen")
    together(attic, kitchen)
    keep(attic, origin, "/film.mp4")
    kitchen.wait_until(lambda: overview(kitchen)["machines"][0]["readyCount"] == 1)
    browser.open(f"{kitchen.address}#settings")
    browser.until_shown("#machine-rows li")
    [row] = rows(browser)
    assert row.startswith("attic | 1 item · ") and " free" in row and row.endswith("Open"), row
    link = browser.script("return document.querySelector('#machine-rows a').href")
    assert link == f"http://{Network.ADDRESS}:8440/"
    assert browser.script("return document.querySelector('#machines-link').innerText") == (
        "This machine is “kitchen”.")
    assert violations(browser) == []
    browser.script("document.querySelector('#machines').scrollIntoView({block: 'center'})")
    browser.picture("machines")

    # The page shows markup of a stranger as plain text, and no link.
    stranger = Stranger(nats)
    stranger.publish("home+now.offline.presence.x", {
        "machine": "<img src=x onerror=alert(1)>", "page": "javascript:alert(1)", "readyCount": 2,
        "waitingCount": 3, "isLeaving": False}, Tidings_Origin="stranger",
        Tidings_Type="offline.presence", Tidings_Id="s-1", Tidings_Version="1")
    browser.until(lambda: len(rows(browser)) == 2, "the second machine is missing")
    assert rows(browser)[0].startswith("<img src=x onerror=alert(1)> | 2 items · 3 to download")
    assert browser.script("return document.querySelectorAll('#machine-rows img').length") == 0
    shown = "return [...document.querySelectorAll('#machine-rows a')].filter((a) => !a.hidden).length"
    assert browser.script(shown) == 1
    stranger.close()

    nats.kill()
    browser.until(lambda: "No connection since" in browser.script(
        "return document.querySelector('#machines-link').innerText"), "the page shows a connection")
    assert violations(browser) == []
    browser.picture("machines-lost")


def test_the_page_without_join_has_no_machines(program, browser):
    server = Server(program)
    browser.open(f"{server.address}#settings")
    browser.until_shown("#devices")
    assert not browser.script("return document.querySelector('#machines').checkVisibility()")


@own_network
def test_credentials_are_used_and_shown_nowhere(tmp_path, programs):
    nats = NATSServer(tmp_path / "nats", "--auth", "s3cret-t0ken")
    nats.start()
    try:
        file = tmp_path / "token"
        file.write_text("s3cret-t0ken\n")
        attic = machine(programs("attic"), nats, "attic", "--join-credentials", str(file))
        attic.wait_until(lambda: overview(attic)["isConnected"])
        wrong = tmp_path / "wrong"
        wrong.write_text("another-s3cret")
        kitchen = machine(programs("kitchen"), nats, "kitchen", "--join-credentials", str(wrong))
        kitchen.wait_until(lambda: "refuses" in overview(kitchen).get("problem", ""))
        shown = json.dumps([overview(attic), overview(kitchen)])
        console = ""
        # The console prints the line after the overview.
        while "refuses the credentials" not in console:
            line = kitchen.process.stderr.readline()
            assert line, console
            console += line
        console += kitchen.rest()
        assert console.count("refuses the credentials. Check them.") == 1, console
        assert "s3cret" not in shown + attic.rest() + console
    finally:
        nats.kill()


def test_without_join_nothing_of_it_exists(program):
    server = Server(program)
    assert overview(server) == {"isJoined": False, "isConnected": False, "outboxCount": 0,
                                "machines": []}
    assert not (program.data / "household").exists()


@pytest.mark.parametrize("options, words", [
    (("--join", "http://127.0.0.1:4222"), "is not nats://HOST:PORT"),
    (("--join", "nats://me:s3cret@"), "is not nats://HOST:PORT"),
    (("--join", "nats://127.0.0.1", "--space", "a b"), "letters, digits, - and _"),
    (("--join", "nats://127.0.0.1", "--join-credentials", "/missing"), "cannot be read"),
    (("--space", "home"), "Add --join"),
])
def test_a_mistake_ends_before_the_library_opens(program, options, words):
    result = program.run("serve", *options)
    assert result.code == 2 and words in result.err and "s3cret" not in result.err
    assert not program.data.exists()
