# SPDX-License-Identifier: Apache-2.0
"""The selection of the library: how items are selected, the bar, and the changes it survives."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

from harness import axe
from harness.browser import SERVER_GONE
from harness.registry import fill
from harness.server import Server
from harness.waiting import wait_until

NAMES = ["elm", "oak", "fir", "ash", "yew"]


@pytest.fixture
def server(program, origin):
    """A server with five text items, the newest first: yew, ash, fir, oak, elm."""
    server = Server(program, "--allow-private")
    origin.serve({f"/{name}.txt": {"text": name} for name in NAMES})
    for name in NAMES:
        number = server.download(origin.url(f"/{name}.txt"))["id"]
        server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")
    return server


def open_library(browser, server, cards=5, address="#library", **options):
    browser.open(server.address + address, **options)
    browser.until_text("#link", "Connected")
    until_cards(browser, cards)


def until_cards(browser, number):
    browser.until(lambda: len(browser.all("#cards > .card")) == number, f"there are not {number} cards")


def card(browser, title):
    return next(each for each in browser.all("#cards > .card") if each.find_element("css selector", "h2").text == title)


def poster(browser, title):
    def found():
        element = card(browser, title).find_element("css selector", ".open")
        browser.script("arguments[0].scrollIntoView({ block: 'center' })", element)
        return element
    return browser.resting(found, title)


def click_with(browser, key, title):
    before = selected(browser)
    ActionChains(browser.driver).key_down(key).click(poster(browser, title)).key_up(key).perform()
    browser.until(lambda: selected(browser) != before, f"a click on {title} selects nothing")


def selected(browser):
    return browser.script("""return [...document.querySelectorAll("#cards > .selected h2")].map((each) => each.textContent)""")


def focused(browser):
    return browser.script("return document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")


def until_selected(browser, *titles):
    browser.until(lambda: selected(browser) == list(titles), f"not {titles}, but {selected(browser)}")


def press(browser, *keys):
    chain = ActionChains(browser.driver)
    for key in keys[:-1]:
        chain.key_down(key)
    chain.send_keys(keys[-1])
    for key in keys[:-1]:
        chain.key_up(key)
    chain.perform()


def remaining(server):
    return sorted(item["title"] for item in server.items())


def test_ctrl_and_shift_select_and_a_click_then_opens_nothing(browser, server):
    open_library(browser, server)
    click_with(browser, Keys.CONTROL, "ash")
    until_selected(browser, "ash")
    browser.until_text("#selection .count", "1 selected")
    browser.until_text("#announcer", "1 selected")
    click_with(browser, Keys.SHIFT, "elm")
    until_selected(browser, "ash", "fir", "oak", "elm")
    click_with(browser, Keys.CONTROL, "oak")
    until_selected(browser, "ash", "fir", "elm")
    poster(browser, "yew").click()
    until_selected(browser, "yew", "ash", "fir", "elm")
    assert poster(browser, "yew").get_attribute("aria-pressed") == "true"
    assert poster(browser, "oak").get_attribute("aria-pressed") == "false"
    assert poster(browser, "oak").get_attribute("aria-label") == "Select oak"
    assert not browser.find("#player").is_displayed()
    browser.click("#selection-end")
    browser.until_hidden("#selection")
    assert poster(browser, "yew").get_attribute("aria-label") == "Read yew"
    poster(browser, "yew").click()
    browser.until_shown("#player-words")


def test_a_long_press_selects_and_short_touches_go_on(browser, server):
    open_library(browser, server, width=360, height=740)
    actions = ActionBuilder(browser.driver, mouse=PointerInput(interaction.POINTER_TOUCH, "finger"))
    actions.pointer_action.move_to(poster(browser, "fir")).pointer_down()
    actions.perform()
    until_selected(browser, "fir")
    actions = ActionBuilder(browser.driver, mouse=PointerInput(interaction.POINTER_TOUCH, "finger"))
    actions.pointer_action.pointer_up()
    actions.perform()
    poster(browser, "yew").click()
    until_selected(browser, "yew", "fir")
    assert not browser.find("#player").is_displayed()


def test_keys_alone_select_and_remove_and_undo(browser, server):
    open_library(browser, server)
    browser.script("document.querySelector('#cards .open').focus()")
    press(browser, "x")
    until_selected(browser, "yew")
    press(browser, Keys.TAB)
    press(browser, Keys.TAB)
    press(browser, Keys.TAB)
    press(browser, Keys.TAB)
    press(browser, Keys.TAB)
    press(browser, Keys.TAB)
    assert focused(browser) == "Select fir"
    press(browser, Keys.SHIFT, "x")
    until_selected(browser, "yew", "ash", "fir")
    press(browser, Keys.CONTROL, " ")
    until_selected(browser, "yew", "ash")
    press(browser, Keys.ESCAPE)
    browser.until_hidden("#selection")
    # The focus stays on this card, and returns to the card from the bar.
    assert focused(browser) == "Read fir"
    press(browser, Keys.CONTROL, " ")
    until_selected(browser, "fir")
    press(browser, "b")
    assert focused(browser) == "Select all"
    press(browser, Keys.ESCAPE)
    browser.until_hidden("#selection")
    assert focused(browser) == "Read fir"
    press(browser, "x")
    press(browser, Keys.CONTROL, "a")
    until_selected(browser, "yew", "ash", "fir", "oak", "elm")
    browser.find("#selection-remove").send_keys(Keys.ENTER)
    browser.until(lambda: len(browser.all("#cards .folded")) == 5, "not all are folded")
    assert focused(browser) == "Undo: keep 5 items"
    assert len(browser.all("#cards .undo")) == 1
    assert not browser.find("#selection").is_displayed()
    press(browser, Keys.ENTER)
    browser.until(lambda: browser.all("#cards .folded") == [], "they stay folded")
    assert len(server.items()) == 5


def test_the_select_button_begins_and_ends_and_leaving_the_library_ends(browser, server):
    open_library(browser, server)
    browser.click("#select")
    browser.until_text("#selection .count", "None selected")
    assert browser.find("#select").get_attribute("aria-pressed") == "true"
    assert not browser.find("#selection-remove").is_enabled()
    poster(browser, "oak").click()
    until_selected(browser, "oak")
    browser.section("downloads")
    browser.section("library")
    browser.until_shown("#select")
    assert not browser.find("#selection").is_displayed()
    assert selected(browser) == []


def test_one_undo_keeps_all_while_a_place_is_on_screen(browser, server, program):
    open_library(browser, server)
    for title in ("ash", "fir", "elm"):
        click_with(browser, Keys.CONTROL, title)
    browser.click("#selection-remove")
    browser.until_text("#cards .folded", "3 items are removed, and their files with them.")
    browser.until_text("#announcer", "3 items are removed.")
    # Another browser removes one item, and the remaining items keep their Undo.
    fir = next(item["id"] for item in server.items() if item["title"] == "fir")
    server.call("DELETE", f"/api/items/{fir}?withFile=true")
    until_cards(browser, 4)
    # One card of the selection is no longer drawn, but the second card is still present.
    browser.find("#search").send_keys("elm")
    until_cards(browser, 1)
    browser.until_text("#cards .undo", "Undo")
    assert remaining(server) == ["ash", "elm", "oak", "yew"]
    browser.click("#cards .undo")
    browser.until_hidden("#cards .folded")
    browser.find("#search").clear()
    browser.find("#search").send_keys(" ")
    until_cards(browser, 4)
    assert browser.all("#cards .folded") == []
    # Without a card on the screen, all removed items are deleted.
    for title in ("ash", "elm"):
        click_with(browser, Keys.CONTROL, title)
    browser.click("#selection-remove")
    browser.until_shown("#cards .folded")
    browser.section("home")
    server.wait_until(lambda: remaining(server) == ["oak", "yew"])
    wait_until(lambda: not (program.library / "ash.txt").exists(), program.library)


def test_the_files_of_several_can_be_kept(browser, server, program):
    open_library(browser, server)
    for title in ("ash", "elm"):
        click_with(browser, Keys.CONTROL, title)
    browser.click("#selection-remove")
    browser.until_shown("#cards .undo")
    browser.click("#cards .folded button", "Keep the files")
    server.wait_until(lambda: remaining(server) == ["fir", "oak", "yew"])
    assert (program.library / "ash.txt").exists() and (program.library / "elm.txt").exists()


def test_without_the_server_nothing_is_removed_and_the_page_says_so(browser, server):
    open_library(browser, server)
    browser.expected = SERVER_GONE
    for title in ("ash", "elm"):
        click_with(browser, Keys.CONTROL, title)
    browser.click("#selection-remove")
    browser.until_shown("#cards .undo")
    server.kill()
    browser.click("#cards .folded button", "Keep the files")
    browser.until_text("#ask", "2 items were not removed")
    assert "Start it with “offline serve”" in browser.find("#ask").text
    browser.click("#ask .primary")
    browser.until(lambda: browser.all("#cards .folded") == [], "they stay folded")
    server.start()
    assert len(server.items()) == 5


def test_a_selection_reaches_beyond_what_is_loaded_and_survives_a_new_connection(browser, program):
    fill(program, 1200)
    server = Server(program)
    open_library(browser, server, cards=120)
    browser.click("#show-more")
    until_cards(browser, 240)
    browser.click("#select")
    browser.click("#select-all")
    browser.until_text("#selection .count", "1,200 selected")
    server.call("DELETE", "/api/items/1200?withFile=false")
    browser.until_text("#selection .count", "1,199 selected")
    # The snapshot after a restart has 200 items, and two items were removed during the stop.
    browser.expected = SERVER_GONE
    server.kill()
    browser.until_shown("#lost")
    for number in (1199, 7):
        assert program.run("remove", number).code == 0
    server.start()
    browser.until_text("#link", "Connected")
    browser.until_text("#selection .count", "1,197 selected")
    browser.click("#view")
    browser.until(lambda: "view=list" in browser.driver.current_url, "the view is not in the address")
    assert browser.find("#selection .count").text == "1,197 selected"
    browser.find("#search").send_keys("Café 12")
    browser.until(lambda: selected(browser)[-1:] == ["Café 12"], "the oldest is not selected")
    # On a slow machine, the page searches for the first letters before the last key arrives.
    browser.until(lambda: browser.script(
        "return [...document.querySelectorAll('#cards > .card')].every((card) => card.textContent.includes('12'))"),
        "items of an earlier search are shown")
    # All items of the search are selected, and not all items of the library.
    browser.click("#selection-end")
    browser.click("#select")
    browser.click("#select-all")
    browser.until_text("#selection .count", f"{len(browser.all('#cards > .card'))} selected")


def test_items_without_a_card_are_removed_after_a_question(browser, program):
    fill(program, 130)
    server = Server(program)
    open_library(browser, server, cards=120)
    browser.click("#select")
    poster(browser, "film 130").click()
    browser.find("#search").send_keys("Café 12")
    browser.until(lambda: len(browser.all("#cards > .card")) < 5, "nothing is found")
    browser.click("#selection-remove")
    browser.until_text("#ask", "Remove this item?")
    assert axe.violations(browser) == []
    browser.click("#ask .danger")
    server.wait_until(lambda: len(server.items()) == 129)
    browser.until_hidden("#selection")


def test_save_starts_a_download_for_each(browser, server):
    open_library(browser, server)
    for title in ("ash", "elm", "oak"):
        click_with(browser, Keys.CONTROL, title)
    browser.script("""window.saved = [];
        HTMLAnchorElement.prototype.click = function () { saved.push(this.getAttribute("href")); };""")
    browser.click("#selection-save")
    browser.until(lambda: len(browser.script("return window.saved")) == 3, "not all are saved")
    assert browser.script("return window.saved") == [f"/media/{number}?download=1" for number in (4, 2, 1)]
    browser.until_hidden("#selection")


# The number of pixels by which the bar covers the focused card.
COVERED = """
if (!document.querySelector("#cards").contains(document.activeElement)) return 0;
const rect = document.activeElement.getBoundingClientRect();
return rect.bottom - document.querySelector("#selection").getBoundingClientRect().top;
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_the_bar_is_accessible_and_covers_no_focused_card(width, browser, program):
    fill(program, 15)
    server = Server(program)
    open_library(browser, server, cards=15, width=width, height=740, dark=width == 360)
    browser.click("#select")
    poster(browser, "film 15").click()
    browser.until_text("#selection .count", "1 selected")
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    browser.picture(f"selection-{width}")
    for _ in range(44):
        press(browser, Keys.TAB)
        assert browser.script(COVERED) <= 0, focused(browser)
    assert focused(browser) == "More for river 1"
    browser.force_colors(True)
    try:
        assert axe.violations(browser, axe.COLORS) == []
        # Without colors, only the tick shows a selection.
        ticks = browser.script("return [...document.querySelectorAll('.mark svg')].map((each) => each.checkVisibility({ visibilityProperty: true }))")
        assert ticks == [True] + [False] * 14
        browser.picture(f"selection-forced-{width}")
    finally:
        browser.force_colors(False)
    click_with(browser, Keys.SHIFT, "river 1")
    browser.until_text("#selection .count", "15 selected")
    browser.click("#selection-remove")
    browser.until_text("#cards .folded", "15 items are removed")
    assert axe.violations(browser) == []
    browser.picture(f"removed-{width}")


def test_firefox_selects_removes_and_undoes(server, firefox):
    firefox.driver.get(server.address + "#library")
    until_cards(firefox, 5)
    firefox.until_text("#link", "Connected")
    first = firefox.find("#cards .open")
    first.send_keys("x")
    until_selected(firefox, "yew")
    first.send_keys(Keys.CONTROL, " ")
    until_selected(firefox)
    firefox.all("#cards .open")[2].click()
    until_selected(firefox, "fir")
    firefox.click("#select-all")
    firefox.until_text("#selection .count", "5 selected")
    firefox.click("#selection-remove")
    firefox.until(lambda: len(firefox.all("#cards .folded")) == 5, "not all are folded")
    assert focused(firefox) == "Undo: keep 5 items"
    firefox.find("#cards .undo").send_keys(Keys.ENTER)
    firefox.until(lambda: firefox.all("#cards .folded") == [], "they stay folded")
    firefox.all("#cards .open")[0].send_keys("x")
    firefox.click("#selection-remove")
    firefox.until_shown("#cards .undo")
    firefox.driver.get("about:blank")
    server.wait_until(lambda: remaining(server) == ["ash", "elm", "fir", "oak"])
