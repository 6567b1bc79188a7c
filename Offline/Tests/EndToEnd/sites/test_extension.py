# SPDX-License-Identifier: Apache-2.0
"""The browser extension in real browsers, which lists the media of a page and hands over one."""

import json

import pytest

from harness.extension import start_extended
from harness.server import Server

SECRET = "s3cr3t-cookie"
TITLE = "Film <b>of</b> the page"
# The page loads the playlist and segments by script, as players do.
PAGE = """<!doctype html><title>%s</title><video src="/film.mp4" muted autoplay></video><script>
(async () => {
  for (const name of ["stream.m3u8", "part0.ts", "part1.ts"]) await (await fetch("/s/" + name)).arrayBuffer();
  document.body.append(Object.assign(document.createElement("p"), { id: "loaded", textContent: "loaded" }));
})();
</script>""" % TITLE.replace("<", "&lt;")


@pytest.fixture(scope="module", params=["chromium", "firefox"])
def extended(request, tmp_path_factory):
    extended = start_extended(request.param, tmp_path_factory.mktemp("profile"))
    extended.allow()
    yield extended
    extended.close()


@pytest.fixture
def server(extended, program):
    """A server that the extension and the browser have opened."""
    extended.forget()
    server = Server(program, "--allow-private")
    extended.set_program(server.address)
    extended.driver.get(server.address)
    extended.browser.until_text("#link", "Connected")
    return server


def watch(extended, origin, samples):
    """Opens a page that plays, and the popup of the page's tab."""
    origin.serve({
        "/watch": {"text": PAGE, "type": "text/html", "headers": {"Set-Cookie": f"id={SECRET}; HttpOnly"}},
        "/s/": {"directory": str(samples.stream)}, "/film.mp4": {"file": str(samples.film)},
        "/favicon.ico": {"text": ""}})
    extended.open(origin.url("/watch"))
    extended.browser.until_shown("#loaded")
    extended.show_popup(origin.url("/watch"))
    extended.browser.until(lambda: len(extended.rows()) == 3, f"the list is {extended.rows()}")


def sent(origin, path, after):
    """Returns the headers of the program's first request for a path."""
    entry = next(entry for entry in origin.settled_log(after) if entry["path"] == path)
    return {name.lower(): value for name, value in entry["headers"].items()}


def ready(server, count):
    server.wait_for_items(lambda items: len(items) == count
                          and all(item["state"] == "ready" for item in items.values()))


def test_the_streams_of_a_page_are_listed_without_their_parts(extended, server, origin, samples):
    watch(extended, origin, samples)
    page, stream, film = (origin.url(path) for path in ("/watch", "/s/stream.m3u8", "/film.mp4"))
    assert extended.rows() == [("hls", stream), ("video", film), ("page", page)]
    assert extended.browser.find("#title").text == TITLE
    megabytes = round(samples.film.stat().st_size / 1e6)
    assert f"{megabytes} MB" in extended.browser.find("[data-kind=video]").text
    assert not extended.browser.all("#streams b, #title b")
    # The list ends with the page, and with the tab.
    extended.driver.switch_to.window(extended.driver.window_handles[-1])
    extended.driver.get(origin.url("/favicon.ico"))
    extended.show_popup(origin.url("/favicon.ico"))
    extended.browser.until(lambda: extended.rows() == [("page", origin.url("/favicon.ico"))], "the list remained")


def test_o14_cookies_come_along_only_with_the_tick_and_after_download(extended, server, origin, samples):
    watch(extended, origin, samples)
    extended.end_background()
    browser = extended.browser
    after = origin.newest_connection()
    for count, path in enumerate(["/s/stream.m3u8", "/film.mp4"], 1):
        address, with_cookies = origin.url(path), path == "/film.mp4"
        extended.show_popup(origin.url("/watch"))
        if with_cookies:
            browser.click("#with-cookies")
        extended.hand_over(address)
        browser.until(lambda: browser.all("#address") and browser.find("#address").get_attribute("value") == address,
                      "the address is not in the field")
        browser.until_text("#offer-page", f"From the page {origin.url('/watch')}")
        assert browser.find("#offer-title").get_attribute("value") == TITLE
        assert browser.driver.current_url == f"{server.origin}/#home"
        if with_cookies:
            browser.until_text("#offer-cookies-text", "127.0.0.1")
            assert SECRET not in browser.script("return document.documentElement.outerHTML")
        else:
            assert not browser.find("#offer-cookies-row").is_displayed()
        extended.end_background()
        # Nothing is queued before the user agrees.
        assert len(server.items()) == count - 1
        browser.until_text("#link", "Connected")
        browser.click("#add [type=submit]")
        ready(server, count)
        headers = sent(origin, path, after)
        assert headers["referer"] == origin.url("/watch")
        assert headers.get("cookie") == (f"id={SECRET}" if with_cookies else None)
        assert server.item(count)["title"] == TITLE
    assert SECRET not in json.dumps([server.items(), server.call("GET", "/api/activity")])


def test_o14_the_person_can_leave_the_cookies_out_on_the_page(extended, server, origin, samples):
    watch(extended, origin, samples)
    extended.browser.click("#with-cookies")
    extended.hand_over(origin.url("/film.mp4"))
    after = origin.newest_connection()
    extended.browser.until_shown("#offer-cookies-row")
    extended.browser.click("#offer-cookies")
    extended.browser.until_text("#link", "Connected")
    extended.browser.click("#add [type=submit]")
    ready(server, 1)
    assert "cookie" not in sent(origin, "/film.mp4", after)


def test_o14_a_program_that_could_be_replaced_on_the_way_is_offered_no_cookies(extended, server, origin, samples):
    watch(extended, origin, samples)
    extended.set_program("http://nas.example:8420")
    extended.show_popup(origin.url("/watch"))
    known = extended.driver.window_handles
    extended.browser.until_text("#program", "nas.example:8420")
    extended.browser.click("#with-cookies")
    extended.browser.click("#streams button")
    extended.browser.until_text("#problem", "Cookies are handed over only to")
    assert extended.driver.window_handles == known
