# SPDX-License-Identifier: Apache-2.0
"""The browser extension in Chromium and in Firefox, with all pages and tabs."""

import contextlib
import json
import shutil

from selenium.common.exceptions import WebDriverException

from harness.chromium import start_full_chromium
from harness.firefox import start_firefox
from harness.program import ROOT

FOLDER = ROOT / "Offline" / "Extension"
FIREFOX_NUMBER = "5f0c5a2e-6b1d-4a53-9d57-0a4f7e1f9c11"
DONE = "const done = arguments[arguments.length - 1], api = globalThis.browser ?? chrome;"


def start_extended(kind, profile):
    """Starts a browser with the extension.

    In Firefox, the extension does not yet have the permission to see a site.
    """
    return {"chromium": start_chromium, "firefox": start_extended_firefox}[kind](profile)


def start_chromium(profile):
    # The user has already agreed at the installation, because no test can click in the browser's
    # dialog.
    folder = shutil.copytree(FOLDER, profile / "extension")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["host_permissions"] = manifest.pop("optional_host_permissions")
    (folder / "manifest.json").write_text(json.dumps(manifest))
    browser = start_full_chromium(profile / "browser")
    # With `--load-extension`, the first navigation of a busy Chromium may never end.
    name = browser.driver.webextension.install(path=str(folder))["extension"]
    base = f"chrome-extension://{name}/"

    def background():
        targets = browser.driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        return [each["targetId"] for each in targets
                if each["type"] == "service_worker" and each["url"].startswith(base)]

    def has_ended():
        # Only these workers end, because a request may get no answer if the worker of its page
        # ends. An event of the browser may have started a worker again, so each one is ended.
        workers = background()
        for target in workers:
            # A worker without work also ends by itself.
            with contextlib.suppress(WebDriverException):
                browser.driver.execute_cdp_cmd("Target.closeTarget", {"targetId": target})
        return not workers

    def end_background():
        browser.until(has_ended, "the background script did not end")

    return Extended(browser, base, end_background)


def start_extended_firefox(profile):
    manifest = json.loads((FOLDER / "manifest.json").read_text())
    name = manifest["browser_specific_settings"]["gecko"]["id"]
    browser = start_firefox(profile, {"extensions.webextensions.uuids": json.dumps({name: FIREFOX_NUMBER})})
    browser.driver.install(FOLDER)
    return Extended(browser, f"moz-extension://{FIREFOX_NUMBER}/", lambda: browser.driver.end_background(name))


class Extended:
    """A browser with the extension and a popup in a separate tab."""

    def __init__(self, browser, base, end_background):
        self.browser, self.driver, self.base = browser, browser.driver, base
        # This closure ends the background script, as the browser does after some idle seconds.
        self.end_background = end_background
        self.popup = self.driver.current_window_handle

    def close(self):
        self.browser.close()

    def forget(self):
        """Closes all tabs except the popup's tab."""
        for handle in self.driver.window_handles:
            if handle != self.popup:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self.popup)
        self.driver.get("about:blank")

    def ask(self, expression, *arguments):
        """Returns the value of a promise in a page of the extension."""
        script = f"{DONE} ({expression}).then(done, (error) => done(String(error)));"
        return self.driver.execute_async_script(script, *arguments)

    def set_program(self, address):
        self.driver.get(self.base + "options.html")
        # The page fills the field after the load.
        self.browser.until(lambda: self.browser.find("#program").get_attribute("value"), "the field is empty")
        self.browser.type("#program", address)
        self.browser.until_text("#result", "Saved.")

    def open(self, address):
        """Opens an address in a new tab and returns the tab's handle."""
        self.driver.switch_to.new_window("tab")
        self.driver.get(address)
        return self.driver.current_window_handle

    def show_popup(self, address):
        """Opens the popup of the newest tab with an address."""
        self.driver.switch_to.window(self.popup)
        self.driver.get(self.base + "options.html")
        tabs = self.ask("api.tabs.query({})")
        number = max(tab["id"] for tab in tabs if tab.get("url", address) == address and "popup" not in tab)
        self.driver.get(f"{self.base}popup.html#{number}")
        self.browser.until(lambda: self.browser.all("body[data-is-drawn]"), "the popup is empty")

    def allow(self):
        """Lets the extension see the addresses that pages load."""
        self.driver.get(self.base + "popup.html")
        self.browser.until(lambda: self.browser.all("body[data-is-drawn]"), "the popup is empty")
        if self.browser.find("#permission").is_displayed():
            self.browser.click("#allow")
        self.browser.until_hidden("#permission")

    def rows(self):
        """Returns the kind and the address of each row of the popup."""
        return [(row.get_attribute("data-kind"), row.get_attribute("title"))
                for row in self.browser.all("#streams button")]

    def hand_over(self, address):
        """Clicks the row of an address and switches to the tab that opens."""
        known = set(self.driver.window_handles)
        self.browser.click(f'#streams button[title="{address}"]')
        opened = self.browser.until(lambda: set(self.driver.window_handles) - known, "no page was opened")
        self.driver.switch_to.window(opened.pop())
