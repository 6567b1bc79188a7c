# SPDX-License-Identifier: Apache-2.0
"""A real browser on the page, driven as a person would."""

import json
import os
import pathlib

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

DRIVER = os.environ.get("CHROMEDRIVER") or "/usr/bin/chromedriver"
CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"


def start_browser(profile):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--mute-audio",
                     "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--no-proxy-server", "--force-color-profile=srgb",
                     "--hide-scrollbars", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(DRIVER)
    return Browser(webdriver.Chrome(options=options, service=service))


class Browser:
    """What the tests do with a page, in a few words."""

    def __init__(self, driver):
        self.driver = driver
        self.answers = []

    def close(self):
        self.driver.quit()

    def open(self, address, width=1280, height=800, dark=False):
        """Opens an address in a window of this size; logs of earlier pages are forgotten."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.driver.get(address)

    def forget(self):
        """Forgets cookies, storage and logs."""
        self.driver.get("about:blank")
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.answers = []

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def until(self, condition, what, seconds=120):
        wait = WebDriverWait(self.driver, seconds, poll_frequency=0.05,
                             ignored_exceptions=(StaleElementReferenceException,))
        return wait.until(lambda _: condition(), what)

    def until_shown(self, selector, seconds=120):
        def shown():
            return next((found for found in self.all(selector) if found.is_displayed()), None)
        return self.until(shown, f"{selector} never showed", seconds)

    def until_hidden(self, selector, seconds=120):
        self.until(lambda: not any(found.is_displayed() for found in self.all(selector)),
                   f"{selector} stayed", seconds)

    def until_text(self, selector, text, seconds=120):
        self.until(lambda: any(text in found.text for found in self.all(selector)),
                   f"{selector} never said “{text}”", seconds)

    def click(self, selector):
        self.until_shown(selector).click()

    def type(self, selector, text):
        field = self.until_shown(selector)
        field.clear()
        field.send_keys(text, Keys.ENTER)

    def section(self, name):
        self.click(f'nav a[data-section="{name}"]')
        return self.until_shown(f"#{name}-section")

    def responses(self):
        """Path and status of every answer so far."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.responseReceived":
                answer = message["params"]["response"]
                self.answers.append((answer["url"], answer["status"]))
        return self.answers

    def complaints(self):
        """Errors and violations on the console since the last look."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] in ("SEVERE", "WARNING")]

    def overflow(self):
        """How many pixels the page is wider than its window."""
        return self.script("return document.documentElement.scrollWidth - innerWidth")

    def picture(self, name):
        """Writes a screenshot when OFFLINE_SCREENSHOTS names a folder."""
        folder = os.environ.get("OFFLINE_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            self.driver.save_screenshot(f"{folder}/{name}.png")
