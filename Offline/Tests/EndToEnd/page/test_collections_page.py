# SPDX-License-Identifier: Apache-2.0
"""Collections on the page, with the dialog, the Library, the order and the next item to play."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from harness import axe
from harness.browser import SERVER_GONE
from harness.server import Server

NAMES = ["Night.mp4", "Noon.mp4", "Words.txt", "Dawn.mp4", "Dusk.mp4"]


@pytest.fixture
def server(program, origin, samples):
    """A server with four films and a text, the oldest first: Night, Noon, Words, Dawn and Dusk."""
    origin.serve({f"/{name}": {"file": str(samples.lasting)} if name.endswith("mp4") else {"text": "words"} for name in NAMES})
    server = Server(program, "--allow-private")
    for number, name in enumerate(NAMES, 1):
        server.download(origin.url(f"/{name}"))
        server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")
    return server


def make(server, name, *items):
    return server.call("POST", "/api/collections", {"name": name, "items": list(items)})["id"]


def collections(server):
    return {each["name"]: each["items"] for each in server.call("GET", "/api/collections")["collections"]}


def until_saved(browser, server, wanted):
    browser.until(lambda: collections(server) == wanted, f"the server has {collections(server)}")


def open_library(browser, server, address="#library", **options):
    browser.open(server.address + address, **options)
    browser.until_text("#link", "Connected")
    browser.until_shown("#cards > .card")


def titles(browser):
    return browser.script("return [...document.querySelectorAll('#cards .card h2')].map((each) => each.textContent)")


def until_titles(browser, *wanted):
    browser.until(lambda: titles(browser) == list(wanted), f"not {wanted}")


def menu(browser, title, action):
    browser.click(f'#cards summary[aria-label="More for {title}"]')
    browser.click(f'#cards button[aria-label="{action}"]')


def select(browser, *found):
    browser.click("#select")
    for title in found:
        browser.click(f'#cards [aria-label="Select {title}"]')


def press(browser, keys):
    browser.driver.switch_to.active_element.send_keys(keys)


def focused(browser):
    return browser.script("return document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")


def until_focused(browser, text):
    browser.until(lambda: focused(browser).endswith(text), f"the focus is not on {text}")


def poster(browser, title):
    return browser.resting(lambda: browser.find(f'#cards [aria-label="Play {title}"]'), title)


def tick(browser, name):
    browser.click(".ticks label", name)


def until_playing(browser, title):
    browser.until(lambda: browser.find("#player-title").get_attribute("textContent") == title and browser.script(
        "return document.querySelector('#player video')?.currentTime > 0"), f"{title} does not play")


def end(browser):
    browser.script("const video = document.querySelector('#player video'); video.currentTime = video.duration - 0.05; video.play()")


def test_the_dialog_ticks_collections_and_makes_one(browser, server):
    make(server, "Old", 1)
    open_library(browser, server)
    select(browser, "Dusk", "Night")
    browser.click("#selection-collect")
    browser.until_text("#ask-title", "Collections of 2 items")
    # Only one selected item is in the collection.
    assert browser.script("return document.querySelector('.ticks input').indeterminate")
    assert browser.script("return document.activeElement.type") == "checkbox"
    browser.find("#new-collection").send_keys("For the train", Keys.ENTER)
    until_saved(browser, server, {"Old": [1], "For the train": [5, 1]})
    browser.until_hidden("#selection")
    until_focused(browser, "Night")
    browser.expected = ["409"]
    # If another collection has the name, the dialog stays open with the typed name.
    menu(browser, "Dawn", "Collections of Dawn")
    browser.until_text("#ask-title", "Collections of “Dawn”")
    tick(browser, "Old")
    browser.find("#new-collection").send_keys("for the TRAIN", Keys.ENTER)
    browser.until(lambda: browser.find("#ask .error").text != "", "no error is shown")
    assert browser.find("#new-collection").get_attribute("value") == "for the TRAIN"
    browser.find("#new-collection").clear()
    tick(browser, "For the train")
    browser.click("#ask .primary")
    until_saved(browser, server, {"Old": [1, 4], "For the train": [5, 1, 4]})
    browser.until_hidden("#ask")
    until_focused(browser, "More for Dawn")
    menu(browser, "Dawn", "Collections of Dawn")
    browser.until_shown(".ticks")
    tick(browser, "Old")
    press(browser, Keys.ESCAPE)
    browser.until_hidden("#ask")
    # Escape changes nothing.
    menu(browser, "Dawn", "Collections of Dawn")
    browser.until_shown(".ticks")
    tick(browser, "For the train")
    browser.click("#ask .primary")
    until_saved(browser, server, {"Old": [1, 4], "For the train": [5, 1]})


def test_a_collection_is_in_the_address_and_has_its_own_order(browser, server):
    number = make(server, "Trip", 5, 1, 4)
    open_library(browser, server)
    # The collections come with the response to a separate request.
    browser.until(lambda: browser.all(f'#collection option[value="{number}"]'), "the collection is not listed")
    browser.find(f'#collection option[value="{number}"]').click()
    until_titles(browser, "Dusk", "Night", "Dawn")
    assert browser.driver.current_url.endswith(f"#library?collection={number}")
    browser.until_text("#collection-name", "Trip")
    assert browser.driver.title == "Trip · Offline"
    browser.driver.refresh()
    until_titles(browser, "Dusk", "Night", "Dawn")
    assert browser.find("#order").get_attribute("value") == "collection"
    browser.find('#order option[value="title"]').click()
    until_titles(browser, "Dawn", "Dusk", "Night")
    browser.click('[aria-label="More for Dusk"]')
    browser.until_shown('[aria-label="Rename Dusk"]')
    assert not browser.find('[aria-label="Move Dusk up"]').is_displayed()
    browser.driver.back()
    until_titles(browser, "Dusk", "Night", "Dawn")
    browser.driver.back()
    until_titles(browser, "Dusk", "Dawn", "Words", "Noon", "Night")
    browser.until_hidden("#collection-head")
    assert browser.driver.title == "Library · Offline"
    # An address of an unknown collection does not show an empty library.
    browser.driver.get(f"{server.origin}/#library?collection=999")
    browser.until_text("#collection-name", "There is no such collection")
    browser.find('#collection option[value="0"]').click()
    browser.until(lambda: len(titles(browser)) == 5, "the library is not shown")


# The page does not get the changes of another browser until this script permits the request.
HELD = """
const real = window.fetch;
Object.assign(window, { held: true, refused: 0 });
window.fetch = (path, options) => {
  if (!window.held || path !== "/api/collections") return real(path, options);
  window.refused += 1;
  return Promise.reject(new TypeError());
};
"""


def test_items_move_by_menu_by_keys_and_by_dragging(browser, server):
    number = make(server, "Trip", 5, 1, 4, 2)
    open_library(browser, server, f"#library?collection={number}")
    until_titles(browser, "Dusk", "Night", "Dawn", "Noon")
    menu(browser, "Dawn", "Move Dawn up")
    until_titles(browser, "Dusk", "Dawn", "Night", "Noon")
    until_focused(browser, "More for Dawn")
    browser.script("arguments[0].focus()", poster(browser, "Noon"))
    press(browser, Keys.ALT + Keys.ARROW_UP)
    until_titles(browser, "Dusk", "Dawn", "Noon", "Night")
    until_focused(browser, "Play Noon")
    browser.until_text("#announcer", "Noon moved up.")
    source, target = (poster(browser, title) for title in ("Noon", "Dusk"))
    ActionChains(browser.driver).click_and_hold(source).move_to_element_with_offset(target, -60, 0).release().perform()
    until_titles(browser, "Noon", "Dusk", "Dawn", "Night")
    until_saved(browser, server, {"Trip": [2, 5, 4, 1]})
    # A drag that ends at its start plays nothing.
    ActionChains(browser.driver).click_and_hold(poster(browser, "Noon")).move_by_offset(30, 0).release().perform()
    assert not browser.find("#player").is_displayed()
    # The order of another browser arrives, and a move does not lose the additions of that browser.
    server.call("PATCH", f"/api/collections/{number}", {"items": [1, 2, 5, 4]})
    until_titles(browser, "Night", "Noon", "Dusk", "Dawn")
    browser.script(HELD)
    server.call("POST", f"/api/collections/{number}/items", {"items": [3]})
    browser.until(lambda: browser.script("return window.refused > 0"), "the page does not ask for the collections")
    browser.script("window.held = false")
    menu(browser, "Night", "Move Night down")
    until_saved(browser, server, {"Trip": [2, 1, 5, 4, 3]})


def test_items_are_taken_out_and_stay_in_the_library(browser, server):
    number = make(server, "Trip", 5, 1, 4)
    open_library(browser, server, f"#library?collection={number}")
    until_titles(browser, "Dusk", "Night", "Dawn")
    menu(browser, "Night", "Take Night out of the collection")
    until_titles(browser, "Dusk", "Dawn")
    select(browser, "Dusk", "Dawn")
    browser.click("#selection-out")
    browser.until_text("#library-none", "Nothing is in this collection.")
    until_saved(browser, server, {"Trip": []})
    assert len(server.items()) == 5
    # The event of the change may arrive before the answer to the request, which ends the selection.
    browser.until_hidden("#selection")


def test_the_menu_renames_and_deletes_a_collection(browser, server):
    number = make(server, "Trip", 5)
    make(server, "Other")
    open_library(browser, server, f"#library?collection={number}")
    browser.until_text("#collection-name", "Trip")
    browser.click("#collection-head summary")
    browser.click("#collection-rename")
    browser.expected = ["409"]
    browser.type("#collection-new-name", "other")
    browser.until(lambda: browser.find("#ask .error").text != "", "a name that another one has is taken")
    browser.type("#collection-new-name", "Voyage")
    browser.until_text("#collection-name", "Voyage")
    assert set(collections(server)) == {"Voyage", "Other"}
    browser.click("#collection-head summary")
    browser.click("#collection-delete")
    browser.until_text("#ask", "Its items stay in the library.")
    browser.click("#ask .danger")
    browser.until(lambda: len(titles(browser)) == 5, "the library is not shown")
    assert browser.driver.current_url.endswith("#library")
    assert set(collections(server)) == {"Other"} and len(server.items()) == 5


def test_the_next_item_of_the_collection_plays(browser, server):
    number = make(server, "Trip", 5, 3, 1, 4)
    open_library(browser, server, f"#library?collection={number}")
    until_titles(browser, "Dusk", "Words", "Night", "Dawn")
    browser.click("#collection-play")
    until_playing(browser, "Dusk")
    browser.until_text("#player-rest-title", "From “Trip”")
    # A text item does not play.
    rest = "return [...document.querySelectorAll('#player-rest .go-to')].map((each) => each.textContent)"
    browser.until(lambda: browser.script(rest) == ["Night", "Dawn"], "the rest is not shown")
    end(browser)
    until_playing(browser, "Night")
    # The rest also appears after a reload, in the order of another browser.
    server.call("PATCH", f"/api/collections/{number}", {"items": [5, 3, 1, 2, 4]})
    browser.driver.refresh()
    until_playing(browser, "Night")
    browser.until(lambda: browser.script(rest) == ["Noon", "Dawn"], "the rest is lost")
    browser.find("#player").send_keys("n")
    until_playing(browser, "Noon")
    # After the removal of the playing item, the next item still follows.
    server.call("DELETE", f"/api/collections/{number}/items", {"items": [2]})
    end(browser)
    until_playing(browser, "Dawn")
    browser.until_hidden("#player-next")
    browser.find("#player").send_keys("p")
    until_playing(browser, "Noon")


def test_a_collection_that_another_browser_deletes_says_so(browser, server):
    number = make(server, "Trip", 5, 1)
    open_library(browser, server, f"#library?collection={number}")
    until_titles(browser, "Dusk", "Night")
    select(browser, "Dusk")
    browser.click("#selection-collect")
    browser.until_shown(".ticks")
    tick(browser, "Trip")
    assert server.request("DELETE", f"/api/collections/{number}")[0] == 204
    browser.click("#ask .primary")
    browser.expected = ["404"]
    browser.until_text("#ask .error", "“Trip” does not exist any more.")
    browser.find("#new-collection").send_keys("Again", Keys.ENTER)
    browser.until_hidden("#ask")
    browser.until_text("#collection-name", "There is no such collection")
    until_saved(browser, server, {"Again": [5]})
    assert browser.find("#ask").is_displayed() is False


def test_without_the_server_a_collection_stays_as_it_is(browser, server):
    number = make(server, "Trip", 5, 1)
    open_library(browser, server, f"#library?collection={number}")
    until_titles(browser, "Dusk", "Night")
    browser.expected = SERVER_GONE
    server.kill()
    browser.until_shown("#lost")
    menu(browser, "Night", "Move Night up")
    browser.until_text("#ask", "The order was not changed")
    assert titles(browser) == ["Dusk", "Night"]
    browser.click("#ask .primary")
    menu(browser, "Night", "Take Night out of the collection")
    browser.until_text("#ask", "Nothing was taken out")
    browser.click("#ask .primary")
    server.start()
    browser.until_text("#link", "Connected")
    until_titles(browser, "Dusk", "Night")
    assert collections(server) == {"Trip": [5, 1]}


@pytest.mark.parametrize("width", [360, 1280])
def test_collections_are_accessible(width, browser, server):
    number = make(server, "For the train, and for the long evening after it", 5, 3, 1, 4)
    make(server, "Kids")
    open_library(browser, server, f"#library?collection={number}", width=width, height=740, dark=width == 360)
    browser.until_shown("#collection-play")
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    browser.picture(f"collection-{width}")
    select(browser, "Dusk", "Dawn")
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    browser.picture(f"collection-selection-{width}")
    browser.click("#selection-collect")
    browser.until_shown(".ticks")
    assert axe.violations(browser) == []
    browser.picture(f"collection-dialog-{width}")
    browser.force_colors(True)
    assert axe.violations(browser, axe.COLORS) == []
    press(browser, Keys.ESCAPE)
    browser.until_hidden("#ask")
    assert axe.violations(browser, axe.COLORS) == []
    browser.force_colors(False)
    browser.click("#selection-end")
    browser.click("#collection-play")
    browser.until_shown("#player-rest")
    assert axe.violations(browser) == []
    browser.picture(f"collection-player-{width}")


def test_firefox_keeps_an_order_and_plays_on(server, firefox):
    firefox.driver.get(server.address + "#library")
    firefox.until(lambda: len(titles(firefox)) == 5, "the library is not shown")
    menu(firefox, "Dusk", "Collections of Dusk")
    firefox.until_shown("#new-collection")
    firefox.find("#new-collection").send_keys("Trip", Keys.ENTER)
    until_saved(firefox, server, {"Trip": [5]})
    server.call("POST", "/api/collections/1/items", {"items": [1, 4]})
    firefox.until_shown('#collection')
    firefox.find('#collection option[value="1"]').click()
    until_titles(firefox, "Dusk", "Night", "Dawn")
    firefox.find('#cards [aria-label="Play Dawn"]').send_keys(Keys.ALT + Keys.ARROW_UP)
    until_titles(firefox, "Dusk", "Dawn", "Night")
    until_saved(firefox, server, {"Trip": [5, 4, 1]})
    firefox.click("#collection-play")
    firefox.until_text("#player-title", "Dusk")
    firefox.until_text("#player-rest", "Dawn")
    firefox.find("#player").send_keys("n")
    firefox.until_text("#player-title", "Dawn")
    assert firefox.driver.current_url.endswith("#play-4")
