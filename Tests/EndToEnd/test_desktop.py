# SPDX-License-Identifier: Apache-2.0
"""Notifications on a real desktop: bubbles of a real daemon, pressed as a person would."""

import json

import pytest

from support.browser import start_browser
from support.desktop import Desktop
from support.server import Server
from support.waiting import wait_until


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
def browser(tmp_path):
    browser = start_browser(tmp_path / "profile")
    yield browser
    browser.close()


def inbox(server):
    return [entry["title"] for entry in server.call("GET", "/api/notifications")["notifications"]]


def tab_icon(browser):
    return browser.script("return document.querySelector('link[rel=icon]').getAttribute('href')")


def press(desktop, label, opened=1):
    desktop.press(label)
    wait_until(lambda: len(desktop.opened()) == opened, desktop.folder, f"“{label}” opened nothing")
    return desktop.opened()[-1]


def test_a_person_presses_play_on_a_bubble_and_it_plays(
        desktop, server, browser, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_bubbles(1)
    desktop.picture("bubble")
    assert inbox(server) == ["Download complete"]
    address = press(desktop, "Play")
    assert address.startswith(f"{server.origin}/?ticket=") and address.endswith("#play-1")
    assert server.token not in address
    desktop.wait_for_bubbles(0)
    assert desktop.texts() == [("Download complete", "film is in your library.")]
    assert inbox(server) == []

    browser.open(address)
    video = browser.until_shown("#player video")
    browser.until(lambda: browser.script("return arguments[0].currentTime", video) > 0.2,
                  "it does not play")
    assert browser.driver.current_url == f"{server.origin}/#library"
    browser.picture("played-from-bubble")
    # Whoever read the address in the arguments of the program that opened it comes too late.
    spent = address.removeprefix(server.origin).split("#")[0]
    assert server.request("GET", spent, bearer=False)[0] == 403


def test_a_failure_is_retried_from_its_bubble_which_changes_in_place(
        desktop, server, origin, samples):
    origin.serve({"/film.mp4": {"status": 404, "text": "no"}})
    server.download(origin.url("/film.mp4"))
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "failed")
    desktop.wait_for_bubbles(1)
    desktop.picture("bubble-failed")
    assert inbox(server) == ["Download failed"]
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    assert press(desktop, "Retry").endswith("#downloads")
    server.wait_for_items(lambda items: items[1]["state"] == "ready")
    desktop.wait_for_bubbles(1)
    assert press(desktop, "Open Library", opened=2).endswith("#library")
    desktop.wait_for_bubbles(0)


def is_kept(program):
    """Whether what is shown is on disk with what it takes to find its bubble again."""
    path = program.library / "notifications.json"
    stored = json.loads(path.read_text()) if path.exists() else {}
    shown = stored.get("record", {}).get("delivered", [])
    return bool(shown) and all(entry.get("handle") for entry in shown)


def test_promise10_a_bubble_of_an_earlier_run_is_answered(
        desktop, server, program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)},
                  "/lost.mp4": {"status": 404, "text": "no"}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_bubbles(1)
    wait_until(lambda: is_kept(program), program.root, "what is shown was not written down")
    server.kill()
    server.start()
    assert inbox(server) == ["Download complete"]
    # What is shown after the start comes after what was taken over.
    server.download(origin.url("/lost.mp4"))
    desktop.wait_for_bubbles(2)
    assert press(desktop, "Play").endswith("#play-1")
    desktop.wait_for_bubbles(1)
    assert inbox(server) == ["Download failed"]


def test_who_looks_at_the_page_gets_a_banner_there_and_no_bubble(
        desktop, server, browser, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.until(lambda: browser.script(
        "return performance.getEntriesByType('resource').some("
        "(entry) => entry.name.endsWith('/api/presence'))"), "the page did not say that it is seen")
    server.download(origin.url("/film.mp4"))
    browser.until_text(".toast", "Download complete")
    browser.until(lambda: browser.driver.title == "(1) Offline", "no badge in the title")
    assert tab_icon(browser) == "/icon-unread.svg"
    browser.picture("banner")
    assert desktop.texts() == []
    desktop.wait_for_bubbles(0)
    # The page goes there by itself: no other window opens, and the badge goes.
    browser.click(".toast .acts button")
    browser.until_shown("#player video")
    browser.until(lambda: browser.driver.title == "Offline", "the badge stays")
    assert tab_icon(browser) == "/icon.svg"
    assert desktop.opened() == []


def test_a_browser_that_is_opened_is_let_in_without_the_token(desktop, program):
    server = Server(program, browser=True)
    wait_until(lambda: len(desktop.opened()) == 1, desktop.folder)
    # A library has one server; asked again, the program leads to it.
    again = program.run("serve", "--port", 0)
    assert again.out.strip() == server.address
    wait_until(lambda: len(desktop.opened()) == 2, desktop.folder)
    for address in desktop.opened():
        assert server.token not in address
        path = address.removeprefix(server.origin)
        assert server.request("GET", path, bearer=False)[0] == 303
        status, _, page = server.request("GET", path, bearer=False,
                                         headers={"Accept": "text/html"})
        assert status == 403 and b"has let a browser in already" in page


def test_what_the_program_keeps_is_for_its_owner_alone(desktop, server, program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    desktop.wait_for_bubbles(1)
    private = ["notifications.json", "registry.sqlite", "server.json"]
    rights = {name: (program.library / name).stat().st_mode & 0o777 for name in private}
    assert rights == dict.fromkeys(private, 0o600)


def test_without_a_desktop_the_page_shows_everything(program, browser, origin, samples):
    server = Server(program, "--allow-private")
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    server.wait_until(lambda: inbox(server) == ["Download complete"])
    entry = server.call("GET", "/api/notifications")["notifications"][0]
    assert entry["banner"]
    assert server.call("GET", "/api/preferences") == {"notifications": "granted"}
