# SPDX-License-Identifier: Apache-2.0
"""No control moves under the pointer while a place of the page is filled."""

import contextlib
import shutil

import pytest
from selenium.webdriver.common.keys import Keys

from harness import media
from harness.feeds import parts, serve
from harness.movements import assert_still, record
from harness.places import CONTENT, fill
from harness.program import Program
from harness.server import Server

PLACES = ["home", "library", "library?media=video", "library?collection=1", "downloads", "following",
          "notifications", "settings", "lessons", "diagnostics", "activity", "kept", "item-5",
          "item-6"]
# The places with a link, each reached from the previous place.
WAY = ["library", "downloads", "following", "notifications", "settings", "diagnostics", "activity",
       "lessons", "kept", "library?media=audio", "item-6", "home"]


@pytest.fixture(scope="module")
def full(origins, samples, tmp_path_factory):
    """A server with items of all states and a started film with all parts.

    The server also has a collection, a feed and messages.
    """
    with contextlib.closing(origins.another()) as origin, \
            contextlib.closing(Program(tmp_path_factory.mktemp("full"))) as program:
        program.added["OFFLINE_DIAGNOSTICS"] = "on"
        server = Server(program, "--allow-private")
        fill(server, origin, samples, crawl=[300_000, 100, 5])
        film = media.add_chapters(samples.lasting, program.library / "Tide.mp4", [0, 80, 160], 240)
        film.with_suffix(".en.vtt").write_text("WEBVTT\n\n00:00.000 --> 01:00.000\nLow water\n")
        server.call("POST", "/api/refresh", {"import": True})
        server.call("PUT", "/api/items/6/playback", {"seconds": 20})
        server.call("POST", "/api/collections", {"name": "Train", "items": [2, 1]})
        server.call("POST", "/api/feeds", {"address": serve(origin, parts(1, 2)), "entries": "new"})
        yield server


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("place", PLACES)
def test_a_place_that_is_opened_moves_no_control(place, width, full, another_browser):
    browser = another_browser()
    record(browser)
    browser.open(f"{full.origin}/?token={full.token}#{place}", width=width, height=800)
    browser.until(lambda: browser.find("#link").get_attribute("data-state") == "open", "no connection")
    browser.until_shown({**CONTENT, "library?media=video": "#cards .card", "library?collection=1": "#cards .card",
                         "kept": "#kept-none", "item-5": "#item-remove", "item-6": "#item-play"}[place])
    assert_still(browser)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_place_that_follows_another_moves_no_control(width, full, another_browser):
    browser = another_browser()
    record(browser)
    browser.open(f"{full.origin}/?token={full.token}#home", width=width, height=800)
    browser.until(lambda: browser.find("#link").get_attribute("data-state") == "open", "no connection")
    assert_still(browser)
    for place in WAY:
        browser.script("location.hash = arguments[0]", place)
        browser.until_shown(f"#{place.partition('?')[0].partition('-')[0]}-section")
        assert_still(browser)


@pytest.mark.parametrize("width", [360, 1280])
def test_the_list_of_kept_films_moves_no_control(width, full, another_browser):
    browser = another_browser()
    browser.open(f"{full.origin}/?token={full.token}#item-6", width=width, height=800)
    browser.click("#keep-begin")
    browser.until_text("#keep-state", "Kept")
    record(browser)
    browser.open("about:blank")
    browser.open(f"{full.origin}/#kept", width=width, height=800)
    browser.until_text("#kept-rows", "Tide")
    browser.until_text("#kept-used", "used")
    assert_still(browser)


@pytest.fixture
def many(program, samples):
    """A server with more items than a snapshot has, of which the first is a film."""
    program.library.mkdir(parents=True)
    shutil.copy(samples.lasting, program.library / "Tide.mp4")
    assert program.run("refresh", "--import").code == 0
    for number in range(201):
        (program.library / f"{number}.txt").write_text(f"The text {number}.\n")
    assert program.run("refresh", "--import").code == 0
    return Server(program)


def arrive(server, name):
    """Imports one more file, after which the server sends a snapshot."""
    (server.program.library / name).write_text("One more.\n")
    server.call("POST", "/api/refresh", {"import": True})


def test_a_snapshot_keeps_the_newest_time_of_an_older_film(many, browser):
    many.call("PUT", "/api/items/1/playback", {"seconds": 60})
    browser.open(many.address)
    browser.until_text("#continue", "Tide")
    many.call("PUT", "/api/items/1/playback", {"seconds": 180})
    browser.until_text("#continue", "1 min left")
    arrive(many, "late.txt")
    browser.until_text("#arrived", "late")
    browser.until_text("#continue", "1 min left")


def test_a_snapshot_keeps_what_is_typed_on_the_page_of_an_older_item(many, browser):
    browser.open(f"{many.address}#item-1")
    browser.click("#item-rename")
    field = browser.until_shown("#item-new-title")
    field.clear()
    field.send_keys("Low tide")
    arrive(many, "late.txt")
    browser.until_text("#library-count", "203")
    assert field.get_attribute("value") == "Low tide"
    field.send_keys(Keys.ENTER)
    browser.until_text("#item-title", "Low tide")


def test_the_tabs_of_a_phone_stand_before_the_last_one_is_read(full, another_browser):
    browser = another_browser()
    browser.open(f"{full.origin}/?token={full.token}#home", width=360, height=800)
    browser.until_shown("#home-section")
    tabs = [tab.rect["x"] for tab in browser.all("nav > a")]
    # A browser may draw the first tabs before reading the remaining tabs.
    browser.script("document.getElementById('more').remove()")
    assert [tab.rect["x"] for tab in browser.all("nav > a")] == tabs
