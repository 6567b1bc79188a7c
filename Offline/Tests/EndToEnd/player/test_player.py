# SPDX-License-Identifier: Apache-2.0
"""The player on the page: keys, address, and the time that the server stores for the user."""

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


def test_o31_another_browser_goes_on_where_the_first_one_stopped(browser, another_browser, server):
    play(browser, server)
    press(browser, "k")
    press(browser, "3")
    browser.until(lambda: played(server)["seconds"] == pytest.approx(36, abs=1), "the time is not recorded")
    assert browser.script("return Object.keys(localStorage).join()").find("position") < 0
    # A killed server has stored the time, and another browser of the user requests it.
    browser.expected = SERVER_GONE
    server.kill()
    server.start()
    browser.driver.get("about:blank")
    browser = another_browser()
    browser.open(server.address)
    browser.until_text("#continue", "1 min left")
    browser.picture("continue")
    browser.click(".card a[href='#item-1']")
    browser.until_text("#item-play", "Resume 0:36")
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 35.9, "it does not resume")
    # At the end, the film counts as watched and starts again.
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


# Records the addresses that the page requests from now on.
ASKED = """
const real = window.fetch;
window.asked = [];
window.fetch = (path, options) => { window.asked.push(path); return real(path, options); };
"""


def test_o31_nothing_is_recorded_for_a_film_that_leaves_the_library_while_it_plays(browser, server):
    play(browser, server)
    press(browser, "k")
    browser.script("document.querySelector('#player video').currentTime = 30")
    browser.until(lambda: played(server)["seconds"] == pytest.approx(30, abs=0.1), "the time is not recorded")
    # The playing film may still request bytes of the file.
    browser.expected = ["/media/1"]
    browser.script(ASKED)
    server.call("DELETE", "/api/items/1?withFile=true")
    browser.until(lambda: browser.all("#cards .card") == [], "the card stays")
    browser.script("document.querySelector('#player video').currentTime = 31")
    browser.until(lambda: browser.script("return !document.querySelector('#player video').seeking"), "it does not seek")
    browser.click("#player-close")
    browser.until_hidden("#player")
    assert not [path for path in browser.script("return window.asked") if path.endswith("/playback")]


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
    # The keys also work while a control has the focus, and the bar shows the time.
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
    # Forward plays the film again, and a reload stays in the player.
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
    # The page has the same element and so has loaded nothing again.
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


@pytest.fixture
def films(program, origin, samples):
    """A server with four films and a text: Night, Noon, Dawn, Dusk and Words, the oldest first."""
    names = ["Night.mp4", "Noon.mp4", "Dawn.mp4", "Dusk.mp4"]
    origin.serve({**{f"/{name}": {"file": str(samples.lasting)} for name in names}, "/Words.txt": {"text": "words"}})
    server = Server(program, "--allow-private")
    for number, name in enumerate([*names, "Words.txt"], 1):
        server.download(origin.url(f"/{name}"))
        server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")
    return server


def choose_next(browser, *titles):
    """Plays these items next through the menus of the cards."""
    for title in titles:
        browser.click(f'#cards summary[aria-label="More for {title}"]')
        browser.click(f'#cards button[aria-label="Play {title} next"]')


def playing(browser, title):
    def is_playing():
        return browser.find("#player-title").get_attribute("textContent") == title and now(browser) > 0
    browser.until(is_playing, f"{title} does not play")


def queued(browser):
    return browser.script("return [...document.querySelectorAll('#player-queue .go-to')].map((each) => each.textContent)")


def end(browser):
    browser.script("const video = document.querySelector('#player video'); video.currentTime = video.duration - 0.05; video.play()")


def test_items_play_next_in_order_and_after_a_reload(browser, films):
    browser.open(films.address + "#library")
    browser.until_text("#link", "Connected")
    # Nothing plays, so the first item starts.
    choose_next(browser, "Dusk")
    playing(browser, "Dusk")
    assert browser.driver.current_url.endswith("#play-4")
    browser.click("#player-shrink")
    choose_next(browser, "Noon", "Night")
    browser.until_text("#announcer", "Night plays next.")
    # Text items do not play.
    browser.click('#cards summary[aria-label="More for Words"]')
    assert not browser.find('#cards button[aria-label="Play Words next"]').is_displayed()
    press(browser, Keys.ESCAPE)
    choose_next(browser, "Dawn")
    # In the bar, the next item keeps the place below.
    end(browser)
    playing(browser, "Noon")
    assert browser.driver.current_url.endswith("#library")
    browser.click(".player-bar .back-to")
    browser.until(lambda: queued(browser) == ["Night", "Dawn"], "the queue is not shown")
    browser.driver.refresh()
    browser.until(lambda: queued(browser) == ["Night", "Dawn"], "the queue is lost")
    playing(browser, "Noon")
    # The key leads to the next and the previous item. The address follows, and Back leaves the
    # player.
    browser.find("#player").send_keys("n")
    playing(browser, "Night")
    assert browser.driver.current_url.endswith("#play-1")
    browser.find("#player").send_keys("p")
    playing(browser, "Noon")
    assert queued(browser) == ["Night", "Dawn"]
    browser.click('#player-queue [aria-label="Remove Night from the queue"]')
    browser.until(lambda: queued(browser) == ["Dawn"], "it stays in the queue")
    browser.click("#player-skip")
    playing(browser, "Dawn")
    browser.until_hidden("#player-next")
    browser.driver.back()
    browser.until_hidden("#player")
    assert browser.driver.current_url.endswith("#library")


def test_the_selection_plays_next_and_a_removed_item_is_left_out(browser, films):
    browser.open(films.address + "#library")
    browser.until_text("#link", "Connected")
    browser.click("#select")
    browser.click("#select-all")
    browser.until_text("#selection .count", "5 selected")
    browser.click("#selection-next")
    playing(browser, "Dusk")
    browser.until(lambda: queued(browser) == ["Dawn", "Noon", "Night"], "the queue has another order")
    assert not browser.find("#selection").is_displayed()
    films.call("DELETE", "/api/items/3?withFile=true")
    browser.until(lambda: queued(browser) == ["Noon", "Night"], "a removed item stays in the queue")
    browser.click('#player-queue [aria-label="Play Night now"]')
    playing(browser, "Night")
    assert queued(browser) == ["Noon"]
    browser.click("#player-close")
    browser.until_hidden("#player")
    assert focused(browser) == "select"


ACTIONS = """
window.actions = {};
navigator.mediaSession.setActionHandler = (name, action) => { window.actions[name] = action; };
"""


def test_the_keys_of_the_system_lead_on_and_back(browser, films):
    browser.open(films.address + "#library")
    browser.until_text("#link", "Connected")
    browser.script(ACTIONS)
    choose_next(browser, "Dusk")
    playing(browser, "Dusk")
    browser.click("#player-shrink")
    choose_next(browser, "Noon")
    browser.script("document.querySelector('#player video').pause()")
    browser.script("window.actions.nexttrack()")
    playing(browser, "Noon")
    browser.script("window.actions.previoustrack()")
    playing(browser, "Dusk")
    assert queued(browser) == ["Noon"]


TIMER = """
const real = window.setTimeout;
window.setTimeout = (body, delay) => { if (delay === 2500) return 0; if (delay !== 900000) return real(body, delay); window.sleep = body; return real(() => {}, delay); };
const clear = window.clearTimeout;
window.clearTimeout = (timer) => { if (timer) clear(timer); window.cleared = true; };
"""


def test_the_timer_stops_before_the_next_item_or_survives_it(browser, films):
    browser.open(films.address + "#library")
    browser.until_text("#link", "Connected")
    browser.script(TIMER)
    choose_next(browser, "Dusk")
    playing(browser, "Dusk")
    browser.click("#player-shrink")
    choose_next(browser, "Noon", "Dawn")
    browser.click(".player-bar .back-to")
    browser.click("#player [popovertarget]")
    browser.find('#player-sleep option[value="end"]').click()
    end(browser)
    browser.until_text("#player-said", "Stopped by the timer.")
    assert browser.find("#player-title").text == "Dusk" and is_paused(browser)
    assert queued(browser) == ["Noon", "Dawn"]
    browser.find('#player-sleep option[value="15"]').click()
    browser.script("document.querySelector('#player-tuning').hidePopover()")
    browser.find("#player").send_keys("n")
    playing(browser, "Noon")
    assert browser.script("return document.querySelector('#player-sleep').value") == "15"
    browser.script("window.sleep()")
    browser.until(lambda: is_paused(browser), "the timer was forgotten")
    # Closing the player resets the timer.
    browser.script("document.querySelector('#player-sleep').value = '30'")
    browser.click("#player-close")
    browser.until_hidden("#player")
    assert browser.script("return document.querySelector('#player-sleep').value") == ""


def test_a_queue_with_nonsense_and_a_removed_item_goes_on(browser, films):
    browser.open(films.address + "#library")
    browser.until_text("#link", "Connected")
    choose_next(browser, "Dusk")
    playing(browser, "Dusk")
    # Invalid data that another version has left.
    browser.script("""sessionStorage.setItem("player:next", JSON.stringify(
        { now: 4, queue: [{ id: 2, title: "Noon" }, { id: "x" }, null], past: [] }))""")
    browser.driver.refresh()
    browser.until_shown("#player")
    browser.until(lambda: queued(browser) == [], "nonsense is shown")
    browser.script("""sessionStorage.setItem("player:next", JSON.stringify(
        { now: 4, queue: [{ id: 2, title: "Noon" }, { id: 99, title: "Gone" }, { id: 1, title: "Night" }], past: [] }))""")
    browser.driver.refresh()
    browser.until(lambda: len(queued(browser)) == 3, "the queue is lost")
    playing(browser, "Dusk")
    # Without a connection, the player waits for the removed item. The player covers the state.
    browser.until(lambda: browser.script("return document.querySelector('#link').dataset.state") == "open",
                  "it does not connect")
    browser.find("#player").send_keys("n")
    playing(browser, "Noon")
    # The next item is gone, so the following item plays.
    browser.script("document.querySelector('#player video').pause()")
    browser.find("#player").send_keys("n")
    playing(browser, "Night")
    assert queued(browser) == []


@pytest.mark.parametrize("width", [360, 1280])
def test_the_player_with_a_queue_is_accessible(width, browser, films):
    browser.open(films.address + "#library", width=width, height=740, dark=width == 1280)
    browser.until_text("#link", "Connected")
    choose_next(browser, "Dusk")
    playing(browser, "Dusk")
    browser.click("#player-shrink")
    choose_next(browser, "Noon", "Dawn", "Night")
    browser.click(".player-bar .back-to")
    browser.until_shown("#player-queue")
    if width == 1280:
        assert browser.find(".controls .onward").get_attribute("title") == "Next: Noon"
        assert browser.find(".controls .onward").is_displayed()
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    browser.picture(f"player-queue-{width}")
    browser.force_colors(True)
    assert axe.violations(browser, axe.COLORS) == []


def test_firefox_obeys_the_keys_of_the_player(server, firefox):
    firefox.driver.get(server.address + "#library")
    firefox.until_text("#link", "Connected")
    firefox.click(".card .open")
    firefox.until_shown("#player video")
    firefox.until(lambda: now(firefox) > 0, "it does not play")
    press(firefox, "k")
    firefox.until(lambda: is_paused(firefox), "K does not pause")
    for key, expected in [("5", 60), ("l", 70), (Keys.ARROW_LEFT, 60), ("j", 50), ("0", 0)]:
        press(firefox, key)
        firefox.until(lambda: now(firefox) == pytest.approx(expected, abs=0.2), f"{key} leads to {now(firefox)}")
    press(firefox, "m")
    assert firefox.script("return document.querySelector('#player video').muted")
    press(firefox, ">")
    assert firefox.script("return document.querySelector('#player video').playbackRate") == 1.25
    assert axe.violations(firefox) == []
    press(firefox, Keys.ESCAPE)
    firefox.until_hidden("#player")
    assert focused(firefox) == "open"


def test_o31_two_browsers_at_once_show_what_the_other_one_does(browser, server, firefox):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    firefox.driver.get(server.address + "#library")
    firefox.until_text("#link", "Connected")
    firefox.click(".card .open")
    firefox.until_shown("#player video")
    firefox.until(lambda: now(firefox) > 0, "it does not play")
    press(firefox, "5")
    press(firefox, "k")
    browser.until_shown("#continue li")
    press(firefox, Keys.ESCAPE)
    browser.section("library")
    browser.click("#cards summary")
    browser.click("#cards .menu button[aria-label^=Rename]")
    title = browser.until_shown("#ask input")
    title.clear()
    title.send_keys("Flood", Keys.ENTER)
    firefox.until_text("#cards h2", "Flood")
    # On a busy machine, the first browser may still wait for the answer.
    browser.expected.append("/api/items/1/rename")
    server.call("DELETE", "/api/items/1?withFile=true")
    for each in (browser, firefox):
        each.until_shown("#library-empty")


# The visible controls that do not receive a click at their middle.
COVERED = """
return [...document.querySelectorAll(".controls :is(button, input)")].filter((each) => each.checkVisibility()).filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  return !each.parentElement.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((each) => each.title || each.id);
"""


@pytest.mark.parametrize("width, height", [(1280, 800), (1920, 1080), (1024, 600), (640, 360), (390, 844)])
def test_the_film_covers_none_of_its_controls(width, height, browser, server):
    play(browser, server, width=width, height=height)
    browser.until(lambda: len(browser.all("#player-chapter-list li")) == 3, "the chapters are missing")
    assert browser.script(COVERED) == []
    stage, controls = browser.find(".stage video").rect, browser.find(".controls").rect
    assert stage["y"] + stage["height"] <= controls["y"] + 1
    assert stage["height"] > height * 0.5
    browser.picture(f"player-{width}")
