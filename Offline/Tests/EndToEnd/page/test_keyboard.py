# SPDX-License-Identifier: Apache-2.0
"""The whole job by keyboard (keep, play, remove, undo and set) with an always visible focus."""

import pytest
from selenium.webdriver.common.keys import Keys

from harness.server import Server

# Whether the focused element is the wanted element, and whether a user sees the focus.
FOCUSED = """
const each = document.activeElement;
const hasOutline = (node) => node && getComputedStyle(node).outlineStyle !== "none" && parseFloat(getComputedStyle(node).outlineWidth) >= 2;
return [each.matches(arguments[0]), each === document.body || hasOutline(each) || hasOutline(each.closest(".field")), each.outerHTML.slice(0, 200)];
"""


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def press(browser, *keys):
    browser.driver.switch_to.active_element.send_keys(*keys)


def tab_to(browser, selector):
    """Presses Tab until an element has the focus, and checks each element on the way."""
    for _ in range(120):
        press(browser, Keys.TAB)
        isWanted, isSeen, text = browser.script(FOCUSED, selector)
        assert isSeen, f"no sign of the focus: {text}"
        if isWanted:
            return
    raise AssertionError(f"Tab never reached {selector}")


@pytest.mark.parametrize("colors", ["light", "forced"])
def test_a_keyboard_does_the_whole_job(colors, browser, server, origin, samples):
    origin.serve({"/talk.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.force_colors(colors == "forced")
    try:
        tab_to(browser, "#address")
        press(browser, origin.url("/talk.mp4"), Keys.ENTER)
        # A short download may already be in the library.
        browser.until_text("#add-result", "“talk”")
        server.wait_for_items(lambda items: [item["state"] for item in items.values()] == ["ready"])
        tab_to(browser, "nav a[data-section=library]")
        press(browser, Keys.ENTER)
        browser.until_shown("#cards .card")
        tab_to(browser, "#cards .open")
        press(browser, Keys.ENTER)
        browser.until_shown("#player video")
        tab_to(browser, "#player [popovertarget]")
        press(browser, Keys.ESCAPE)
        browser.until_hidden("#player")
        tab_to(browser, "#cards summary")
        press(browser, Keys.ENTER)
        tab_to(browser, "#cards .menu button[aria-label^=Remove]")
        press(browser, Keys.ENTER)
        browser.until_text("#cards .folded", "is removed")
        assert browser.script(FOCUSED, "#cards .undo")[0]
        press(browser, Keys.ENTER)
        browser.until(lambda: browser.all("#cards .folded") == [], "it stays folded")
        tab_to(browser, "nav a[data-section=settings]")
        press(browser, Keys.ENTER)
        browser.until_open("settings")
        browser.until(lambda: browser.find("#setting-hours").get_attribute("value"), "the settings are not loaded")
        tab_to(browser, "#setting-quality")
        press(browser, "7")
        tab_to(browser, "#settings-form [type=submit]")
        press(browser, Keys.ENTER)
        browser.until(lambda: server.call("GET", "/api/settings")["quality"] == "720p", "the quality is not saved")
        assert [item["state"] for item in server.items()] == ["ready"]
    finally:
        browser.force_colors(False)
