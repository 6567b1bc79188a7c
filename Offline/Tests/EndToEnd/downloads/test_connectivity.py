# SPDX-License-Identifier: Apache-2.0
"""Changes of the network: the kernel's messages, the page, and downloads that wait."""

import contextlib
import pathlib
import signal
import sys

import pytest
from selenium.common.exceptions import WebDriverException

from harness.network import Network, own_network
from harness.program import finish
from harness.server import Events, Server

WITHOUT_NETLINK = pathlib.Path(__file__).resolve().parents[4] / "Tests" / "Servers" / "without_netlink.py"


@pytest.fixture
def network():
    return Network()


@pytest.fixture
def server(network, program):
    return Server(program)


def connectivity(events):
    """Yields the network states of the events, without repetitions."""
    last = None
    for name, value in events:
        if name == "connectivity" and value["state"] not in (last, "unknown"):
            last = value["state"]
            yield last


@own_network
def test_the_server_reports_changes_of_the_network(network, server):
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
                # An unreachable route and a loopback route do not lead out.
                (lambda: network.ip("route add unreachable default metric 9"), None),
                (lambda: network.ip("route add default dev lo metric 8"), None),
                # If an earlier route still counted, the loss of this route would not be reported.
                (lambda: network.ip("-6 route add default dev net0"), "online"),
                (lambda: network.ip("-6 route del default"), "offline"),
                (lambda: network.ip("route add default dev net0 metric 7"), "online"),
                (lambda: network.ip("link del net0"), "offline")]:
            change()
            if state:
                assert next(states) == state
    assert server.call("GET", "/api/connectivity") == {"state": "offline"}


def dropped_datagrams():
    """Returns the number of netlink datagrams that the kernel dropped for the listener."""
    lines = pathlib.Path("/proc/net/netlink").read_text().splitlines()[1:]
    sockets = [line.split() for line in lines]
    return sum(int(each[8]) for each in sockets if each[1] == "0" and int(each[3], 16))


@own_network
def test_lost_netlink_messages_do_not_hide_a_change(network, server):
    network.go_online()
    with Events(server) as events:
        states = connectivity(events)
        assert "online" in states
        server.process.send_signal(signal.SIGSTOP)
        flood = ["link set cable down", "link set cable up"] * 2_000
        network.batch([*flood, "link set cable down"])
        assert dropped_datagrams() > 0, "the flood was too small to prove anything"
        server.process.send_signal(signal.SIGCONT)
        assert next(states) == "offline"
        network.plug()
        assert next(states) == "online"


def test_a_network_is_assumed_if_the_system_does_not_report_it(program):
    server = Server(program, prefix=[sys.executable, str(WITHOUT_NETLINK)])
    server.wait_until(lambda: server.call("GET", "/api/connectivity")["state"] != "unknown")
    response = server.call("GET", "/api/connectivity")
    problem = "socket: Address family not supported by protocol."
    assert response == {"state": "online", "problem": problem}
    server.process.send_signal(signal.SIGTERM)
    result = finish(server.process)
    assert result.code == 0
    assert f"The network state is unknown; a connection is assumed. {problem}" in result.err


def waits(item):
    return item.get("waiting") == "Offline. The download continues when the network is back."


@own_network
def test_a_download_waits_for_the_network_and_continues_by_itself(network, server, origin, samples):
    origin.serve({"/data": [{"file": str(samples.file), "gate": "middle", "gateAfter": 1_000_000},
                            {"file": str(samples.file)}],
                  "/near": {"file": str(samples.other_file)}})
    mirror = network.mirror(origin)
    network.go_offline()

    # A download from the loopback needs no network.
    far = server.download(mirror.url("/data"))["id"]
    near = server.download(origin.url("/near"))["id"]
    server.wait_for_items(lambda items: items[near]["state"] == "ready" and waits(items[far]))
    assert not [entry for entry in origin.log() if entry["path"] == "/data"]

    # The network is lost again during the download.
    network.come_back()
    server.wait_for_items(lambda items: items[far].get("receivedBytes", 0) > 500_000)
    network.ip("route del default")
    server.wait_until(lambda: server.call("GET", "/api/connectivity") == {"state": "offline"})
    mirror.hang_up()
    server.wait_for_items(lambda items: waits(items[far]))
    kept = server.item(far)["receivedBytes"]
    assert 500_000 < kept < samples.file.stat().st_size

    # The download resumes without a command.
    network.come_back()
    server.wait_for_items(lambda items: not waits(items[far]))
    server.wait_for_items(lambda items: items[far]["state"] == "ready")
    ranges = [entry["range"] for entry in origin.log() if entry["path"] == "/data"]
    assert ranges == [None, f"bytes={kept}-"]


@own_network
def test_the_page_shows_the_loss_of_the_network(network, server, origin, another_browser):
    origin.serve({"/note.txt": {"text": "kept"}})
    mirror = network.mirror(origin)
    network.go_offline()
    browser = another_browser()
    browser.open(server.address)
    browser.until_text("#offline", "Offline: downloads wait")
    server.download(mirror.url("/note.txt"))
    browser.section("downloads")
    browser.until_text("#rows .note", "Offline. The download continues when the network is back.")
    browser.picture("offline")
    network.come_back()
    browser.until_hidden("#offline")
    browser.until_text("#finished-rows", "note")
    network.unplug()
    browser.until_text("#offline", "Offline: downloads wait")
    # A new page shows the loss immediately. The browser drops a request while the address changes.
    def shown_after_refresh():
        with contextlib.suppress(WebDriverException):
            browser.driver.refresh()
            browser.until_text("#offline", "Offline: downloads wait", seconds=20)
            return True
    browser.until(shown_after_refresh, "a new page does not show that it is offline")
    assert browser.overflow() <= 0
    # The browser also notices the change and may drop a request.
    dropped = ["ERR_NETWORK_CHANGED", "fetching the script"]
    assert not [text for text in browser.complaints() if not any(words in text for words in dropped)]
