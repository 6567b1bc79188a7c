# SPDX-License-Identifier: Apache-2.0
"""A real browser that opens the page and acts like a user."""

import os
import pathlib

from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from harness.elements import PatientElement

# Messages for `expected`. The network errors after a killed server depend on the current requests.
# The second message concerns the page's worker, whose script the browser may fetch again at any
# time.
SERVER_GONE = ["net::ERR_", "fetching the script"]
# The page has changed since the element was found, and nothing was clicked.
ELEMENT_CHANGED = (StaleElementReferenceException, ElementClickInterceptedException,
                   ElementNotInteractableException)


# Whether an element that is scrolled into view is at the same place two frames later.
RESTS = """
const [element, done] = arguments;
element.scrollIntoView({ block: "nearest", behavior: "instant" });
const before = element.getBoundingClientRect();
requestAnimationFrame(() => requestAnimationFrame(() => {
  const after = element.getBoundingClientRect();
  done(before.top === after.top && before.left === after.left);
}));
"""

PASTE = """
const data = new DataTransfer();
data.setData("text/plain", arguments[0]);
(arguments[1] ?? document.body).dispatchEvent(
  new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
"""


class Browser:
    """The actions and checks of the tests on a page."""

    def __init__(self, driver):
        driver._web_element_cls = PatientElement
        self.driver = driver
        self.expected = []

    def close(self):
        self.driver.quit()

    def open(self, address, width=1280, height=800, dark=False):
        """Opens an address in a window of this size and color scheme."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.get(address)

    def resize(self, width, height):
        """Resizes the window and waits until the page is drawn in the new size."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def force_colors(self, isOn):
        """Shows the page with only the colors of the system."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "forced-colors", "value": "active" if isOn else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def prefer_letters(self, size):
        """Sets the size of letters in pixels that the user prefers."""
        self.driver.execute_cdp_cmd("Page.setFontSizes", {"fontSizes": {"standard": size}})

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def until(self, condition, failure, seconds=120):
        wait = WebDriverWait(self.driver, seconds, poll_frequency=0.05,
                             ignored_exceptions=ELEMENT_CHANGED)
        return wait.until(lambda _: condition(), failure)

    def until_shown(self, selector, seconds=120):
        def shown():
            return next((found for found in self.all(selector) if found.is_displayed()), None)
        return self.until(shown, f"{selector} never appeared", seconds)

    def until_hidden(self, selector, seconds=120):
        self.until(lambda: not any(found.is_displayed() for found in self.all(selector)),
                   f"{selector} did not disappear", seconds)

    def until_text(self, selector, text, seconds=120):
        self.until(lambda: any(text in found.text for found in self.all(selector)),
                   f"{selector} never showed “{text}”", seconds)

    def resting(self, find, name):
        """Waits until `find` returns an element that keeps its place, and returns the element.

        Rows that come into view get their real height and move the rows below. A click at the
        former place of an element can then hit another element.
        """
        def found():
            element = find()
            rests = element is not None and element.is_displayed() \
                and self.driver.execute_async_script(RESTS, element)
            return element if rests else None
        return self.until(found, f"{name} never rested")

    def click(self, selector, text=""):
        """Clicks the first displayed element that matches and contains the given text."""
        def found():
            return next((each for each in self.all(selector) if each.is_displayed() and text in each.text), None)

        def clicked():
            # Another element can replace an element that is now hidden, so this click does not
            # wait.
            WebElement.click(self.resting(found, f"{selector} “{text}”"))
            return True
        self.until(clicked, f"{selector} “{text}” could not be clicked")

    def type(self, selector, text):
        field = self.until_shown(selector)
        field.clear()
        field.send_keys(text, Keys.ENTER)

    def paste(self, text, element=None):
        """Pastes a string into an element, or into the page."""
        self.script(PASTE, text, element)

    def section(self, name):
        """Goes to a place as a user does, through More on a phone or through Settings."""
        if name in ("lessons", "diagnostics", "activity"):
            self.section("settings")
            self.click(f'#settings-section a[href="#{name}"]')
            return self.until_shown(f"#{name}-section")
        if not self.until_shown("nav") or not self.find(f'nav a[data-section="{name}"]').is_displayed():
            self.click("#more")
        self.click(f'nav a[data-section="{name}"]')
        return self.until_open(name)

    def until_open(self, name):
        """Waits until a place shows its content, and returns the place."""
        place = self.until_shown(f"#{name}-section")
        if name == "settings":
            self.until_shown("#settings-parts")
        return place

    def complaints(self):
        """Returns the errors and warnings on the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def overflow(self):
        """Returns the number of pixels by which the page is wider than the window."""
        return self.script("return document.documentElement.scrollWidth - innerWidth")

    def outside(self, selector):
        """Returns the visible elements outside the left and right edges of the window."""
        return self.script("""return [...document.querySelectorAll(arguments[0])]
            .filter((each) => each.checkVisibility())
            .map((each) => [each.id || each.outerHTML, each.getBoundingClientRect()])
            .filter(([, { left, right }]) => left < 0 || right > innerWidth).map(([name]) => name)""", selector)

    def picture(self, name):
        """Writes a screenshot if OFFLINE_SCREENSHOTS names a folder."""
        folder = os.environ.get("OFFLINE_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(f"{folder}/{name}.png")
