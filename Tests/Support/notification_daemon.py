#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A notification daemon that does what a test says, on the bus that the environment names.

The first argument is JSON with settings; commands and answers are lines of JSON. Started by the bus
itself it has no argument, and ends with the bus.
"""
import html
import json
import os
import sys
import threading

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
PORTAL, PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
INTERFACES = """<node>
<interface name="org.freedesktop.Notifications">
<method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
<arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
<arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/></method>
<method name="CloseNotification"><arg type="u" direction="in"/></method>
<method name="GetCapabilities"><arg type="as" direction="out"/></method>
<method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
<arg type="s" direction="out"/><arg type="s" direction="out"/></method>
<method name="Echo"><arg type="v" direction="in"/><arg type="v" direction="out"/></method>
</interface>
<interface name="org.dunstproject.cmd0"><method name="NotificationListHistory"><arg type="aa{sv}" direction="out"/></method>
</interface>
<interface name="org.freedesktop.portal.Notification">
<method name="AddNotification"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
<method name="RemoveNotification"><arg type="s" direction="in"/></method>
</interface></node>"""


class Daemon:
    def __init__(self, settings):
        self.settings = {"capabilities": ["body", "actions"], "server": "fake", **settings}
        self.calls, self.held, self.last_id = [], [], self.settings.get("last_id", 0)
        self.visible = {}
        self.changed = threading.Condition()
        self.connection = self.connect()
        node = Gio.DBusNodeInfo.new_for_xml(INTERFACES)
        portal = self.settings.get("portal")
        for interface in node.interfaces:
            path = PORTAL_PATH if "portal" in interface.name else PATH
            self.connection.register_object(path, interface, self.called, None, None)
        self.connection.signal_subscribe(
            None, "com.canonical.Unity.LauncherEntry", None, None, None, Gio.DBusSignalFlags.NONE, self.heard)
        self.own(PORTAL if portal else NAME)

    @staticmethod
    def connect():
        return Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def own(self, name):
        """Waits in line: the bus may not have noticed yet that the one before has ended."""
        acquired = threading.Event()
        match = self.connection.signal_subscribe(
            "org.freedesktop.DBus", "org.freedesktop.DBus", "NameAcquired", "/org/freedesktop/DBus", name,
            Gio.DBusSignalFlags.NONE, lambda *_: acquired.set())
        flags = 1 if self.settings.get("replaceable") else 2
        if self.request_name(name, flags) == 2 and not acquired.wait(60):
            sys.exit(f"{name} has an owner")
        self.connection.signal_unsubscribe(match)
        # From here on it is lost, and not waited for, when another one takes it.
        self.request_name(name, flags | 4)

    def request_name(self, name, flags):
        return self.connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            GLib.Variant("(su)", (name, flags)), None, 0, 10000, None).unpack()[0]

    @staticmethod
    def pass_on(connection):
        """Returns once the bus has passed on what was sent before."""
        connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", None,
                             None, 0, 60000, None)

    def note(self, entry):
        with self.changed:
            self.calls.append(entry)
            self.changed.notify_all()

    def padding(self):
        """A word of any length among the capabilities."""
        length = self.settings.get("padding", 0)
        return ["a" * length] if length else []

    def heard(self, _connection, sender, path, interface, member, body):
        self.note({"method": member, "sender": sender, "path": path, "text": body.print_(True)})

    def called(self, _connection, sender, path, interface, method, body, invocation):
        entry = {"method": method, "sender": sender, "path": path, "text": body.print_(True),
                 "serial": invocation.get_message().get_serial()}
        if method in ("Notify", "CloseNotification", "AddNotification", "RemoveNotification"):
            entry["arguments"] = json.loads(json.dumps(body.unpack(), default=str))
        behaviour = self.settings.get(method, "answer")
        if behaviour == "hold":
            self.held.append((method, body, invocation))
            self.note(entry)
            return
        if behaviour != "silent":
            self.answer(method, body, invocation, behaviour)
        self.note(entry)

    def answer(self, method, body, invocation, behaviour="answer"):
        if behaviour.startswith("error "):
            _, name, message = behaviour.split(" ", 2)
            invocation.return_dbus_error(name, message)
        elif method == "Notify":
            replaced = body.unpack()[1]
            is_unknown = replaced not in self.visible and self.settings.get("unknown") == "new"
            if replaced == 0 or is_unknown:
                self.last_id += 1
                replaced = self.last_id
            _, _, _, title, text, *_ = body.unpack()
            reads_markup = "body-markup" in self.settings["capabilities"]
            self.visible[replaced] = {"title": title, "body": html.unescape(text) if reads_markup else text}
            invocation.return_value(GLib.Variant("(u)", (replaced,)))
        elif method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (self.settings["capabilities"] + self.padding(),)))
        elif method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", (self.settings["server"], "tests", "1", "1.2")))
        elif method == "NotificationListHistory":
            history = [{"id": GLib.Variant("i", one)} for one in self.settings.get("history", [])]
            invocation.return_value(GLib.Variant("(aa{sv})", (history,)))
        elif method == "Echo":
            invocation.return_value(body)
        else:
            if method == "CloseNotification":
                self.visible.pop(body.unpack()[0], None)
            invocation.return_value(None)

    def command(self, command):
        kind = command["do"]
        if kind == "set":
            self.settings.update(command["settings"])
        elif kind == "release":
            held, self.held = self.held, []
            for one in held:
                self.answer(*one)
        elif kind == "emit":
            types = {"ActionInvoked": "(us)", "ActivationToken": "(us)", "NotificationReplied": "(us)",
                     "NotificationClosed": "(uu)"}[command["signal"]]
            connection = self.connect() if command.get("stranger") else self.connection
            connection.emit_signal(
                command.get("to"), PATH, NAME, command["signal"], GLib.Variant(types, tuple(command["arguments"])))
            self.pass_on(connection)
            if command["signal"] == "NotificationClosed":
                self.visible.pop(command["arguments"][0], None)
            if command.get("stranger"):
                connection.close_sync(None)
        elif kind == "emit_any":
            # Whatever the types are, as often as wanted.
            connection = self.connect() if command.get("stranger") else self.connection
            for _ in range(command.get("times", 1)):
                connection.emit_signal(
                    command.get("to"), PATH, NAME, command["signal"], GLib.Variant.parse(None, command["text"], None, None))
            self.pass_on(connection)
        elif kind == "forge":
            # An answer of somebody who was not asked.
            message = Gio.DBusMessage()
            message.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
            message.set_destination(command["to"])
            message.set_reply_serial(command["serial"])
            message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
            message.set_body(GLib.Variant.parse(None, command["text"], None, None))
            connection = self.connect()
            connection.send_message(message, Gio.DBusSendMessageFlags.NONE)
            self.pass_on(connection)
        elif kind == "emit_portal":
            body = GLib.Variant("(ssav)", (command["id"], command["action"], [
                GLib.Variant("a{sv}", {"activation-token": GLib.Variant("s", "tok")})] if command.get("token") else []))
            connection = self.connect() if command.get("stranger") else self.connection
            connection.emit_signal(
                command.get("to"), PORTAL_PATH, "org.freedesktop.portal.Notification", "ActionInvoked", body)
            self.pass_on(connection)
        elif kind == "await":
            def found():
                return [one for one in self.calls if one["method"] == command["method"]]
            with self.changed:
                self.changed.wait_for(lambda: len(found()) >= command["count"], 120)
            return {"calls": found()}
        elif kind == "forget":
            # Without a word, as some daemons do when it has been shown long enough.
            self.visible.pop(command["id"])
        elif kind == "seen":
            return {"seen": [{"id": one, **sight} for one, sight in self.visible.items()]}
        elif kind == "calls":
            return {"calls": self.calls}
        return {}


def main():
    settings = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    daemon = Daemon(settings)
    if len(sys.argv) == 1:
        daemon.connection.connect("closed", lambda *_: os._exit(0))
        threading.Event().wait(600)
        return
    print(json.dumps({"owner": daemon.connection.get_unique_name()}), flush=True)
    for line in sys.stdin:
        print(json.dumps(daemon.command(json.loads(line))), flush=True)


main()
