#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A notification daemon scripted by a test, on the bus that the environment names.

The first argument is JSON with settings. Commands and answers are lines of JSON. If the bus itself
starts the daemon, the daemon gets no argument and exits with the bus.
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
SYSTEMD, SYSTEMD_PATH = "org.freedesktop.systemd1", "/org/freedesktop/systemd1"
XFCONF, XFCONF_PATH = "org.xfce.Xfconf", "/org/xfce/Xfconf"
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
<property name="Inhibited" type="b" access="read"/>
</interface>
<interface name="org.dunstproject.cmd0"><method name="NotificationListHistory"><arg type="aa{sv}" direction="out"/></method>
<property name="paused" type="{quiet_type}" access="read"/>
</interface>
<interface name="org.xfce.Xfconf"><method name="GetProperty"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="v" direction="out"/></method></interface>
<interface name="org.freedesktop.systemd1.Manager">
<method name="StartTransientUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/>
<arg type="a(sv)" direction="in"/><arg type="a(sa(sv))" direction="in"/><arg type="o" direction="out"/></method>
<method name="StopUnit"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
</interface>
<interface name="org.freedesktop.portal.Notification">
<method name="AddNotification"><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/></method>
<method name="RemoveNotification"><arg type="s" direction="in"/></method>
<property name="version" type="u" access="read"/><property name="SupportedOptions" type="a{sv}" access="read"/>
</interface></node>"""


class Daemon:
    def __init__(self, settings):
        self.settings = {"capabilities": ["body", "actions"], "server": "fake", **settings}
        self.calls, self.held, self.last_id = [], [], self.settings.get("last_id", 0)
        self.visible = {}
        self.changed = threading.Condition()
        self.connection = self.connect()
        quiet_type = self.settings.get("quiet_type", "b")
        node = Gio.DBusNodeInfo.new_for_xml(INTERFACES.replace("{quiet_type}", quiet_type))
        portal = self.settings.get("portal")
        for interface in node.interfaces:
            path = PORTAL_PATH if "portal" in interface.name else PATH
            path = XFCONF_PATH if "Xfconf" in interface.name else path
            path = SYSTEMD_PATH if "systemd1" in interface.name else path
            self.connection.register_object(path, interface, self.call_received, self.property_read, None)
        self.connection.signal_subscribe(
            None, "com.canonical.Unity.LauncherEntry", None, None, None, Gio.DBusSignalFlags.NONE, self.signal_received)
        self.own(PORTAL if portal else NAME)
        if "xfconf" in self.settings:
            self.own(XFCONF)
        if self.settings.get("systemd"):
            self.own(SYSTEMD)

    @staticmethod
    def connect():
        return Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def own(self, name):
        """Waits for the name, because the bus may not yet have noticed the previous owner's exit."""
        acquired = threading.Event()
        match = self.connection.signal_subscribe(
            "org.freedesktop.DBus", "org.freedesktop.DBus", "NameAcquired", "/org/freedesktop/DBus", name,
            Gio.DBusSignalFlags.NONE, lambda *_: acquired.set())
        flags = 1 if self.settings.get("replaceable") else 2
        if self.request_name(name, flags) == 2 and not acquired.wait(60):
            sys.exit(f"{name} has an owner")
        self.connection.signal_unsubscribe(match)
        # After this point, losing the name to another daemon is final.
        self.request_name(name, flags | 4)

    def request_name(self, name, flags):
        return self.connection.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            GLib.Variant("(su)", (name, flags)), None, 0, 10000, None).unpack()[0]

    @staticmethod
    def round_trip(connection):
        """Returns after the bus has forwarded all messages that this connection has sent."""
        connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", None,
                             None, 0, 60000, None)

    def wait_for_calls(self):
        """Returns after this daemon has handled all calls of clients."""
        # The bus may read this connection before the connections of clients. The bus forwards all
        # messages that were read before reading again, so the second reply follows those messages.
        self.round_trip(self.connection)
        self.round_trip(self.connection)
        # The calls wait in the main loop, which runs callbacks of one priority in order.
        handled = threading.Event()
        GLib.idle_add(handled.set, priority=GLib.PRIORITY_DEFAULT)
        handled.wait(60)

    def record(self, entry):
        with self.changed:
            self.calls.append(entry)
            self.changed.notify_all()

    def padding(self):
        """Returns an extra capability with the length from the settings."""
        length = self.settings.get("padding", 0)
        return ["a" * length] if length else []

    def signal_received(self, _connection, sender, path, interface, member, body):
        self.record({"method": member, "sender": sender, "path": path, "text": body.print_(True)})

    def call_received(self, _connection, sender, path, interface, method, body, invocation):
        entry = {"method": method, "sender": sender, "path": path, "text": body.print_(True),
                 "serial": invocation.get_message().get_serial()}
        if method in ("Notify", "CloseNotification", "AddNotification", "RemoveNotification", "StartTransientUnit",
                      "StopUnit"):
            entry["arguments"] = json.loads(json.dumps(body.unpack(), default=str))
        behavior = self.settings.get(method, "answer")
        if behavior == "hold":
            self.held.append((method, body, invocation))
            self.record(entry)
            return
        # The call is recorded under the lock, so a client with the answer finds it in the log.
        with self.changed:
            if behavior != "silent":
                self.answer(method, body, invocation, behavior)
            self.record(entry)

    def property_read(self, _connection, _sender, _path, _interface, name):
        """Returns the portal's version, and the backend's options, which an old backend does not have."""
        if name in ("paused", "Inhibited"):
            self.record({"method": f"Get {name}"})
            kind = self.settings.get("quiet_type", "b") if name == "paused" else "b"
            return GLib.Variant(kind, self.settings.get("quiet", False if kind == "b" else ""))
        if name == "version":
            return GLib.Variant("u", self.settings.get("portal_version", 1))
        options = self.settings.get("portal_options", {})
        return GLib.Variant("a{sv}", {one: GLib.Variant("as", values) for one, values in options.items()})

    def answer(self, method, body, invocation, behavior="answer"):
        if behavior.startswith("error "):
            _, name, message = behavior.split(" ", 2)
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
        elif method == "GetProperty":
            invocation.return_value(GLib.Variant("(v)", (GLib.Variant("b", self.settings["xfconf"]),)))
        elif method in ("StartTransientUnit", "StopUnit"):
            invocation.return_value(GLib.Variant("(o)", (SYSTEMD_PATH + "/job/1",)))
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
            self.round_trip(connection)
            if command["signal"] == "NotificationClosed":
                self.visible.pop(command["arguments"][0], None)
            if command.get("stranger"):
                connection.close_sync(None)
        elif kind == "emit_any":
            # The signal may have any types, and is repeated.
            connection = self.connect() if command.get("stranger") else self.connection
            for _ in range(command.get("times", 1)):
                connection.emit_signal(
                    command.get("to"), PATH, NAME, command["signal"], GLib.Variant.parse(None, command["text"], None, None))
            self.round_trip(connection)
        elif kind == "forge":
            # The reply comes from a connection that received no call.
            message = Gio.DBusMessage()
            message.set_message_type(Gio.DBusMessageType.METHOD_RETURN)
            message.set_destination(command["to"])
            message.set_reply_serial(command["serial"])
            message.set_flags(Gio.DBusMessageFlags.NO_REPLY_EXPECTED)
            message.set_body(GLib.Variant.parse(None, command["text"], None, None))
            connection = self.connect()
            connection.send_message(message, Gio.DBusSendMessageFlags.NONE)
            self.round_trip(connection)
        elif kind == "emit_portal":
            body = GLib.Variant("(ssav)", (command["id"], command["action"], [
                GLib.Variant("a{sv}", {"activation-token": GLib.Variant("s", "tok")})] if command.get("token") else []))
            connection = self.connect() if command.get("stranger") else self.connection
            connection.emit_signal(
                command.get("to"), PORTAL_PATH, "org.freedesktop.portal.Notification", "ActionInvoked", body)
            self.round_trip(connection)
        elif kind == "await":
            def found():
                return [one for one in self.calls if one["method"] == command["method"]]
            with self.changed:
                self.changed.wait_for(lambda: len(found()) >= command["count"], 120)
            return {"calls": found()}
        elif kind == "forget":
            # The daemon sends no signal, as some daemons do when a notification expires.
            self.visible.pop(command["id"])
        elif kind == "seen":
            self.wait_for_calls()
            with self.changed:
                return {"seen": [{"id": one, **sight} for one, sight in self.visible.items()]}
        elif kind == "calls":
            with self.changed:
                return {"calls": list(self.calls)}
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
