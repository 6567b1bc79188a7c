# SPDX-License-Identifier: Apache-2.0
"""The places of the page: Home, addresses and titles, every width, and letters of every size."""

import contextlib

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.command import Command

from harness import axe
from harness.places import CONTENT, PLACES, fill
from harness.program import Program
from harness.server import Server


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


@pytest.fixture(scope="module")
def filled(origins, samples, tmp_path_factory):
    """The server of the tests that do not change the library."""
    with contextlib.closing(origins.another()) as origin, \
            contextlib.closing(Program(tmp_path_factory.mktemp("filled"))) as program:
        # A debug build records no reports by default.
        program.added["OFFLINE_DIAGNOSTICS"] = "on"
        server = Server(program, "--allow-private")
        # Bytes still arrive, because the program stops a download without bytes after a while.
        fill(server, origin, samples, crawl=[300_000, 100, 5])
        yield server


def go(browser, server, place, **options):
    browser.open(f"{server.origin}/?token={server.token}#{place}", **options)
    browser.until_shown(f"#{place.partition('?')[0]}-section")
    browser.until(lambda: browser.find("#link").get_attribute("data-state") == "open", "no connection")


def each_place(browser):
    """Goes from place to place within the open page, and waits until the content of each rests."""
    for place in PLACES:
        browser.script("location.hash = arguments[0]", place)
        browser.until_shown(f"#{place}-section")
        browser.until_shown(CONTENT[place])
        browser.until(lambda: browser.script("return document.getAnimations().length === 0"), "something moves")
        yield place


def shown(browser):
    return browser.script("return [...document.querySelectorAll('main > section')]"
                          ".filter((each) => !each.hidden).map((each) => each.id)")


def test_each_place_has_its_address_its_title_and_its_link(browser, server):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    assert shown(browser) == ["home-section"] and browser.driver.title == "Home · Offline"
    for place in PLACES[1:]:
        browser.section(place)
        assert shown(browser) == [f"{place}-section"]
        assert browser.driver.current_url == f"{server.origin}/#{place}"
        assert browser.driver.title == f"{place.capitalize()} · Offline"
        current = [link.get_attribute("data-section") for link in browser.all("nav a[aria-current=page]")]
        assert current == [place if place in PLACES[:6] else "settings"]
        assert len(browser.all(f"#{place}-section h1")) == 1
    browser.driver.back()
    browser.until_shown("#settings-section")
    browser.driver.get(f"{server.origin}/#nowhere")
    browser.until_shown("#home-section")


def test_home_shows_what_has_arrived_and_what_is_coming(browser, server, origin, samples):
    fill(server, origin, samples, gate="never", gateAfter=300_000)
    browser.open(server.address)
    browser.until(lambda: len(browser.all("#arrived-cards .card")) == 3, "the finished items are not shown")
    assert [card.text.split("\n")[0] for card in browser.all("#coming-rows li")] == ["running"]
    bar = browser.until_shown("#coming-rows progress")
    browser.until(lambda: 0.2 < browser.script("return arguments[0].value", bar) < 0.4, "the bar is not live")
    assert not browser.find("#home-empty").is_displayed() and not browser.find("#continue").is_displayed()
    # A kept link appears without a reload, and the item then arrives.
    origin.serve({"/more.txt": {"text": "More", "gate": "more"}})
    browser.type("#address", origin.url("/more.txt"))
    browser.until_text("#add-result", "“more” was added.")
    browser.until_text("#coming-rows", "more")
    origin.open_gate("more")
    browser.until_text("#arrived-cards", "more")
    assert browser.find("#announcer").text == "more is in your library."
    assert browser.all(".toast") == []
    origin.open_gate("never")


def test_every_width_shows_everything_without_scrolling_sideways(browser, filled):
    go(browser, filled, "home")
    for place in each_place(browser):
        for width, height in [(320, 640), (600, 800), (768, 1024), (1280, 800), (1920, 1080), (2560, 1440)]:
            browser.resize(width, height)
            assert browser.overflow() <= 0, (place, width)
            if width == 2560:
                used = browser.script("""return Math.max(...[...document.querySelectorAll("main > *, main > section > *")]
                    .filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().right))""")
                assert used > width * 0.75, f"a quarter of the window is empty: {place}"
            browser.picture(f"{place}-{width}")


# One window of each layout is checked. Some windows skip the rules on colors, which do not differ.
@pytest.mark.parametrize("width, without", [(360, ()), (768, axe.COLORS), (1280, ()), (1920, axe.COLORS)])
def test_no_place_violates_a_rule_of_accessibility(width, without, browser, filled):
    go(browser, filled, "home", width=width, height=740)
    for place in each_place(browser):
        assert axe.violations(browser, without=without) == [], place


@pytest.mark.parametrize("look, width", [("dark", 360), ("dark", 1280), ("forced", 1280)])
def test_no_color_is_hard_to_read_in_any_place(look, width, browser, filled):
    go(browser, filled, "home", dark=look == "dark", width=width, height=740)
    if look == "forced":
        browser.force_colors(True)
    for place in each_place(browser):
        assert axe.violations(browser, axe.COLORS) == [], place


def test_a_phone_has_three_tabs_and_the_rest_behind_more(browser, filled):
    go(browser, filled, "home", width=360, height=740)
    tabs = [tab.text.split("\n")[0] for tab in browser.all("nav > a, nav > button") if tab.is_displayed()]
    assert tabs == ["Home", "Library", "Downloads", "More"]
    bottom = browser.find("nav").rect
    field = browser.find("#add").rect
    assert abs(bottom["y"] + bottom["height"] - 740) < 1 and 600 < field["y"] < bottom["y"]
    browser.click("#more")
    browser.click('#more-places a[data-section="settings"]')
    browser.until_shown("#settings-section")
    browser.until_hidden("#more-places")
    browser.section("library")
    # The page is connected before the first list has arrived.
    browser.until_shown("#cards .card")
    left = {card.rect["x"] for card in browser.all("#cards .card")}
    assert len(left) == 2, "there are not two columns"
    for place in ("library", "downloads", "notifications"):
        browser.section(place)
        small = browser.script("""return [...document.querySelectorAll("button, a, select, summary, input:not([type=checkbox])")]
            .filter((each) => each.checkVisibility() && !each.matches(".skip")).map((each) => [each.id || each.outerHTML,
              each.getBoundingClientRect()]).filter(([, { width, height }]) => width < 43.9 || height < 43.9)
            .map(([name]) => name)""")
        assert small == [], place


def test_large_letters_keep_the_layout_of_a_desktop(filled, browser):
    browser.prefer_letters(32)
    go(browser, filled, "home")
    assert browser.script("return getComputedStyle(document.documentElement).fontSize") == "32px"
    for place in each_place(browser):
        assert browser.overflow() <= 0, place
        navigation, main = browser.find("nav").rect, browser.find("main").rect
        assert navigation["x"] + navigation["width"] <= main["x"] and main["width"] > 1000, place
        browser.picture(f"large-{place}")
        assert axe.violations(browser, axe.SIZES) == [], place
    # The sizes are a phone and a window that is magnified four times.
    for width, height in ((360, 740), (320, 256)):
        browser.resize(width, height)
        for place in each_place(browser):
            assert browser.overflow() <= 0, (place, width)
            assert axe.violations(browser, axe.SIZES) == [], (place, width)


def contrast_of_borders(browser):
    return browser.script("""
        const channels = (color) => color.match(/[\\d.]+/g).map(Number);
        const light = (color) => channels(color).slice(0, 3).map((value) => value / 255)
          .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
          .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
        const ground = (element) => {
          for (let each = element; each; each = each.parentElement) {
            const color = getComputedStyle(each).backgroundColor;
            if (!/, 0\\)|transparent/.test(color)) return light(color);
          }
        };
        return [...document.querySelectorAll("button, .button, select, input:not([type=checkbox], #address), textarea:not(#address), #add")]
          .filter((each) => each.checkVisibility()).map((each) => {
            const style = getComputedStyle(each);
            const own = ground(each), around = ground(each.parentElement), edge = light(style.borderTopColor);
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            return [each.id || each.textContent, style.borderTopWidth === "0px" || /, 0\\)/.test(style.borderTopColor)
              ? 21 : Math.max(ratio(edge, around), ratio(own, around))];
          }).filter(([, ratio]) => ratio < 3);""")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_borders_of_controls_are_visible(dark, browser, filled):
    go(browser, filled, "home", dark=dark)
    for place in each_place(browser):
        assert contrast_of_borders(browser) == [], place


def test_forced_colors_keep_bars_the_connection_and_the_current_place(browser, filled):
    go(browser, filled, "downloads")
    browser.force_colors(True)
    try:
        bar = browser.until_shown("#rows progress")
        style = "return getComputedStyle(arguments[0])[arguments[1]]"
        assert browser.script(style, bar, "borderTopWidth") == "1px"
        current = browser.find("nav a[aria-current]")
        assert browser.script(style, current, "outlineStyle") == "solid"
        dot, ground = browser.find("#link .dot"), browser.find(".bar")
        assert browser.script(style, dot, "backgroundColor") != browser.script(style, ground, "backgroundColor")
        browser.picture("forced-downloads")
    finally:
        browser.force_colors(False)


def test_the_page_without_the_token_says_what_to_do(browser, server):
    browser.expected = ["403"]
    browser.open(server.origin + "/")
    assert browser.driver.title == "This library is locked · Offline"
    browser.until_text("main", "offline serve")
    assert browser.script("return getComputedStyle(document.body).display") == "grid"
    assert browser.script("return document.scripts.length") == 0
    browser.picture("locked")
    assert axe.violations(browser) == []


def test_a_keyboard_reaches_the_field_and_every_place(browser, filled):
    go(browser, filled, "home")
    reached = []
    for _ in range(12):
        browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.script("const each = document.activeElement;"
                                      "return each.dataset.section ?? (each.id || each.className)"))
    assert reached[0] == "skip" and reached[2:8] == PLACES[:6]
    assert "address" in reached


# The preferences, the width of the window, and the rules that each place must keep.
LOOKS = {
    "light": ({"layout.css.prefers-color-scheme.content-override": 1}, 1280, None),
    "dark": ({"layout.css.prefers-color-scheme.content-override": 0}, 1280, axe.COLORS),
    "forced": ({"browser.display.document_color_use": 2}, 1280, axe.COLORS),
    "narrow": ({}, 500, axe.SIZES),
    "wide": ({}, 1920, axe.SIZES),
    "large": ({"font.size.variable.x-western": 32}, 1280, axe.SIZES),
}


def test_firefox_shows_every_place_in_each_look(filled, firefox):
    firefox.driver.get(filled.address)
    for look, (preferences, width, rules) in LOOKS.items():
        firefox.driver.execute(Command.SET_WINDOW_RECT, {"width": width, "height": 900})
        for name, value in preferences.items():
            firefox.driver.prefer(name, value)
        firefox.driver.refresh()
        firefox.until_text("#link", "Connected") if width > 600 else firefox.until_shown("#more")
        letters = firefox.script("return getComputedStyle(document.documentElement).fontSize")
        assert letters == ("32px" if look == "large" else "16px")
        for place in each_place(firefox):
            assert firefox.overflow() <= 0, (look, place)
            assert axe.violations(firefox, rules) == [], (look, place)
            firefox.picture(f"firefox-{look}-{place}")
        for name in preferences:
            firefox.driver.prefer(name, None)
