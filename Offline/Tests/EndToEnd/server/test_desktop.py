# SPDX-License-Identifier: Apache-2.0
"""Notifications of a real daemon on a desktop, with real clicks."""

import json
from urllib.parse import unquote

import pytest

from harness.desktop import Desktop
from harness.server import Server
from harness.waiting import wait_until


@pytest.fixture
def desktop(tmp_path, program):
    desktop = Desktop(tmp_path / "desktop")
    program.added = desktop.environment
    yield desktop
    desktop.close()


@pytest.fixture
def server(desktop, program):
    server = Server(program, "--allow-private")
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    return server


@pytest.fixture
def browser(another_browser):
    return another_browser()


def inbox(server):
    return [(entry["title"], entry["category"])
            for entry in server.call("GET", "/api/notifications")["notifications"]]


def tab_icon(browser):
    return browser.script("return document.querySelector('link[rel=icon]').getAttribute('href')")


def presence_reports(browser):
    """Returns the number of reports on the page's presence that the server has answered."""
    return browser.script("return performance.getEntriesByType('resource').filter("
                          "(entry) => entry.name.endsWith('/api/presence')).length")


def press(desktop, label, opened=1):
    desktop.press(label)
    wait_until(lambda: len(desktop.opened()) == opened, desktop.folder, f"“{label}” opened nothing")
    return desktop.opened()[-1]


def test_play_on_a_desktop_notification_plays_the_item(
        desktop, server, browser, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_notifications(1)
    desktop.picture("bubble")
    assert inbox(server) == [("film", "DOWNLOAD_COMPLETE")]
    address = press(desktop, "Play")
    assert address.startswith(f"{server.origin}/?ticket=") and address.endswith("#play-1")
    assert server.token not in address
    desktop.wait_for_notifications(0)
    assert desktop.texts() == [("film", "Ready in your library.")]
    assert inbox(server) == []

    browser.open(address)
    video = browser.until_shown("#player video")
    browser.until(lambda: browser.script("return arguments[0].currentTime", video) > 0.2,
                  "it does not play")
    assert browser.driver.current_url == f"{server.origin}/#play-1"
    browser.picture("played-from-bubble")
    # The ticket in the arguments of xdg-open is spent.
    spent = address.removeprefix(server.origin).split("#")[0]
    assert server.request("GET", spent, bearer=False)[0] == 403


def test_a_failure_is_retried_from_its_desktop_notification(
        desktop, server, origin, samples):
    origin.serve({"/film.mp4": {"status": 404, "text": "no"}})
    server.download(origin.url("/film.mp4"))
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "failed")
    desktop.wait_for_notifications(1)
    desktop.picture("bubble-failed")
    assert inbox(server) == [("film", "DOWNLOAD_FAILED")]
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    assert press(desktop, "Retry").endswith("#downloads")
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    desktop.wait_for_notifications(1)
    assert press(desktop, "Open Library", opened=2).endswith("#library")
    desktop.wait_for_notifications(0)
    # The program of the tests is not installed, but the notifications still have an icon.
    assert desktop.icons()[-1].endswith("/Page/icon-180.png")


def delivered(program):
    """Returns the delivered notifications that are on disk."""
    path = program.data / "notifications.json"
    stored = json.loads(path.read_text()) if path.exists() else {}
    return stored.get("record", {}).get("delivered", [])


def is_kept(program):
    """Returns whether the shown notifications and their handles are on disk."""
    shown = delivered(program)
    return bool(shown) and all(entry.get("handle") for entry in shown)


def test_o10_a_notification_of_an_earlier_run_gets_its_response(
        desktop, server, program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)},
                  "/lost.mp4": {"status": 404, "text": "no"}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_notifications(1)
    wait_until(lambda: is_kept(program), program.root, "the notification was not stored")
    server.kill()
    server.start()
    assert inbox(server) == [("film", "DOWNLOAD_COMPLETE")]
    # The server shows new notifications after restoring the earlier notifications.
    server.download(origin.url("/lost.mp4"))
    desktop.wait_for_notifications(2)
    assert press(desktop, "Play").endswith("#play-1")
    desktop.wait_for_notifications(1)
    assert inbox(server) == [("lost", "DOWNLOAD_FAILED")]


def test_n23_many_downloads_make_one_bubble(desktop, server, program, origin):
    names = [f"/lesson-{number}.txt" for number in range(1, 13)]
    origin.serve({name: {"text": name} for name in names})
    for name in names:
        server.download(origin.url(name))

    def is_summed_up():
        # Only the newest notification of a summary has a handle.
        entries = sorted(delivered(program), key=lambda entry: entry["notification"]["id"]["number"])
        kept = [bool(entry.get("handle")) for entry in entries]
        return kept == [False] * 11 + [True]

    wait_until(is_summed_up, program.root, "the notifications have no summary")
    desktop.wait_for_notifications(1)
    desktop.picture("bubble-summary")
    assert press(desktop, "Open Library").endswith("#library")
    desktop.wait_for_notifications(0)
    title, body = desktop.texts()[0]
    assert title == "12 downloads are ready"
    assert len(body.splitlines()) == 4 and body.endswith("and 9 more")
    assert len(inbox(server)) == 11


def test_a_file_is_shown_in_the_file_manager_of_this_machine(
        desktop, server, browser, program, origin, samples):
    # This script stands for the file manager. Without a file manager, the folder opens in the usual
    # program.
    calls = desktop.folder / "calls"
    busctl = desktop.folder / "bin" / "busctl"
    busctl.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >{calls}.new && mv {calls}.new {calls}\n")
    busctl.chmod(0o755)
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    server.call("POST", "/api/items/1/rename", {"title": "Low tide, part 1"})
    browser.open(f"{server.address}#item-1")
    browser.click("#item-folder")
    wait_until(calls.exists, desktop.folder, "the file manager was not asked")
    path = program.media(server.item(1))
    *call, address, last = calls.read_text().splitlines()[-5:]
    assert (call, unquote(address), last) == (["ShowItems", "ass", "1"], f"file://{path}", "")
    busctl.write_text("#!/bin/sh\nexit 1\n")
    browser.section("settings")
    browser.until_text("#folder-path", str(path.parent))
    browser.picture("settings-folder")
    browser.click("#folder-show")
    wait_until(lambda: len(desktop.opened()) == 1, desktop.folder, "the folder did not open")
    assert program.run("open", "1", "--folder").code == 0
    wait_until(lambda: len(desktop.opened()) == 2, desktop.folder, "the folder did not open")
    assert desktop.opened() == [str(path.parent)] * 2


def test_a_page_in_front_shows_a_banner_instead_of_a_desktop_notification(
        desktop, server, browser, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)},
                  "/lost.mp4": {"status": 404, "text": "no"}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.until(lambda: presence_reports(browser) > 0, "the page did not report its presence")
    browser.until(lambda: browser.script("return !document.querySelector('#inbox-none').hidden"),
                  "the page did not receive the empty list of notifications")
    # A busy machine may take longer than the eight seconds of a banner.
    browser.script("""const real = window.setTimeout;
        window.setTimeout = (body, delay) => delay === 8000 ? 0 : real(body, delay)""")
    # Home and Downloads already show the end of a download.
    browser.section("settings")
    server.download(origin.url("/film.mp4"))
    browser.until_text(".toast", "film\nReady in your library.")
    browser.until(lambda: browser.driver.title == "(1) Settings · Offline", "no badge in the title")
    assert tab_icon(browser) == "/icon-unread.svg"
    browser.picture("banner")
    # The page opens the target, and the badge disappears.
    browser.click(".toast .acts button")
    browser.until_shown("#player video")
    browser.until(lambda: browser.driver.title == "film · Offline", "the badge did not disappear")
    assert tab_icon(browser) == "/icon.svg"
    desktop.wait_for_notifications(0)
    assert desktop.texts() == []
    assert desktop.opened() == []

    # The page is no longer in front, so the next notification is the first on the desktop.
    reports = presence_reports(browser)
    browser.script("document.hasFocus = () => false; dispatchEvent(new Event('blur'))")
    browser.until(lambda: presence_reports(browser) > reports, "the page did not report its absence")
    server.download(origin.url("/lost.mp4"))
    desktop.wait_for_notifications(1)
    assert desktop.texts() == []
    assert press(desktop, "Retry").endswith("#downloads")


def test_an_opened_browser_is_admitted_without_the_token(desktop, program):
    server = Server(program, browser=True)
    wait_until(lambda: len(desktop.opened()) == 1, desktop.folder)
    # A second `serve` opens the running server.
    again = program.run("serve", "--port", 0)
    assert again.out.strip() == server.address
    wait_until(lambda: len(desktop.opened()) == 2, desktop.folder)
    for address in desktop.opened():
        assert server.token not in address
        path = address.removeprefix(server.origin)
        assert server.request("GET", path, bearer=False)[0] == 303
        status, _, page = server.request("GET", path, bearer=False,
                                         headers={"Accept": "text/html"})
        assert status == 403 and b"was used already" in page


def test_stored_files_are_readable_by_their_owner_only(desktop, server, program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_notifications(1)
    private = ["notifications.json", "registry.sqlite", "server.json"]
    rights = {name: (program.data / name).stat().st_mode & 0o777 for name in private}
    assert rights == dict.fromkeys(private, 0o600)


def test_without_a_desktop_the_page_shows_everything(program, browser, origin, samples):
    server = Server(program, "--allow-private")
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    server.wait_until(lambda: inbox(server) == [("film", "DOWNLOAD_COMPLETE")])
    entry = server.call("GET", "/api/notifications")["notifications"][0]
    assert entry["banner"]
    assert server.call("GET", "/api/preferences") == {"notifications": "granted"}
