#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A headless desktop for tests: a private message bus, a display and a notification daemon.

Each line of JSON on standard input is a command, and the answer is one line on standard output. When
the input ends, all started processes end, so that a crashed test leaves no process behind.
"""
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 600
# The GLib bindings are installed for the system's own Python.
PYTHON = "/usr/bin/python3"
# A desktop's session bus also allows many pending replies and slow service starts.
BUS = """<busconfig><type>session</type><listen>unix:tmpdir={folder}</listen><auth>EXTERNAL</auth>{services}
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy><limit name="max_replies_per_connection">50000</limit>
<limit name="service_start_timeout">120000</limit></busconfig>"""
DUNST = """[global]
origin = top-right
width = (0, 420)
markup = full
idle_threshold = 0
show_age_threshold = -1
font = DejaVu Sans 11
mouse_left_click = do_action, close_current
mouse_right_click = close_current
dmenu = {folder}/pick
[urgency_low]
timeout = 0
[urgency_normal]
timeout = 0
[urgency_critical]
timeout = 0
"""
PICK = '#!/bin/sh\nexec grep -m1 -F -- "$(cat {folder}/choice)"\n'
PACKAGES = {"dbus-daemon": "dbus", "Xvfb": "xvfb", "import": "imagemagick", "dunstctl": "dunst", "gdbus": "libglib2.0-bin"}


class Failure(Exception):
    pass


def find(command):
    path = shutil.which(command)
    if path:
        return path
    package = PACKAGES.get(command, command)
    for line in subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout.splitlines():
        if os.path.basename(line) == command and os.access(line, os.X_OK) and os.path.isfile(line):
            return line
    raise Failure(f"{command} is not installed: apt-get install {package} (make deps-test does it)")


def wait_until(what, condition):
    """Polls a condition, for windows and daemons that do not announce changes."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise Failure(f"timed out after {LIMIT} s: {what}")


class Desktop:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="tidings-desktop-")
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": self.folder, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": self.folder, "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        }
        self.processes = {}

    def start(self, name, argv, **options):
        log = open(os.path.join(self.folder, f"{name}.log"), "ab")
        process = subprocess.Popen(
            argv, env=self.environment, stderr=log, cwd=self.folder,
            **{"stdin": subprocess.DEVNULL, "stdout": log, **options})
        self.processes[name] = process
        return process

    def log_of(self, name):
        with open(os.path.join(self.folder, f"{name}.log"), errors="replace") as log:
            return log.read()[-2000:]

    def bus(self, command):
        services = ""
        if "service" in command:
            folder = os.path.join(self.folder, "services")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "daemon.service"), "w") as file:
                start = command["service"].replace("FAKE", f"{PYTHON} {fake_script()}").replace("FOLDER", self.folder)
                name = command.get("starts", "org.freedesktop.Notifications")
                file.write(f"[D-BUS Service]\nName={name}\nExec={start}\n")
            services = f"<servicedir>{folder}</servicedir>"
        configuration = os.path.join(self.folder, "bus.conf")
        with open(configuration, "w") as file:
            file.write(BUS.format(folder=self.folder, services=services))
        process = self.start(
            "bus", [find("dbus-daemon"), f"--config-file={configuration}", "--nofork", "--print-address=1"]
            + ([f"--address={command['address']}"] if "address" in command else []),
            stdout=subprocess.PIPE, text=True)
        address = process.stdout.readline().strip()
        if not address:
            raise Failure("the message bus did not start: " + self.log_of("bus"))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        return {"address": address}

    def nonsense(self, command):
        """Starts a message bus that violates the protocol and keeps all connections open."""
        path = os.path.join(self.folder, "nonsense")
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        threading.Thread(target=serve_nonsense, args=(listener, command["kind"]), daemon=True).start()
        return {"address": "unix:path=" + path}

    def fall_silent(self, _):
        os.unlink(os.path.join(self.folder, "nonsense"))
        return {}

    def fake(self, command):
        name = command.get("name", "fake")
        self.start(
            name, [PYTHON, fake_script(), json.dumps(command.get("settings", {}))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.read(name)

    def read(self, name):
        line = self.processes[name].stdout.readline()
        if not line:
            log = self.log_of(name)
            if "No module named 'gi'" in log:
                raise Failure("python3-gi is not installed: apt-get install python3-gi (make deps-test does it)")
            raise Failure(f"{name} has ended: " + log)
        return json.loads(line)

    def tell(self, command):
        """Sends a command to the scripted daemon and returns the answer."""
        name = command.get("name", "fake")
        self.processes[name].stdin.write(json.dumps(command["command"]) + "\n")
        self.processes[name].stdin.flush()
        return self.read(name)

    def display(self, _):
        reading, writing = os.pipe()
        self.start(
            "display", [find("Xvfb"), "-displayfd", str(writing), "-screen", "0", "800x500x24", "-nolisten", "tcp",
                        "-noreset"], pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading) as file:
            number = file.readline().strip()
        if not number:
            raise Failure("the display did not start: " + self.log_of("display"))
        self.environment["DISPLAY"] = ":" + number
        subprocess.run([find("xsetroot"), "-solid", "#5b7a99"], env=self.environment, check=False)
        return {"display": self.environment["DISPLAY"]}

    def daemon(self, command):
        name = command["daemon"]
        argv = [find(name)]
        if name == "dunst":
            for file, text in (("dunstrc", DUNST), ("pick", PICK)):
                with open(os.path.join(self.folder, file), "w") as output:
                    output.write(text.format(folder=self.folder))
            os.chmod(os.path.join(self.folder, "pick"), 0o700)
            argv += ["-conf", os.path.join(self.folder, "dunstrc")]
        self.start("daemon", argv)
        wait_until(f"{name} owns its name; {self.log_of('daemon')}", self.has_owner)
        return {}

    def has_owner(self, process="daemon", name="org.freedesktop.Notifications"):
        if self.processes[process].poll() is not None:
            raise Failure(f"{process} has ended: " + self.log_of(process))
        return "true" in self.output([
            "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus",
            "--method", "org.freedesktop.DBus.NameHasOwner", name])

    def portal(self, _):
        """Starts the desktop portal with the GTK backend, which passes notifications to the daemon."""
        # The portal's configuration names this desktop for the backend.
        self.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
        for process, program, name in (
                ("portal-backend", "xdg-desktop-portal-gtk", "org.freedesktop.impl.portal.desktop.gtk"),
                ("portal", "xdg-desktop-portal", "org.freedesktop.portal.Desktop")):
            if process in self.processes:
                continue
            self.start(process, [find(program)])
            wait_until(f"{program} owns its name; {self.log_of(process)}", lambda: self.has_owner(process, name))
        # The portal owns the name before offering the interfaces.
        wait_until("the portal offers notifications", lambda: "AddNotification" in self.output([
            "gdbus", "introspect", "--session", "--dest", "org.freedesktop.portal.Desktop",
            "--object-path", "/org/freedesktop/portal/desktop"]))
        return {}

    def output(self, argv):
        done = subprocess.run([find(argv[0]), *argv[1:]], env=self.environment, capture_output=True, text=True,
                              timeout=LIMIT, check=False)
        return done.stdout + done.stderr

    def run(self, command):
        return {"output": self.output(command["argv"])}

    def choose(self, command):
        """Selects the line that contains a text in dunst's menu."""
        with open(os.path.join(self.folder, "choice"), "w") as file:
            file.write(command["text"])
        return self.run({"argv": ["dunstctl", "context"]})

    def output_is(self, command):
        """Waits until the output of a command matches a pattern."""
        return {"output": wait_until(
            f"the output of {command['argv']} matches {command['pattern']}",
            lambda: (lambda text: text if re.search(command["pattern"], text) else None)(self.output(command["argv"])))}

    def windows(self, command):
        """Waits for `count` bubbles and returns them as [x, y, width, height], from the top."""
        def visible():
            found = []
            text = self.output(["xwininfo", "-root", "-tree", "-int"])
            for identifier in re.findall(r"^ +(\d+) ", text, re.M):
                info = self.output(["xwininfo", "-id", identifier, "-int"])
                if "IsViewable" not in info:
                    continue
                x, y = (int(re.search(f"Absolute upper-left {axis}: +(-?\\d+)", info)[1]) for axis in "XY")
                width, height = (int(re.search(f"{side}: (\\d+)", info)[1]) for side in ("Width", "Height"))
                if 40 < width < 790 and 20 < height < 490 and [x, y, width, height] not in found:
                    found.append([x, y, width, height])
            found = [one for one in found if not any(
                other != one and other[0] <= one[0] and other[1] <= one[1]
                and other[0] + other[2] >= one[0] + one[2] and other[1] + other[3] >= one[1] + one[3]
                for other in found)]
            return sorted(found, key=lambda one: one[1]) if len(found) == command["count"] else None
        if command["count"] == 0:
            wait_until("no bubble", lambda: visible() is not None)
            return {"windows": []}
        last = None

        def settled():
            # A window is visible before having the final size and place.
            nonlocal last
            before, last = last, visible()
            return last if last == before else None
        return {"windows": wait_until(f"{command['count']} bubbles", settled)}

    def click(self, command):
        self.output(["xdotool", "mousemove", str(command["x"]), str(command["y"]), "click",
                     str(command.get("button", 1))])
        return {}

    def shot(self, command):
        self.output(["import", "-window", "root", command["path"]])
        return {"size": os.path.getsize(command["path"])}

    def kill(self, command):
        process = self.processes[command["what"]]
        process.send_signal(getattr(signal, "SIG" + command["signal"]))
        if command["signal"] == "STOP":
            wait_until("it has stopped", lambda: "\nState:\tT" in open(f"/proc/{process.pid}/status").read())
        return {}

    def end(self, command):
        process = self.processes.pop(command["what"])
        process.kill()
        process.wait()
        return {}

    def close(self):
        for name, process in reversed(list(self.processes.items())):
            if name == "display":
                # A killed display would leave a socket and a lock file behind.
                process.terminate()
            else:
                process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def reply_to_hello(serial):
    """Returns the reply to Hello, the first call of every client, with the client's name."""
    def field(code, signature, value):
        return bytes([code, 1]) + signature + b"\0" + value
    body = struct.pack("<I", 4) + b":1.1\0"
    fields = field(5, b"u", struct.pack("<I", serial)) + field(8, b"g", b"\x01s\0") + b"\0"
    header = struct.pack("<cBBBIII", b"l", 2, 1, 1, len(body), 1, len(fields))
    return header + fields + b"\0" * (-len(header + fields) % 8) + body


def serve_nonsense(listener, kind):
    connections = []
    while True:
        connection, _ = listener.accept()
        connections.append(connection)
        if kind == "silence":
            continue
        if kind == "refusal":
            connection.sendall(b"REJECTED\r\n" * 3)
            continue
        received = b""
        while b"BEGIN\r\n" not in received or len(received.split(b"BEGIN\r\n", 1)[1]) < 16:
            received += connection.recv(4096)
            if received.endswith(b"BEGIN\r\n"):
                connection.sendall(b"DATA\r\nOK " + b"0" * 32 + b"\r\nAGREE_UNIX_FD\r\n")
        serial = struct.unpack("<I", received.split(b"BEGIN\r\n", 1)[1][8:12])[0]
        hello = reply_to_hello(serial)
        connection.sendall({
            "silence after login": b"",
            "noise": b"\x55\xAA" * 32768,
            "a message without end": struct.pack("<cBBBIII", b"l", 4, 1, 1, 0x7FFFFFFF, 1, 16),
            "noise after hello": hello + b"\x55\xAA" * 32768,
            "half a message": hello[:20],
            "end in a message": hello[:20],
        }[kind])
        if kind == "end in a message":
            connection.shutdown(socket.SHUT_RDWR)


def fake_script():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "notification_daemon.py")


def main():
    # Swift's threads block most signals, and a process inherits the signal mask of the parent's
    # thread. A display that blocks SIGTERM would never end.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    desktop = Desktop()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        for line in sys.stdin:
            command = json.loads(line)
            try:
                answer = getattr(desktop, command["do"])(command)
            except Exception as error:  # reported to the test that sent the command
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)
    finally:
        desktop.close()


main()
