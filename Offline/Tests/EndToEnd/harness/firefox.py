# SPDX-License-Identifier: Apache-2.0
"""A real Firefox, driven through the protocol Marionette because Debian has no geckodriver."""

import collections
import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import threading

from selenium import webdriver
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.webdriver import WebDriver

from harness.browser import Browser
from harness.program import END_WITH_PARENT

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or "/usr/bin/firefox"
PREFERENCES = {
    "marionette.port": 0,
    "network.proxy.type": 0,
    # This address is for tests that choose a port and the type 1.
    "network.proxy.http": "127.0.0.1",
    "network.proxy.allow_hijacking_localhost": True,
    "network.captive-portal-service.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    # A user sees a dialog of the browser. Without the dialog, the request still has to start with a
    # click.
    "extensions.webextOptionalPermissionPrompts": False,
    "media.autoplay.default": 0,
}
# Each command of WebDriver has an equivalent in Marionette with the same parameters.
COMMANDS = {
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.GET: "WebDriver:Navigate",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.GET_TITLE: "WebDriver:GetTitle",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "WebDriver:ExecuteAsyncScript",
    Command.FIND_ELEMENT: "WebDriver:FindElement",
    Command.FIND_ELEMENTS: "WebDriver:FindElements",
    Command.CLICK_ELEMENT: "WebDriver:ElementClick",
    Command.CLEAR_ELEMENT: "WebDriver:ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "WebDriver:ElementSendKeys",
    Command.GET_ELEMENT_TEXT: "WebDriver:GetElementText",
    Command.GET_ELEMENT_RECT: "WebDriver:GetElementRect",
    Command.W3C_GET_WINDOW_HANDLES: "WebDriver:GetWindowHandles",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "WebDriver:GetWindowHandle",
    Command.SWITCH_TO_WINDOW: "WebDriver:SwitchToWindow",
    Command.W3C_GET_ACTIVE_ELEMENT: "WebDriver:GetActiveElement",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.NEW_WINDOW: "WebDriver:NewWindow",
    Command.CLOSE: "WebDriver:CloseWindow",
    Command.SET_TIMEOUTS: "WebDriver:SetTimeouts",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
    Command.QUIT: "Marionette:Quit",
    "installAddon": "Addon:Install",
    "setContext": "Marionette:SetContext",
}

OPEN_PAGE = """
const [address, done] = arguments;
const { linkedBrowser } = gBrowser.selectedTab;
const listener = {
  QueryInterface: ChromeUtils.generateQI(["nsIWebProgressListener", "nsISupportsWeakReference"]),
  onStateChange(progress, request, flags) {
    const { STATE_STOP, STATE_IS_WINDOW } = Ci.nsIWebProgressListener;
    const isWindow = (flags & STATE_STOP) && (flags & STATE_IS_WINDOW) && progress.isTopLevel;
    if (!isWindow || linkedBrowser.currentURI.spec !== address) return;
    linkedBrowser.removeProgressListener(listener);
    done();
  },
};
linkedBrowser.addProgressListener(listener, Ci.nsIWebProgress.NOTIFY_STATE_WINDOW);
linkedBrowser.loadURI(Services.io.newURI(address), {
  triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal(),
});
"""


class Marionette:
    """Executes the commands of Selenium as messages with a length, a colon and a JSON array."""

    extra_commands = {}

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=180)
        self.file = self.socket.makefile("rb")
        self.numbers = itertools.count(1)
        self.receive()

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            digit = self.file.read(1)
            assert digit, "Firefox closed the connection"
            length += digit
        return json.loads(self.file.read(int(length[:-1])))

    def execute(self, command, parameters):
        if command == Command.NEW_SESSION:
            parameters = parameters["capabilities"].get("alwaysMatch", {})
        if command == Command.QUIT:
            parameters = {"flags": ["eForceQuit"]}
        sent = {name: value for name, value in (parameters or {}).items() if name != "sessionId"}
        message = json.dumps([0, next(self.numbers), COMMANDS[command], sent]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        is_value = isinstance(result, dict) and set(result) == {"value"}
        return {"value": result["value"] if is_value else result}

    def close(self):
        self.socket.close()


class Firefox(WebDriver):
    """Firefox with an extension, installed for this run."""

    def __init__(self, process, executor, options):
        self.process = process
        # The names of the preferences that a test has changed.
        self.preferred = set()
        super().__init__(executor, options=options)

    def install(self, folder):
        return self.execute("installAddon", {"path": str(folder), "temporary": True})["value"]

    def get(self, url):
        """Opens an address, including a page of an extension, which Marionette does not open."""
        if not url.startswith("moz-extension:"):
            super().get(url)
            return
        self.run_inside(OPEN_PAGE, url)

    def end_background(self, name):
        """Ends the background script of an extension, as an idle Firefox does."""
        self.run_inside("const [name, done] = arguments; WebExtensionPolicy.getByID(name).extension"
                        ".terminateBackground().then(done);", name)

    def prefer(self, name, value):
        """Sets a preference to a number, or restores the usual value for None."""
        self.preferred.add(name)
        value = PREFERENCES.get(name) if value is None else value
        self.run_inside("""
            const [name, value, done] = arguments;
            if (value === null) Services.prefs.clearUserPref(name);
            else Services.prefs.setIntPref(name, value);
            done();
        """, name, value)

    def go_through(self, port):
        """Sends all requests through a proxy on this port."""
        self.prefer("network.proxy.http_port", port)
        self.prefer("network.proxy.type", 1)

    def forget(self):
        """Closes all windows but one, and clears all stored data as in a new profile."""
        first, *others = self.window_handles
        for handle in others:
            self.switch_to.window(handle)
            self.close()
        self.switch_to.window(first)
        self.get("about:blank")
        for name in self.preferred:
            self.prefer(name, None)
        self.execute(Command.SET_WINDOW_RECT, {"width": 1366, "height": 768})
        self.run_inside("""
            const [done] = arguments;
            Services.clearData.deleteData(Ci.nsIClearDataService.CLEAR_ALL, { onDataDeleted: () => done() });
        """)

    def run_inside(self, script, *arguments):
        """Runs a script with the rights of the browser."""
        self.execute("setContext", {"value": "chrome"})
        try:
            self.execute_async_script(script, *arguments)
        finally:
            self.execute("setContext", {"value": "content"})

    def quit(self):
        super().quit()
        self.process.wait(120)


def start_firefox(profile, preferences=()):
    """Starts Firefox with a new profile in a folder."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
             for name, value in {**PREFERENCES, **dict(preferences)}.items()]
    (profile / "user.js").write_text("".join(lines))
    process = subprocess.Popen(
        [*END_WITH_PARENT, FIREFOX, "--headless", "--marionette", "--remote-allow-system-access",
         "--no-remote", "--new-instance", "--profile", str(profile)],
        env={**os.environ, "HOME": str(profile), "LC_ALL": "C.UTF-8", "MOZ_CRASHREPORTER_DISABLE": "1"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    seen = []
    for line in process.stdout:
        seen.append(line)
        if found := re.search(r"Marionette\s+INFO\s+Listening on port (\d+)", line):
            break
    else:
        raise AssertionError(f"Firefox did not start:\n{''.join(seen)}")
    # A full pipe would stop Firefox, so a thread reads the output.
    threading.Thread(target=collections.deque, args=(process.stdout, 0), daemon=True).start()
    browser = Browser(Firefox(process, Marionette(int(found[1])), webdriver.FirefoxOptions()))
    browser.driver.set_script_timeout(120)
    # The browser reads chosen files directly, because it runs on this machine.
    browser.driver.file_detector = UselessFileDetector()
    return browser
