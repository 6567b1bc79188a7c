# SPDX-License-Identifier: Apache-2.0
"""A page that reports a missing part instead of staying empty."""

import contextlib

import pytest

from harness import axe
from harness.broken_line import BrokenLine
from harness.server import Server


@pytest.fixture
def page(another_browser, request):
    """Opens the page over a line that drops some requests."""
    @contextlib.contextmanager
    def open_page(server, line, engine="chromium"):
        with line:
            if engine == "chromium":
                browser = another_browser(proxy=line.port)
            else:
                browser = request.getfixturevalue("firefox")
                browser.driver.go_through(line.port)
            browser.driver.get(server.address)
            yield browser, line
    return open_page


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
@pytest.mark.parametrize("part", ["format.js", "app.js", "store.js"])
def test_a_part_that_never_arrives_is_said_and_loaded_again(part, engine, program, page):
    server = Server(program)
    with page(server, BrokenLine(part), engine) as (browser, line):
        browser.until_shown("#incomplete")
        assert browser.find("#incomplete").text == (
            "A part of this page did not arrive\n"
            "Check the connection to the server, then load the page again.\nLoad again")
        if engine == "chromium":
            assert axe.violations(browser) == []
        browser.picture("incomplete")
        line.mend()
        browser.click("#incomplete button")
        browser.until_text("#link", "Connected")
        browser.until_shown("#address")
        assert not browser.all("#incomplete")


def test_a_part_that_is_late_once_needs_nobody(program, page):
    server = Server(program)
    # The first address with the token leads to the page.
    with page(server, BrokenLine("format.js", loads=2)) as (browser, _):
        browser.until_text("#link", "Connected")
        browser.until_shown("#address")
        assert not browser.all("#incomplete")


def test_a_shared_link_outlives_the_second_attempt(program, page):
    server = Server(program)
    with page(server, BrokenLine()) as (browser, line):
        browser.until_text("#link", "Connected")
        browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {
            "origin": server.origin, "storageTypes": "cache_storage,service_workers"})
        browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        line.broken, line.loads = [b"format.js"], 1
        browser.driver.get(f"{server.origin}/add?url=http://127.0.0.1:9/film.mp4")
        browser.until(lambda: browser.script("return document.querySelector('#address')?.value") == "http://127.0.0.1:9/film.mp4",
                      "the link is lost")
