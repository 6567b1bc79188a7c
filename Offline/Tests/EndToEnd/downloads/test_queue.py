# SPDX-License-Identifier: Apache-2.0
"""The order of downloads: slow servers, many files, pauses."""

from harness.server import Server


def test_dripping_servers_block_no_other(program, origin, origins):
    """More servers drip than there are places, including places for servers without a download."""
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


def test_o22_the_order_holds_over_kill_9_and_from_a_second_process(program, origin):
    origin.serve({"/gated": {"size": 100_000, "gate": "rest", "gateAfter": 1000},
                  **{f"/{number}": {"text": str(number)} for number in range(4)}})
    assert program.run("settings", "downloads", "1").code == 0
    server = Server(program)
    server.download(origin.url("/gated"))
    origin.wait_at_gate("rest")
    numbers = [server.download(origin.url(f"/{number}"))["id"] for number in range(4)]
    assert program.run("move", numbers[3], "top").code == 0
    assert server.call("POST", f"/api/items/{numbers[0]}/move", {"to": "bottom"})["position"] > 4
    server.kill()
    # Without a server, the command works directly on the library.
    assert program.run("move", numbers[2], "up").code == 0
    origin.open_gate("rest")
    server.start()
    server.wait_for_items(lambda items: items and all(
        item["state"] == "ready" for item in items.values()))
    fetched = [entry["path"] for entry in origin.fetched()]
    assert [path for path in fetched if path != "/gated"] == ["/3", "/2", "/1", "/0"]
    refused = program.run("move", numbers[0], "top")
    assert refused.code == 1 and "does not wait in the queue" in refused.err
    server.kill()


def test_o22_all_downloads_are_paused_over_kill_9_and_cancelled_ones_are_gone(program, origin):
    gated = {"size": 100_000, "gate": "rest", "gateAfter": 1000}
    origin.serve({f"/{number}": gated for number in range(6)})
    server = Server(program)
    numbers = [server.download(origin.url(f"/{number}"))["id"] for number in range(6)]
    origin.wait_at_gate("rest", 3)
    assert program.run("pause", "--all").out.startswith("6 items are paused.")
    server.kill()
    server.start()
    assert {item["state"] for item in server.items()} == {"paused"}
    assert program.run("cancel", numbers[0], numbers[5]).code == 0
    assert not (program.data / "work" / str(numbers[0])).exists()
    origin.open_gate("rest")
    assert program.run("resume", "--all").out.startswith("4 items are queued.")
    items = server.wait_for_items(lambda items: items and all(
        item["state"] == "ready" for item in items.values()))
    assert sorted(items) == numbers[1:5]
    refused = program.run("cancel", numbers[1])
    assert refused.code == 1 and "is in the library" in refused.err
    server.kill()
