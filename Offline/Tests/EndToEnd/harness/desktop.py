# SPDX-License-Identifier: Apache-2.0
"""A desktop session without a screen: a message bus, a display and a notification daemon."""

import json
import os
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).resolve().parents[4] / "Tests" / "Servers" / "desktop.py"
# This script replaces xdg-open and logs the address.
BROWSER = """#!/bin/sh
printf '%s\\n' "$1" >>"{log}.part" && cp "{log}.part" "{log}.new" && mv "{log}.new" "{log}"
"""


class Desktop:
    """A session that ends with all processes when the standard input closes."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen(
            ["python3", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.opened_log = self.folder / "opened"
        programs = self.folder / "bin"
        programs.mkdir(parents=True)
        (programs / "xdg-open").write_text(BROWSER.format(log=self.opened_log))
        (programs / "xdg-open").chmod(0o755)
        bus = self.do("bus")["address"]
        display = self.do("display")["display"]
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": bus, "DISPLAY": display,
                            "PATH": f"{programs}:{os.environ['PATH']}"}
        self.do("daemon", daemon="dunst")

    def do(self, action, **options):
        self.process.stdin.write(json.dumps({"do": action, **options}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert "error" not in reply, reply
        return reply

    def wait_for_notifications(self, count):
        self.do("output_is", argv=["dunstctl", "count", "displayed"], pattern=f"^{count}$")

    def texts(self):
        """Returns the titles and bodies of the closed notifications, the newest first."""
        history = json.loads(self.do("run", argv=["dunstctl", "history"])["output"])
        return [(entry["summary"]["data"], entry["body"]["data"]) for entry in history["data"][0]]

    def icons(self):
        """Returns the files of the icons of the closed notifications, the newest first."""
        history = json.loads(self.do("run", argv=["dunstctl", "history"])["output"])
        return [entry["icon_path"]["data"] for entry in history["data"][0]]

    def press(self, label):
        """Presses the button with this label, which only one notification may have."""
        self.do("choose", text=label)

    def opened(self):
        """Returns the addresses that the program opened in the browser."""
        return self.opened_log.read_text().splitlines() if self.opened_log.exists() else []

    def picture(self, name):
        """Writes a screenshot if OFFLINE_SCREENSHOTS names a folder."""
        folder = os.environ.get("OFFLINE_SCREENSHOTS")
        if folder:
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            self.do("shot", path=str(pathlib.Path(folder).resolve() / f"{name}.png"))

    def close(self):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()
