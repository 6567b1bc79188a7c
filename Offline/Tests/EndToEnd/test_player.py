# SPDX-License-Identifier: Apache-2.0
"""The player on the page: its keys, its place in the address, and the time that follows the person."""

import pytest
from selenium.webdriver.common.keys import Keys

from harness import axe, media
from harness.browser import SERVER_GONE
from harness.server import Server


@pytest.fixture(scope="session")
def long_film(tmp_path_factory):
    """A film of two minutes with three chapters."""
    folder = tmp_path_factory.mktemp("long")
    notes = folder / "chapters.txt"
    starts = [0, 40, 80, 120]
    notes.write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle=Part {start // 40 + 1}\n"
        for start, end in zip(starts, starts[1:])))
    plain = media.make_film(folder / "plain.mp4", seconds=120, size="320x180")
    media.ffmpeg("-i", plain, "-i", notes, "-map_metadata", "1", "-map_chapters", "1", "-c", "copy",
                 "-movflags", "+faststart", folder / "Tide.mp4")
    return folder / "Tide.mp4"


@pytest.fixture
def server(program, origin, long_film):
    """A server with one film."""
    origin.serve({"/Tide.mp4": {"file": str(long_film)}})
    assert program.get(origin.url("/Tide.mp4")).code == 0
    return Server(program)


def now(browser):
    return browser.script("return document.querySelector('#player video').currentTime")


def is_paused(browser):
    return browser.script("return document.querySelector('#player video').paused")


def focused(browser):
    return browser.script("return document.activeElement.id || document.activeElement.className")


def press(browser, keys):
    browser.driver.switch_to.active_element.send_keys(keys)


def play(browser, server, address="", **options):
    browser.open(server.address + (address or "#library"), **options)
    browser.until_text("#link", "Connected")
    browser.click(".card .open")
    browser.until_shown("#player video")
    browser.until(lambda: now(browser) > 0, "it does not play")


def played(server):
    return server.call("GET", "/api/items/1/playback")


def test_o31_another_browser_goes_on_where_the_first_one_stopped(browser, server):
    play(browser, server)
    press(browser, "k")
    press(browser, "3")
    browser.until(lambda: played(server)["seconds"] == pytest.approx(36, abs=1), "the time is not recorded")
    assert browser.script("return Object.keys(localStorage).join()").find("position") < 0
    # A killed server has it, too, and another browser of the person asks for it.
    browser.expected = SERVER_GONE
    server.kill()
    server.start()
    browser.forget()
    browser.open(server.address)
    browser.until_text("#continue", "1 min left")
    browser.picture("continue")
    browser.click(".card a[href='#item-1']")
    browser.until_text("#item-play", "Resume 0:36")
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 35.9, "it does not resume")
    # At its end it is watched, and begins again.
    press(browser, "k")
    browser.script("document.querySelector('#player video').currentTime = 119.9")
    press(browser, "k")
    browser.until(lambda: played(server)["isWatched"], "it is not watched")
    assert played(server)["seconds"] == 0


def test_o31_an_open_page_follows_what_another_device_plays(browser, server):
    browser.open(server.address + "#library")
    browser.until_shown("#cards .card")
    assert not browser.find("#cards .seen").is_displayed()
    server.call("PUT", "/api/items/1/playback", {"seconds": 60})
    browser.until_shown("#cards .seen")
    browser.click("#unwatched")
    browser.until(lambda: "watched=false" in browser.driver.current_url, "the choice is not in the address")
    browser.until_shown("#cards .card")
    browser.section("home")
    browser.until_shown("#continue li")
    browser.driver.back()
    server.call("PUT", "/api/items/1/playback", {"isWatched": True})
    browser.until_text("#library-none", "Everything in the library is watched.")
    browser.click("#unwatched")
    browser.until_shown("#cards .watched")
    browser.section("home")
    browser.until_hidden("#continue")


def test_keys_lead_through_the_player_and_back(browser, server):
    play(browser, server)
    press(browser, " ")
    browser.until(lambda: is_paused(browser), "the space bar does not pause")
    for key, expected in [("5", 60), ("l", 70), (Keys.ARROW_RIGHT, 80), ("j", 70), (Keys.ARROW_LEFT, 60), ("0", 0)]:
        press(browser, key)
        browser.until(lambda: now(browser) == pytest.approx(expected, abs=0.2), f"{key} leads to {now(browser)}")
    press(browser, "m")
    assert browser.script("return document.querySelector('#player video').muted")
    press(browser, ">")
    assert browser.script("return document.querySelector('#player video').playbackRate") == 1.25
    press(browser, "f")
    browser.until(lambda: browser.script("return document.fullscreenElement?.id") == "player", "F has no effect")
    press(browser, "f")
    browser.until(lambda: not browser.script("return document.fullscreenElement !== null"), "F does not leave")
    # The keys also work where the focus is on a control, and the bar says where it is.
    browser.script("document.querySelector('#player-seek').focus()")
    press(browser, Keys.ARROW_RIGHT)
    browser.until(lambda: "0:10 of 2:00, Part 1" in browser.find("#player-seek").get_attribute("aria-valuetext"),
                  "the bar does not name its time")
    press(browser, Keys.ESCAPE)
    browser.until_hidden("#player")
    assert focused(browser) == "open"
    # The speed is remembered.
    browser.click(".card .open")
    browser.until(lambda: now(browser) > 0, "it does not play again")
    assert browser.script("return document.querySelector('#player video').playbackRate") == 1.25


def test_back_closes_the_player_and_keeps_the_place_beneath(browser, server):
    browser.open(server.address)
    browser.click(".card a[href='#item-1']")
    browser.click("#item-play")
    browser.until_shown("#player video")
    browser.until(lambda: browser.driver.current_url.endswith("#play-1"), "it has no address")
    browser.until(lambda: now(browser) > 0, "it does not play")
    assert browser.find("#item-section").get_attribute("hidden") is None
    assert browser.find("#library-section").get_attribute("hidden")
    browser.driver.back()
    browser.until_hidden("#player")
    assert browser.find("#item-section").is_displayed()
    assert browser.driver.current_url.endswith("#item-1") and focused(browser) == "item-play"
    # Forward plays again, and a reload stays in the player.
    browser.driver.forward()
    browser.until_shown("#player video")
    browser.driver.refresh()
    browser.until_shown("#player video")
    browser.click("#player-close")
    browser.until_shown("#item-section")
    assert browser.driver.current_url.endswith("#item-1")


def test_the_film_goes_on_in_a_bar_while_the_person_browses(browser, server):
    play(browser, server)
    video = browser.find("#player video")
    browser.click("#player-shrink")
    browser.until_shown(".player-bar .back-to")
    assert focused(browser) == "open"
    browser.section("downloads")
    time = now(browser)
    browser.until(lambda: now(browser) > time, "it does not go on")
    browser.picture("bar")
    browser.click(".player-bar .back-to")
    browser.until_shown("#player-seek")
    # The same element: nothing was loaded again.
    assert browser.find("#player video") == video
    browser.driver.back()
    browser.until_hidden("#player")
    assert browser.find("#downloads-section").is_displayed()


def test_without_the_server_play_says_so_and_goes_on_when_it_is_back(browser, server):
    browser.open(server.address + "#library")
    browser.until_shown("#cards .card")
    browser.expected = SERVER_GONE
    server.kill()
    browser.until_shown("#lost")
    browser.click(".card .open")
    browser.until_text("#player-trouble", "Start it with “offline serve”")
    assert "cannot play" not in browser.find("#player").text
    browser.picture("player-gone")
    server.start()
    browser.until(lambda: now(browser) > 0, "it does not go on by itself")
    browser.until_hidden("#player-trouble")


@pytest.mark.parametrize("width", [360, 1280])
def test_the_player_and_the_page_of_an_item_are_accessible(width, browser, server):
    server.call("PUT", "/api/items/1/playback", {"seconds": 60})
    browser.open(server.address + "#item-1", width=width, dark=width == 360)
    browser.until_shown("#item-chapters")
    assert axe.violations(browser) == []
    browser.click("#item-play")
    browser.until_shown("#player-chapters")
    browser.click("#player [popovertarget]")
    browser.until_shown("#player-speed")
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    press(browser, Keys.ESCAPE)
    browser.click("#player-shrink")
    browser.until_shown(".player-bar .back-to")
    assert axe.violations(browser) == []
