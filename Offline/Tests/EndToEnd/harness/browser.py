# SPDX-License-Identifier: Apache-2.0
"""A real browser that opens the page and acts like a user."""

import json
import os
import pathlib

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

DRIVER = os.environ.get("CHROMEDRIVER") or "/usr/bin/chromedriver"
CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
# For `expected`: which of the network errors a killed server causes depends on the requests under way.
SERVER_GONE = ["net::ERR_", "icon from the Manifest"]
# The page has changed since the element was found, and nothing was clicked.
ELEMENT_CHANGED = (StaleElementReferenceException, ElementClickInterceptedException,
                   ElementNotInteractableException)


def start_browser(profile, *arguments, takes_extensions=False, letters=16, proxy=None, keeps_logs=True):
    """Starts a browser whose person has set letters of this size, in pixels, and perhaps a proxy's port.

    It is slower while it keeps logs, which tell what it has received and what its console shows.
    """
    options = webdriver.ChromeOptions()
    options.add_experimental_option("prefs", {"webkit.webprefs.default_font_size": letters})
    if takes_extensions:
        options.enable_bidi = options.enable_webextensions = True
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
                     "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--force-color-profile=srgb",
                     *([f"--proxy-server=http://127.0.0.1:{proxy}", "--proxy-bypass-list=<-loopback>"]
                       if proxy else ["--no-proxy-server"]),
                     # A cached page would keep its event stream, one of six connections to a server.
                     "--disable-features=BackForwardCache",
                     "--hide-scrollbars", f"--user-data-dir={profile}", *arguments):
        options.add_argument(argument)
    if keeps_logs:
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # The page formats numbers in the language of the browser.
    service = webdriver.ChromeService(DRIVER, env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"})
    return Browser(webdriver.Chrome(options=options, service=service))


# Whether an element, scrolled into view, is at the same place two frames later.
RESTS = """
const [element, done] = arguments;
element.scrollIntoView({ block: "nearest", behavior: "instant" });
const before = element.getBoundingClientRect();
requestAnimationFrame(() => requestAnimationFrame(() => {
  const after = element.getBoundingClientRect();
  done(before.top === after.top && before.left === after.left);
}));
"""


class Browser:
    """The actions and checks of the tests on a page."""

    def __init__(self, driver):
        self.driver = driver
        self.driver.set_script_timeout(120)
        self.received = []

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
        """Gives the window another size, and waits until the page is drawn in it."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def force_colors(self, isOn):
        """Shows the page with the colors of the system alone."""
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "forced-colors", "value": "active" if isOn else "none"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def forget(self):
        """Clears the cookies, the storage and the logs."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        # A later server may get the port, and with it the origin, of an earlier one.
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.received = []

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

    def click(self, selector):
        def clicked():
            found = next((each for each in self.all(selector) if each.is_displayed()), None)
            # Rows that come into view get their real height, and move what is below them.
            rests = found is not None and self.driver.execute_async_script(RESTS, found)
            if rests:
                found.click()
            return rests
        self.until(clicked, f"{selector} could not be clicked")

    def type(self, selector, text):
        field = self.until_shown(selector)
        field.clear()
        field.send_keys(text, Keys.ENTER)

    def section(self, name):
        """Goes to a place as a person does: some are behind More on a phone, others in Settings."""
        if name in ("lessons", "diagnostics", "activity"):
            self.section("settings")
            self.click(f'#settings-section a[href="#{name}"]')
            return self.until_shown(f"#{name}-section")
        if not self.until_shown("nav") or not self.find(f'nav a[data-section="{name}"]').is_displayed():
            self.click("#more")
        self.click(f'nav a[data-section="{name}"]')
        return self.until_shown(f"#{name}-section")

    def responses(self):
        """Returns the address and the status of every response so far."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.responseReceived":
                response = message["params"]["response"]
                self.received.append((response["url"], response["status"]))
        return self.received

    def forget_responses(self):
        self.responses()
        self.received = []

    def complaints(self):
        """Returns the errors and warnings on the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def overflow(self):
        """Returns by how many pixels the page is wider than its window."""
        return self.script("return document.documentElement.scrollWidth - innerWidth")

    def picture(self, name):
        """Writes a screenshot if OFFLINE_SCREENSHOTS names a folder."""
        folder = os.environ.get("OFFLINE_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(f"{folder}/{name}.png")
