# SPDX-License-Identifier: Apache-2.0
"""The network comes and goes: told by the kernel, told to the page, waited for by downloads."""

import pathlib
import signal
import sys
import time

import pytest

from support.browser import start_browser
from support.network import Network, own_network
from support.program import finish
from support.server import Events, Server

WITHOUT_NETLINK = pathlib.Path(__file__).resolve().parents[1] / "Support" / "without_netlink.py"


@pytest.fixture
def network():
    return Network()


@pytest.fixture
def server(network, program):
    return Server(program)


def connectivity(events):
    """The states of the network as the events tell them, each once."""
    last = None
    for name, value in events:
        if name == "connectivity" and value["state"] not in (last, "unknown"):
            last = value["state"]
            yield last


@own_network
def test_the_server_tells_when_the_network_comes_and_goes(network, server):
    with Events(server) as events:
        states = connectivity(events)
        assert next(states) == "offline"
        assert server.call("GET", "/api/connectivity") == {"state": "offline"}
        for change, state in [
                (network.go_online, "online"),
                (network.unplug, "offline"),
                (network.plug, "online"),
                (lambda: network.ip("route del default"), "offline"),
                (lambda: network.ip("-6 route add default dev net0"), "online"),
                (lambda: network.ip("-6 route del default"), "offline"),
                # A refusal and a way to this machine itself are no ways out.
                (lambda: network.ip("route add unreachable default metric 9"), None),
                (lambda: network.ip("route add default dev lo metric 8"), None),
                (lambda: network.ip("route add default dev net0 metric 7"), "online"),
                (lambda: network.ip("link del net0"), "offline")]:
            change()
            if state:
                assert next(states) == state
    assert server.call("GET", "/api/connectivity") == {"state": "offline"}


def lost_news():
    """How many datagrams the kernel could not give to the one in this namespace who listens."""
    lines = pathlib.Path("/proc/net/netlink").read_text().splitlines()[1:]
    sockets = [line.split() for line in lines]
    return sum(int(each[8]) for each in sockets if each[1] == "0" and int(each[3], 16))


@own_network
def test_news_that_was_lost_makes_no_difference(network, server):
    network.go_online()
    with Events(server) as events:
        states = connectivity(events)
        assert "online" in states
        server.process.send_signal(signal.SIGSTOP)
        flood = ["link set cable down", "link set cable up"] * 2_000
        network.batch([*flood, "link set cable down"])
        assert lost_news() > 0, "the flood was too small to prove anything"
        server.process.send_signal(signal.SIGCONT)
        assert next(states) == "offline"
        network.plug()
        assert next(states) == "online"


def test_a_network_is_assumed_where_the_system_does_not_tell(program):
    server = Server(program, prefix=[sys.executable, str(WITHOUT_NETLINK)])
    server.wait_until(lambda: server.call("GET", "/api/connectivity")["state"] != "unknown")
    told = server.call("GET", "/api/connectivity")
    problem = "socket: Address family not supported by protocol."
    assert told == {"state": "online", "problem": problem}
    server.process.send_signal(signal.SIGTERM)
    result = finish(server.process)
    assert result.code == 0
    assert f"A network is assumed: the system does not tell. {problem}" in result.err


def waits(item):
    return item.get("waiting") == "Offline: it goes on when the network is back."


@own_network
def test_a_download_waits_for_the_network_and_goes_on_by_itself(network, server, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "throttle": 1_000_000},
                  "/near": {"file": str(samples.other_file)}})
    mirror = network.mirror(origin)
    network.go_offline()

    # What is near needs no network.
    far = server.download(mirror.url("/data"))["id"]
    near = server.download(origin.url("/near"))["id"]
    server.wait_for_items(
        lambda items: items[near]["state"] == "ready" and waits(items[far]), seconds=60)
    assert not [entry for entry in origin.log() if entry["path"] == "/data"]

    # Loses the network again in the middle.
    network.come_back()
    server.wait_for_items(lambda items: items[far].get("receivedBytes", 0) > 500_000)
    network.ip("route del default")
    server.wait_until(lambda: server.call("GET", "/api/connectivity") == {"state": "offline"})
    mirror.hang_up()
    server.wait_for_items(lambda items: waits(items[far]))
    kept = server.item(far)["receivedBytes"]
    assert 500_000 < kept < samples.file.stat().st_size

    # Nobody says a word, and it goes on where it was long before the next try by the clock.
    began = time.monotonic()
    network.come_back()
    server.wait_for_items(lambda items: not waits(items[far]))
    assert time.monotonic() - began < 20
    server.wait_for_items(lambda items: items[far]["state"] == "ready")
    ranges = [entry["range"] for entry in origin.log() if entry["path"] == "/data"]
    assert ranges == [None, f"bytes={kept}-"]


@own_network
def test_the_page_says_that_the_network_is_gone(network, server, origin, tmp_path):
    origin.serve({"/note.txt": {"text": "kept"}})
    mirror = network.mirror(origin)
    network.go_offline()
    browser = start_browser(tmp_path / "profile")
    try:
        browser.open(server.address)
        browser.until_text("#offline", "Offline: downloads wait")
        server.download(mirror.url("/note.txt"))
        browser.section("downloads")
        browser.until_text("#rows .note", "Offline: it goes on when the network is back.")
        browser.picture("offline")
        network.come_back()
        browser.until_hidden("#offline")
        browser.until_text("#finished-rows", "note")
        network.unplug()
        browser.until_text("#offline", "Offline: downloads wait")
        # Who opens the page now is told at once.
        browser.driver.refresh()
        browser.until_text("#offline", "Offline: downloads wait")
        assert browser.overflow() <= 0
        assert not browser.complaints()
    finally:
        browser.close()
