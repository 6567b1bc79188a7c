# SPDX-License-Identifier: Apache-2.0
"""Addresses that one machine of a household hands to another machine on a separate host."""

import contextlib
import http.client
import types

import pytest

from harness.desktop import Desktop
from harness.household import NATSServer, inbox, names, overview, together
from harness.network import Host, Mirror, own_network
from harness.server import Server


class HostedServer(Server):
    """`offline serve` on another host, on which the test sends the requests."""

    def __init__(self, host, name, program, nats):
        self.host, self.name = host, name
        super().__init__(
            program, "--allow-private", "--join", f"nats://{host.gateway}:{nats.port}",
            prefix=[*host.prefix, "unshare", "--uts", "sh", "-c",
                    'hostname "$0" && exec "$@"', name])
        self.call("POST", "/api/preferences", {"notifications": "granted"})

    def connection(self, seconds):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        with self.host.inside():
            connection.connect()
        return connection

    def get(self, *arguments):
        """Runs `offline get` on the host."""
        return self.program.run("get", *arguments, prefix=self.host.prefix)

    def titles(self, state="ready"):
        return [item["title"] for item in self.items() if item["state"] == state]


@pytest.fixture
def house(tmp_path, programs, origin, samples):
    """Two hosts without a way to each other, and a third host with the NATS server and films."""
    with contextlib.ExitStack() as stack:
        nats = NATSServer(tmp_path / "nats", "-a", "0.0.0.0")
        stack.callback(nats.kill)
        desktop = Desktop(tmp_path / "desktop")
        stack.callback(desktop.close)
        hosts = [Host(number) for number in (1, 2)]
        for host in hosts:
            stack.callback(host.close)
            mirror = Mirror(origin.port, host.gateway)
            stack.callback(mirror.server_close)
            stack.callback(mirror.shutdown)
        origin.serve({f"/{name}.mp4": {"file": str(samples.film)} for name in ("one", "two")})
        nats.start()
        there = programs("kitchen")
        there.added = desktop.environment
        attic = HostedServer(hosts[0], "attic", programs("attic"), nats)
        kitchen = HostedServer(hosts[1], "kitchen", there, nats)
        together(attic, kitchen)
        yield types.SimpleNamespace(
            nats=nats, attic=attic, kitchen=kitchen, origin=origin, desktop=desktop,
            film=samples.film)


def url(house, server, path):
    return f"http://{server.host.gateway}:{house.origin.port}{path}"


@own_network
def test_a_film_is_kept_by_the_machine_that_is_named_and_told_on_the_others_desktop(house):
    attic, kitchen = house.attic, house.kitchen
    handed = kitchen.get(url(house, attic, "/one.mp4"), "--on", "attic", "--quality", "best")
    assert handed.code == 0 and "“attic” keeps http://" in handed.err, handed
    attic.wait_until(lambda: attic.titles() == ["one"])
    house.desktop.wait_for_notifications(1)
    assert inbox(kitchen) == [("one", "Ready on attic.")]
    assert kitchen.items() == []

    missing = kitchen.get(url(house, attic, "/two.mp4"), "--on", "cellar")
    assert missing.code == 1
    assert "No machine named “cellar” is here now. Here are: “attic”, “kitchen”" in missing.err
    # The sender refuses an address that the recipient would refuse.
    long = kitchen.get("https://a.example/" + "x" * 9_000, "--on", "attic")
    assert long.code == 1 and "no other machine takes it" in long.err, long
    # A machine may name itself.
    own = kitchen.get(url(house, kitchen, "/two.mp4"), "--on", "kitchen")
    assert own.code == 0 and "“kitchen” keeps" in own.err
    kitchen.wait_until(lambda: kitchen.titles() == ["two"])
    assert attic.titles() == ["one"]


@own_network
def test_an_address_waits_for_a_lost_server_and_a_cut_cable(house):
    attic, kitchen = house.attic, house.kitchen
    while True:
        kitchen.host.cut()
        kitchen.wait_until(lambda: not overview(kitchen)["isConnected"])
        handed = kitchen.get(url(house, attic, "/one.mp4"), "--on", "attic")
        if "has reported lately" not in handed.err:
            break
        # On a stalled machine, the last report is older than 35 seconds, and the second machine is
        # unknown.
        kitchen.host.mend()
        kitchen.wait_until(lambda: names(kitchen) == ["attic"])
    assert handed.code == 0 and "waits on this disk" in handed.err, handed
    kitchen.kill()
    house.nats.kill()
    house.nats.start()
    kitchen.host.mend()
    kitchen.start()
    attic.wait_until(lambda: attic.titles() == ["one"])
    attic.wait_until(lambda: names(attic) == ["kitchen"])


@own_network
def test_another_machine_goes_on_for_one_that_is_killed_before_its_first_byte(house):
    attic, kitchen = house.attic, house.kitchen
    house.origin.serve({"/slow.mp4": {"file": str(house.film), "gate": "first-byte"}})
    # Both hosts reach the film at the address of the first cable of the third host.
    address = url(house, attic, "/slow.mp4")
    handed = attic.get(address, "--on", "any")
    assert handed.code == 0 and "The first machine that is free keeps" in handed.err
    house.origin.wait_at_gate("first-byte")
    first, other = (attic, kitchen) if attic.items() else (kitchen, attic)
    assert len(first.items()) == 1 and other.items() == []
    first.kill()
    # The request of the killed machine also waits at this gate.
    house.origin.wait_at_gate("first-byte", 2)
    house.origin.open_gate("first-byte")
    other.wait_until(lambda: other.titles() == ["slow"])
    # The killed machine gives back the address that another machine has taken.
    first.start()
    first.wait_until(lambda: names(first) == [other.name])
    assert first.items() == []
    assert len(other.items()) == 1


def test_what_cannot_be_handed_over_is_refused(program):
    for words, reason in (
            (("--on", "any", "-o", "."), "Leave out --wait and -o"),
            (("--on", "any", "--allow-private"), "Leave out the other options"),
            (("--on", "any", "--header", "A: b"), "Leave out the other options"),
            (("--on", ""), "The machine is missing")):
        result = program.run("get", "https://a.example/film", *words)
        assert result.code == 2 and reason in result.err, result
    result = program.run("get", "https://a.example/film", "--on", "any")
    assert result.code == 1 and "no server of this library responds" in result.err, result
    server = Server(program)
    result = program.run("get", "https://a.example/film", "--on", "any")
    assert result.code == 1 and "is in no household" in result.err
    status, _, content = server.request("POST", "/api/machines/downloads", {
        "url": "https://a.example/film", "on": "any"})
    assert status == 409 and b"noMachine" in content
    assert server.items() == []
