# SPDX-License-Identifier: Apache-2.0
"""A full disk on a real small file system, where downloads pause and continue automatically."""

import pytest

from harness import registry
from harness.browser import SERVER_GONE
from harness.disk import SmallDisk
from harness.media import make_bytes
from harness.server import Server

MIB = 1 << 20


@pytest.fixture
def content(tmp_path):
    return make_bytes(tmp_path / "content.bin", 16 * MIB, seed=6)


@pytest.fixture
def disk(program, tmp_path):
    program.library = tmp_path / "small"
    with SmallDisk(program.library, "14m") as disk:
        yield disk


def unknown_size(path):
    """A route without an announced size, which makes the disk full during the download."""
    return {"file": str(path), "framing": "chunked"}


def fill(folder):
    """Writes a file until the disk has no block left, and keeps the blocks of the file."""
    with open(folder / "ballast", "ab", buffering=0) as file:
        try:
            while file.write(b"\1" * 4096):
                pass
        except OSError:
            pass


def is_paused(item):
    return item["state"] == "paused" and item.get("error", {}).get("code") == "diskFull"


def server_with_a_full_disk(program, origin, content, disk):
    """Returns a server, and an item whose download has filled the disk."""
    origin.serve({"/data": unknown_size(content), "/small": {"text": "small"}})
    server = Server(program, prefix=disk.prefix)
    first = server.download(origin.url("/data"))["id"]
    server.wait_for_items(lambda items: items and is_paused(items[first]))
    return server, first


def test_o9_a_get_on_a_full_disk_keeps_its_bytes_and_continues(program, origin, content, disk):
    origin.serve({"/data": unknown_size(content)})
    address = [origin.url("/data"), "--wait", "--allow-private"]
    full = program.run("get", *address, prefix=disk.prefix)
    assert full.code == 1
    assert "disk is full" in full.err and "kept" in full.err
    kept = registry.snapshot(disk.view)
    assert kept.state == "paused" and kept.partial > 7 * MIB
    disk.grow("40m")
    again = program.run("get", *address, prefix=disk.prefix)
    assert again.code == 0, again.err
    assert (disk.view / "data.bin").read_bytes() == content.read_bytes()
    assert [entry["range"] for entry in origin.settled_log()] == [None, f"bytes={kept.partial}-"]


def test_o9_a_download_that_cannot_fit_is_paused_before_its_first_byte(
        program, origin, content, disk):
    origin.serve({"/data": {"file": str(content)}})
    full = program.run("get", origin.url("/data"), "--allow-private", prefix=disk.prefix)
    assert full.code == 1
    assert "needs 16.8 MB more" in full.err and "are free" in full.err
    assert registry.snapshot(disk.view).partial == 0


def test_o9_a_paused_download_goes_on_by_itself_when_space_is_back(
        program, origin, content, disk):
    server, first = server_with_a_full_disk(program, origin, content, disk)
    # The registry can still be changed.
    second = server.download(origin.url("/small"))["id"]
    kept = registry.snapshot(disk.view, first).partial
    disk.grow("40m")
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in (first, second)))
    assert (disk.view / "data.bin").read_bytes() == content.read_bytes()
    ranges = [entry["range"] for entry in origin.settled_log() if entry["path"] == "/data"]
    assert ranges == [None, f"bytes={kept}-"]
    assert (disk.view / ".offline/reserve").stat().st_size == 4 * MIB
    server.kill()


@pytest.mark.parametrize("restart", [False, True], ids=["running", "restarted"])
def test_o9_a_removal_works_on_a_disk_without_a_free_block(
        restart, program, origin, content, disk):
    server, first = server_with_a_full_disk(program, origin, content, disk)
    fill(disk.view)
    if restart:
        server.kill()
        server.start()
        # The end of the first server may have returned blocks.
        fill(disk.view)
    status, _, refusal = server.request("GET", "/api/export")
    assert status == 507 and b"The disk is full. Free some space" in refusal, refusal
    assert server.call("DELETE", f"/api/items/{first}") == {"removed": first}
    assert first not in {item["id"] for item in server.items()}
    (disk.view / "ballast").unlink()
    second = server.download(origin.url("/small"))["id"]
    server.wait_for_items(lambda items: items and items[second]["state"] == "ready")
    server.kill()


def test_o9_a_person_sees_that_an_item_waits_for_a_full_disk(
        program, origin, content, disk, browser):
    server, first = server_with_a_full_disk(program, origin, content, disk)
    # The queue receives the message about the full disk after the item does.
    server.wait_until(lambda: server.call("GET", "/api/queue")["isDiskFull"])
    second = server.download(origin.url("/small"))["id"]
    sentence = "The disk is full. Free some space, and this download begins."
    assert server.item(second)["waiting"] == sentence
    assert sentence in program.run("list", prefix=disk.prefix).out
    browser.open(server.address)
    browser.section("downloads")
    browser.until(lambda: sentence in browser.driver.page_source, "no reason is shown")
    disk.grow("40m")
    browser.until(lambda: sentence not in browser.driver.page_source, "the reason stays")
    browser.expected = SERVER_GONE
    server.kill()


def test_a_paused_download_can_be_retried_by_hand(program, origin, content, disk):
    server, first = server_with_a_full_disk(program, origin, content, disk)
    disk.grow("40m")
    assert server.call("POST", f"/api/items/{first}/retry", {})["state"] == "queued"
    server.wait_for_items(lambda items: items and items[first]["state"] == "ready")
    server.kill()


def test_o8_a_pause_is_recorded_on_a_full_disk(program, origin, content, disk):
    origin.serve({"/data": {**unknown_size(content), "gate": "rest", "gateAfter": MIB}})
    server = Server(program, prefix=disk.prefix)
    first = server.download(origin.url("/data"))["id"]
    server.wait_for_items(lambda items: items and items[first].get("receivedBytes", 0) >= MIB)
    fill(disk.view)
    assert server.call("POST", f"/api/items/{first}/pause", {})["state"] == "paused"
    disk.grow("60m")
    origin.open_gate("rest")
    assert server.call("POST", f"/api/items/{first}/retry", {})["state"] == "queued"
    server.wait_for_items(lambda items: items and items[first]["state"] == "ready")
    server.kill()


def test_o9_several_downloads_on_a_full_disk_all_continue(program, origin, content, disk):
    # Until the library has all items, no download fills the disk, which would prevent a further
    # item.
    route = {**unknown_size(content), "gate": "all", "gateAfter": MIB // 4}
    origin.serve({f"/data{number}": route for number in range(3)})
    server = Server(program, prefix=disk.prefix)
    all_items = [server.download(origin.url(f"/data{number}"))["id"] for number in range(3)]
    origin.open_gate("all")
    server.wait_for_items(lambda items: items and any(
        is_paused(items[number]) for number in all_items if items[number]["state"]))
    disk.grow("90m")
    server.wait_for_items(lambda items: items and all(
        items[number]["state"] == "ready" for number in all_items))
    for number in range(3):
        assert (disk.view / f"data{number}.bin").read_bytes() == content.read_bytes()
    server.kill()


def test_o33_a_collection_is_made_and_changed_on_a_full_disk(program, origin, disk):
    origin.serve({"/small": {"text": "small"}})
    server = Server(program, prefix=disk.prefix)
    number = server.download(origin.url("/small"))["id"]
    server.wait_for_items(lambda items: items and items[number]["state"] == "ready")
    fill(disk.view)
    made = server.call("POST", "/api/collections", {"name": "Train"})
    path = f"/api/collections/{made['id']}"
    assert server.call("POST", f"{path}/items", {"items": [number]})["items"] == [number]
    server.kill()
    server.start()
    assert [each["items"] for each in server.call("GET", "/api/collections")["collections"]] == [[number]]
    server.kill()
