# SPDX-License-Identifier: Apache-2.0
"""The order of downloads: slow servers, many files, pauses."""

from harness.server import Server


def test_dripping_servers_block_no_other(program, origin, origins):
    """More servers drip than there are places, also those for servers without a download."""
    drip = {"/drip": {"size": 100_000, "drip": [1, 1], "type": "application/zip"}}
    dripping = [origins.another() for _ in range(7)]
    for server in dripping:
        server.serve(drip)
    origin.serve({f"/fast{number}": {"text": "fast"} for number in range(9)})
    server = Server(program)
    slow = [server.download(other.url("/drip"))["id"] for other in dripping]
    fast = [server.download(origin.url(f"/fast{number}"))["id"] for number in range(9)]
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in fast))
    states = {server.item(number)["state"] for number in slow}
    assert "ready" not in states and "fetching" in states
    server.kill()


def test_a_server_that_drips_its_head_shows_as_being_fetched(program, origin):
    origin.serve({"/head": {"text": "x", "headDrip": 1}})
    server = Server(program)
    number = server.download(origin.url("/head"))["id"]
    server.wait_for_items(lambda items: items and items[number]["state"] == "fetching")
    server.kill()


def test_o8_a_pause_holds_over_a_restart_and_resume_continues(program, origin, samples):
    origin.serve({"/data": {"file": str(samples.file), "gate": "rest", "gateAfter": 1_000_000}})
    server = Server(program)
    number = server.download(origin.url("/data"))["id"]
    server.wait_for_items(lambda items: items and items[number].get("receivedBytes", 0) >= 1_000_000)
    paused = program.run("pause", number)
    assert paused.code == 0, paused.err
    assert f"offline resume {number}" in paused.out
    assert server.item(number)["state"] == "paused"
    server.kill()
    server.start()
    assert server.item(number)["state"] == "paused"
    origin.open_gate("rest")
    assert program.run("resume", number).code == 0
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    assert program.media(server.item(number)).read_bytes() == samples.file.read_bytes()
    assert [entry["range"] for entry in origin.settled_log()] == [None, "bytes=1000000-"]
    refused = program.run("pause", number)
    assert refused.code == 1 and "is not being downloaded" in refused.err
    server.kill()
