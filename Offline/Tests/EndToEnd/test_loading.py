# SPDX-License-Identifier: Apache-2.0
"""A page of which a part does not arrive says so, instead of staying empty."""

import contextlib

import pytest

from harness import axe
from harness.broken_line import BrokenLine
from harness.browser import start_browser
from harness.firefox import start_firefox
from harness.server import Server


@contextlib.contextmanager
def page(server, profile, line, start=start_browser):
    """Opens the page over a line that does not carry everything."""
    profile.mkdir()
    with line, contextlib.ExitStack() as stack:
        if start is start_browser:
            browser = start_browser(profile, proxy=line.port)
        else:
            browser = start_firefox(profile, {
                "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": line.port,
                "network.proxy.allow_hijacking_localhost": True})
        stack.callback(browser.close)
        browser.driver.get(server.address)
        yield browser, line


@pytest.mark.parametrize("start", [start_browser, start_firefox])
@pytest.mark.parametrize("part", ["format.js", "app.js", "store.js"])
def test_a_part_that_never_arrives_is_said_and_loaded_again(part, start, program, tmp_path):
    server = Server(program)
    with page(server, tmp_path / "profile", BrokenLine(part), start) as (browser, line):
        browser.until_shown("#incomplete")
        assert browser.find("#incomplete").text == (
            "A part of this page did not arrive\n"
            "Check the connection to the server, then load the page again.\nLoad again")
        if start is start_browser:
            assert axe.violations(browser) == []
        browser.picture("incomplete")
        line.mend()
        browser.click("#incomplete button")
        browser.until_text("#link", "Connected")
        browser.until_shown("#address")
        assert not browser.all("#incomplete")


def test_a_part_that_is_late_once_needs_nobody(program, tmp_path):
    server = Server(program)
    # The first address, which has the token, leads to the page.
    with page(server, tmp_path / "profile", BrokenLine("format.js", loads=2)) as (browser, _):
        browser.until_text("#link", "Connected")
        browser.until_shown("#address")
        assert not browser.all("#incomplete")


def test_a_shared_link_outlives_the_second_attempt(program, tmp_path):
    server = Server(program)
    with page(server, tmp_path / "profile", BrokenLine()) as (browser, line):
        browser.until_text("#link", "Connected")
        browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {
            "origin": server.origin, "storageTypes": "cache_storage,service_workers"})
        browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        line.broken, line.loads = [b"format.js"], 1
        browser.driver.get(f"{server.origin}/add?url=http://127.0.0.1:9/film.mp4")
        browser.until(lambda: browser.script("return document.querySelector('#address')?.value") == "http://127.0.0.1:9/film.mp4",
                      "the link is lost")
