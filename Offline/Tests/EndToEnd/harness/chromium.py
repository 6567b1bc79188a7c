# SPDX-License-Identifier: Apache-2.0
"""A real Chromium with contexts that share no cookie, no storage and no setting."""

import collections
import itertools
import json
import os
import urllib.request

import websocket
from selenium import webdriver

from harness.browser import Browser

DRIVER = os.environ.get("CHROMEDRIVER") or "/usr/bin/chromedriver"
# The same engine has no windows, tabs and menus here, and needs two thirds of the processor time
# for a page. Debian's command is a script that does not end the browser when the driver ends the
# script.
SHELL = os.environ.get("CHROMIUM_SHELL") or "/usr/lib/chromium/chromium-headless-shell"
CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--mute-audio", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb",
    "--no-proxy-server", "--hide-scrollbars",
    # A cached page would keep the event stream, and a server gets at most six connections.
    "--disable-features=BackForwardCache"]


def start_chromium(*arguments):
    """Starts a browser without a user interface, with a profile from the driver."""
    return Chromium(_start(SHELL, arguments))


def start_full_chromium(profile, *arguments):
    """Starts a browser with all parts of an ordinary browser, including extensions."""
    options = ["--headless=new", f"--user-data-dir={profile}", *arguments]
    return Browser(_start(CHROMIUM, options, takes_extensions=True))


def _start(binary, arguments, takes_extensions=False):
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    options.enable_bidi = options.enable_webextensions = takes_extensions
    for argument in (*ARGUMENTS, *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # The page formats numbers in the language of the browser.
    service = webdriver.ChromeService(DRIVER, env={**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": "en"})
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(120)
    return driver


class Chromium:
    """A browser that many tests share, one after another."""

    def __init__(self, driver):
        self.driver = driver
        self.first = driver.current_window_handle
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/version") as response:
            self.connection = Connection(json.load(response)["webSocketDebuggerUrl"])

    def context(self, proxy=None):
        """Opens a window that shares nothing with further windows, or uses a proxy's port."""
        line = {"proxyServer": f"http://127.0.0.1:{proxy}", "proxyBypassList": "<-loopback>"} if proxy else {}
        context = self.connection.call("Target.createBrowserContext", **line)["browserContextId"]
        browser = ChromiumContext(self, context)
        browser.open_window()
        # Earlier tests may have left late messages.
        self.driver.get_log("browser")
        return browser

    def profile(self):
        """Returns the first window.

        Unlike the storage of a context, the storage of this window is on the disk and has a limit.
        """
        return Browser(self.driver)

    def close(self):
        self.connection.close()
        self.driver.quit()


class ChromiumContext(Browser):
    """The windows of one test."""

    def __init__(self, chromium, context):
        super().__init__(chromium.driver)
        self.chromium, self.context = chromium, context
        self.session = None

    def close(self):
        """Ends the context with all windows, workers and storage."""
        self.chromium.connection.call("Target.disposeBrowserContext", browserContextId=self.context)
        self.driver.switch_to.window(self.chromium.first)

    def open_window(self):
        """Goes to a new window of this context."""
        target = self.chromium.connection.call(
            "Target.createTarget", url="about:blank", browserContextId=self.context)
        self.driver.switch_to.window(target["targetId"])

    def download_into(self, folder):
        """Lets pages download files without a question."""
        self.chromium.connection.call("Browser.setDownloadBehavior", behavior="allow",
                                      downloadPath=str(folder), browserContextId=self.context)

    def record_responses(self):
        """Drops earlier responses and records the responses of the present window from now on."""
        connection = self.chromium.connection
        if not self.session:
            self.session = connection.call(
                "Target.attachToTarget", targetId=self.driver.current_window_handle, flatten=True)["sessionId"]
            connection.call("Network.enable", self.session)
        self.responses()
        connection.responses.clear()

    def responses(self):
        """Returns the address and the status of every recorded response."""
        # Any event before the answer to this call has arrived with the answer.
        self.chromium.connection.call("Runtime.enable", self.session)
        return list(self.chromium.connection.responses)


class Connection:
    """The direct connection to the browser, for commands that the driver lacks."""

    def __init__(self, address):
        self.socket = websocket.create_connection(address, suppress_origin=True, timeout=120)
        self.numbers = itertools.count(1)
        self.responses = collections.deque()

    def call(self, method, session=None, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters,
                                     **({"sessionId": session} if session else {})}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "Network.responseReceived":
                response = message["params"]["response"]
                self.responses.append((response["url"], response["status"]))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]

    def close(self):
        self.socket.close()
