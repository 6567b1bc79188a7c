# SPDX-License-Identifier: Apache-2.0
"""Files that a user drops on the page or chooses there, kept once and whole or not at all (O34)."""

import base64
import contextlib
import http.client
import json
import shutil
import socket
import urllib.parse

import pytest
from selenium.webdriver.common.keys import Keys

from harness import axe
from harness.browser import SERVER_GONE
from harness.disk import SmallDisk
from harness.network import Network, own_network
from harness.phone import Phone, invite
from harness.server import Server
from harness.waiting import wait_until

MIB = 1 << 20
DROP = """
const [files] = arguments;
const data = new DataTransfer();
for (const [name, type, content] of files) {
  data.items.add(new File([Uint8Array.from(atob(content), (each) => each.charCodeAt(0))], name, { type }));
}
for (const name of ["dragover", "drop"]) {
  document.querySelector("main").dispatchEvent(
    new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""
CLOSING = """
const event = new Event("beforeunload", { cancelable: true });
dispatchEvent(event);
return event.defaultPrevented;
"""
FACES = ([360, 740], [1280, 800])


@pytest.fixture
def server(program):
    return Server(program)


def drop(browser, *files):
    browser.script(DROP, [[name, kind, base64.b64encode(content).decode()] for name, kind, content in files])


def partials(program):
    return [path.name for path in program.library.glob(".offline-upload-*")]


def visible(program):
    return sorted(path.name for path in program.library.iterdir() if not path.name.startswith("."))


def send(server, content, name="film.mp4", length=None, port=None):
    """Opens an upload with a raw connection, which the caller reads or closes."""
    connection = socket.create_connection(("127.0.0.1", port or server.port), timeout=120)
    connection.sendall((
        f"POST /api/uploads?name={urllib.parse.quote(name)} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Type: application/octet-stream\r\n"
        f"Content-Length: {length or len(content)}\r\n\r\n").encode())
    connection.sendall(content)
    return connection


def test_o34_a_dropped_film_is_in_the_library_with_its_name(browser, server, program, samples):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    drop(browser, ("High tide.mp4", "video/mp4", samples.film.read_bytes()))
    browser.until_text("#uploads .course", "“High tide” is in the library.")
    browser.until(lambda: browser.find("#announcer").get_attribute("textContent") == "“High tide” is in the library.",
                  "nothing was announced")
    [item] = server.items()
    assert item["title"] == "High tide" and item["state"] == "ready" and item["duration"] > 7
    assert (program.library / "High tide.mp4").read_bytes() == samples.film.read_bytes()
    assert visible(program) == ["High tide.mp4"] and partials(program) == []
    assert not browser.script(CLOSING)
    for width, height in FACES:
        for dark in (False, True):
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce"}]})
            browser.resize(width, height)
            browser.picture(f"upload-done-{width}-{'dark' if dark else 'light'}")
            only = axe.COLORS if dark else None
            assert axe.violations(browser, only) == [] and browser.overflow() <= 0
    browser.click("#uploads a")
    browser.until_text("#item-section", "High tide")
    # The same content under another name is the same item.
    drop(browser, ("copy.mp4", "video/mp4", samples.film.read_bytes()))
    browser.until_text("#uploads .course", "“High tide” was in the library already.")
    assert len(server.items()) == 1


def test_files_can_be_chosen_by_keyboard_and_on_a_phone(browser, server):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.script("""
      window.asked = 0;
      document.getElementById("file-chooser").addEventListener("click", (event) => {
        event.preventDefault();
        window.asked += 1;
      });
    """)
    browser.find("#address").send_keys(Keys.TAB, Keys.TAB)
    assert browser.script("return document.activeElement.id") == "choose-files"
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.script("return window.asked") == 1
    browser.resize(360, 740)
    browser.click("#choose-files")
    assert browser.script("return window.asked") == 2
    assert "video/*" in browser.find("#file-chooser").get_attribute("accept")


def test_o34_of_several_files_each_says_what_became_of_it(browser, server, program, samples):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.expected = ["400"]
    film = samples.film.read_bytes()
    drop(browser, ("one.mp4", "video/mp4", film), ("text.mp4", "video/mp4", b"no film"),
         ("empty.mp4", "video/mp4", b""), ("links.txt", "text/plain", b"https://example.org/a.mp4\n"))
    browser.until(lambda: [each.get_attribute("data-state") for each in browser.all("#uploads li")]
                  == ["done", "failed", "failed"], "not all files ended")
    words = [each.text for each in browser.all("#uploads .course")]
    assert words[0] == "“one” is in the library." and "“text.mp4” cannot be kept." in words[1]
    assert "“empty.mp4” is empty." in words[2]
    assert [item["title"] for item in server.items()] == ["one"]
    assert visible(program) == ["one.mp4"] and partials(program) == []
    # A list of links is not an upload.
    assert browser.find("#address").get_attribute("value") == "https://example.org/a.mp4"
    for width, height in FACES:
        browser.resize(width, height)
        browser.picture(f"upload-several-{width}")
        assert axe.violations(browser) == [] and browser.overflow() <= 0


def test_o34_subtitles_that_are_dropped_with_a_film_are_beside_it(browser, server, program, samples):
    program.library.mkdir(exist_ok=True)
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    film, words = samples.film.read_bytes(), b"1\n00:00:01,000 --> 00:00:02,000\nEbb and flow\n"
    (program.library / "Tide.mp4").write_bytes(b"of somebody else")
    drop(browser, ("Tide.en.srt", "", words), ("Tide.mp4", "video/mp4", film), ("alone.srt", "", words))
    browser.until_text("#uploads .sum", "3 files are in the library.")
    assert browser.all("#uploads li") == []
    assert visible(program) == ["Tide (2).en.srt", "Tide (2).mp4", "Tide.mp4", "alone.srt"]
    tide = next(item for item in server.items() if item["title"] == "Tide")
    [found] = server.item(tide["id"])["subtitleFiles"]
    assert found["language"] == "en"
    assert [item["id"] for item in server.call("GET", "/api/items?q=ebb")["items"]] != []


@pytest.mark.parametrize("name, content, status, code", [
    ("film.de.srt", b"no subtitles", 400, "notMedia"), ("../x.srt", b"1", 400, "invalidName"),
    ("other.srt", b"1", 400, "invalidName"), ("film.en.srt", b"1\n00:00:01,000 --> 00:00:02,000\nB\n", 409, "subtitlesExist"),
])
def test_o34_wrong_subtitles_change_nothing(name, content, status, code, server, program, samples):
    film = server.upload(samples.film.read_bytes())[1]["id"]
    words = b"1\n00:00:01,000 --> 00:00:02,000\nA\n"
    assert server.upload(words, "film.en.srt", film)[0] == 201
    assert server.upload(words, "film.en.srt", film)[0] == 200
    answer = server.upload(content, name, film)
    assert (answer[0], answer[1]["error"]["code"]) == (status, code)
    assert visible(program) == ["film.en.srt", "film.mp4"] and partials(program) == []
    assert (program.library / "film.en.srt").read_bytes() == words


@pytest.mark.parametrize("name, kept", [
    ("film.srt", "film.srt"), ("film.en.srt", "film.en.srt"), ("film.en.vtt", "film-en.vtt")])
def test_o1_a_film_takes_no_file_of_another_item(name, kept, server, program, samples):
    """Subtitles that came without a film are a separate item, and remain so."""
    words = b"WEBVTT\n\n00:01.000 --> 00:02.000\nA\n" if name.endswith("vtt") else b"1\n00:00:01,000 --> 00:00:02,000\nA\n"
    alone = server.upload(words, name)[1]["id"]
    film = server.upload(samples.film.read_bytes())[1]["id"]
    assert server.request("POST", f"/api/items/{film}/rename", {"title": "Renamed"})[0] == 200
    assert visible(program) == sorted(["Renamed.mp4", kept])
    assert server.request("POST", f"/api/items/{film}/rename", {"title": "film"})[0] == 200
    assert server.request("DELETE", f"/api/items/{film}?withFile=true")[0] in (200, 204)
    assert (program.library / kept).read_bytes() == words
    assert server.request("GET", f"/media/{alone}")[0] == 200


def slow(browser, bytes_per_second):
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second})


def test_o34_a_cancelled_file_leaves_nothing_and_the_next_one_follows(browser, server, program, samples, tmp_path):
    film = samples.film.read_bytes()
    (tmp_path / "long.mp4").write_bytes(film + bytes(20 * MIB))
    shutil.copy(samples.film, tmp_path / "short.mp4")
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    slow(browser, 100_000)
    try:
        browser.find("#file-chooser").send_keys(f"{tmp_path / 'long.mp4'}\n{tmp_path / 'short.mp4'}")
        browser.until_text("#uploads .course", " % · ")
        wait_until(lambda: len(partials(program)) == 1, program.library)
        assert browser.script(CLOSING)
        for width, height in FACES:
            browser.resize(width, height)
            browser.picture(f"upload-sending-{width}")
            assert axe.violations(browser) == [] and browser.overflow() <= 0
        browser.click("#uploads li:first-child .acts button[aria-label='Cancel: long.mp4']")
    finally:
        slow(browser, -1)
    browser.until_text("#uploads .course", "“short” is in the library.")
    wait_until(lambda: partials(program) == [], program.library)
    assert [item["title"] for item in server.items()] == ["short"] and visible(program) == ["short.mp4"]


def test_o34_many_waiting_files_are_one_line_and_can_be_cancelled(browser, server, program, samples, tmp_path):
    large = tmp_path / "first.mp4"
    large.write_bytes(bytes(20 * MIB))
    for number in range(6):
        shutil.copy(samples.film, tmp_path / f"{number}.mp4")
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    slow(browser, 100_000)
    try:
        browser.find("#file-chooser").send_keys("\n".join(map(str, [large, *sorted(tmp_path.glob("[0-9].mp4"))])))
        browser.until_text("#uploads .rest", "3 more wait.")
        assert len(browser.all("#uploads li")) == 4 and axe.violations(browser) == []
        browser.picture("upload-many")
        browser.click("#uploads .rest button")
        browser.until_hidden("#uploads .rest")
        assert browser.script("return document.activeElement.getAttribute('aria-label')") == "Cancel: first.mp4"
        for left in (3, 2, 1):
            browser.click("#uploads li:last-child .icon")
            browser.until(lambda: len(browser.all("#uploads li")) == left, "the row stays")
        browser.click("#uploads li .icon")
        browser.until_hidden("#uploads")
        assert browser.script("return document.activeElement.id") == "address"
    finally:
        slow(browser, -1)
    wait_until(lambda: partials(program) == [], program.library)
    assert server.items() == []


FOLDER = """
const done = arguments[0];
const file = (name, type) => ({ isFile: true, file: (next) => next(new File(["x"], name, { type })) });
const folder = (...entries) => ({
  isDirectory: true, createReader: () => ({ readEntries: (next) => next(entries.splice(0, 2)) }) });
const tree = folder(file("a.mp4", "video/mp4"), file("notes.txt", "text/plain"), folder(file("b.mkv", "")), file(".DS_Store", ""));
const item = (entry) => ({ kind: "file", webkitGetAsEntry: () => entry });
import(document.querySelector("link[href$='/upload.js']").href)
  .then(({ dropped }) => dropped({ files: [1], items: [item(tree), item(file("c.pdf", "application/pdf"))] }))
  .then((files) => done(files.map(({ name }) => name)), (error) => done(String(error)));
"""


def test_of_a_dropped_folder_the_films_are_added(browser, server):
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    assert browser.driver.execute_async_script(FOLDER) == ["a.mp4", "b.mkv", "c.pdf"]


@own_network
def test_o34_a_device_adds_a_file_when_it_is_let_in(program, samples):
    Network().go_online()
    server = Server(program, "--lan")
    phone = Phone(invite(program))
    film = samples.film.read_bytes()

    def add(**more):
        connection = http.client.HTTPConnection(phone.host, phone.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/api/uploads?name=tide.mp4", film, {
                **phone.headers, "Content-Type": "application/octet-stream", **more})
            return connection.getresponse().status

    own = {"Origin": f"http://{phone.host}:{phone.port}"}
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        assert add(**own) == 403
    assert partials(program) == [] and visible(program) == []
    assert program.run("devices", "allow", phone.code()).code == 0
    assert add(**own) == 201
    assert (program.library / "tide.mp4").read_bytes() == film
    # A device that is removed during an upload adds nothing more.
    connection = http.client.HTTPConnection(phone.host, phone.port, timeout=60)
    with contextlib.closing(connection):
        connection.putrequest("POST", "/api/uploads?name=ebb.bin")
        headers = {**phone.headers, **own, "Content-Type": "application/octet-stream", "Content-Length": "8"}
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(b"half")
        wait_until(lambda: len(partials(program)) == 1, program.library)
        [device] = json.loads(program.run("devices", "--json").out)["devices"]
        assert program.run("devices", "remove", str(device["id"])).code == 0
        connection.send(b"half")
        assert connection.getresponse().status == 403
    wait_until(lambda: partials(program) == [], program.library)
    assert visible(program) == ["tide.mp4"]
    server.kill()


def test_o34_a_kill_half_way_leaves_nothing(browser, server, program, samples):
    film = samples.film.read_bytes()
    with send(server, film[:len(film) // 2], length=len(film)):
        wait_until(lambda: len(partials(program)) == 1, program.library)
        server.process.kill()
        server.process.wait()
    assert len(partials(program)) == 1
    server.start()
    assert partials(program) == [] and visible(program) == [] and server.items() == []
    # The user drops the film again.
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    drop(browser, ("film.mp4", "video/mp4", film))
    browser.until_text("#uploads .course", "“film” is in the library.")
    assert (program.library / "film.mp4").read_bytes() == film


def test_o34_a_closed_connection_leaves_nothing(server, program, samples):
    film = samples.film.read_bytes()
    with send(server, film[:-1], length=len(film)):
        wait_until(lambda: len(partials(program)) == 1, program.library)
    wait_until(lambda: partials(program) == [], program.library)
    assert server.items() == [] and visible(program) == []


def test_o34_a_lost_connection_is_said_and_the_file_can_be_sent_again(browser, server, program, samples, tmp_path):
    (tmp_path / "film.mp4").write_bytes(samples.film.read_bytes() + bytes(8 * MIB))
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.expected = [*SERVER_GONE, "400"]
    slow(browser, 100_000)
    browser.find("#file-chooser").send_keys(str(tmp_path / "film.mp4"))
    wait_until(lambda: len(partials(program)) == 1, program.library)
    server.kill()
    browser.until_text("#uploads .error", "The connection broke off")
    slow(browser, -1)
    server.start()
    browser.until_text("#link", "Connected")
    browser.click("#uploads button[aria-label='Try again: film.mp4']")
    browser.until(lambda: browser.find("#uploads li").get_attribute("data-state") == "done"
                  or "cannot be kept" in browser.find("#uploads").text, "the file was not sent again")
    assert partials(program) == []


def test_o34_a_full_disk_refuses_a_file_at_once_and_takes_it_later(browser, program, samples, tmp_path):
    program.library = tmp_path / "small"
    film = samples.film.read_bytes()
    large = tmp_path / "large.pdf"
    large.write_bytes(b"%PDF-1.7" + bytes(16 * MIB))
    browser.expected = ["507", *SERVER_GONE]
    with SmallDisk(program.library, "14m") as disk:
        server = Server(program, prefix=disk.prefix)
        browser.open(server.address)
        browser.until_text("#link", "Connected")
        browser.find("#file-chooser").send_keys(str(large))
        browser.until_text("#uploads .error", "The disk is full: “large.pdf” has 16.8 MB")
        status, refusal = server.upload(large.read_bytes()[:1], "x.pdf")
        assert status == 201, refusal
        with send(server, b"%PDF", "large.pdf", 16 * MIB) as connection:
            assert b" 507 " in connection.recv(4096)
        assert list(disk.view.glob(".offline-upload-*")) == []
        status, _ = server.upload(film, "film.mp4")
        assert status == 201
        disk.grow("60m")
        browser.click("#uploads button[aria-label='Try again: large.pdf']")
        browser.until_text("#uploads .course", "“large” is in the library.")
        assert (disk.view / "large.pdf").read_bytes() == large.read_bytes()
        server.kill()


def memory(process):
    status = open(f"/proc/{process.pid}/status").read()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) << 10


def test_o34_a_large_file_is_never_in_memory(server, program):
    assert server.upload(b"%PDF-1.7 small", "small.pdf")[0] == 201
    before = memory(server.process)
    size = 192 * MIB
    piece = b"%PDF-1.7" + bytes(MIB - 8)
    with send(server, piece, "large.pdf", size) as connection:
        for _ in range(size // MIB - 1):
            connection.sendall(piece)
        assert b" 201 " in connection.recv(4096)
    assert (program.library / "large.pdf").stat().st_size == size
    assert memory(server.process) - before < 20 * MIB


def test_o34_a_stop_of_the_server_ends_an_upload(server, program):
    with send(server, b"%PDF", "a.pdf", 1000):
        wait_until(lambda: len(partials(program)) == 1, program.library)
        server.process.terminate()
        assert server.process.wait(600) == 0
    assert partials(program) == []


def test_o34_firefox_adds_chosen_files(server, program, samples, firefox, tmp_path):
    shutil.copy(samples.film, tmp_path / "tide.mp4")
    (tmp_path / "text.mp4").write_text("no film")
    firefox.driver.get(server.address)
    firefox.until_text("#link", "Connected")
    firefox.find("#file-chooser").send_keys(f"{tmp_path / 'tide.mp4'}\n{tmp_path / 'text.mp4'}")
    firefox.until_text("#uploads .course", "“tide” is in the library.")
    firefox.until_text("#uploads .error", "“text.mp4” cannot be kept.")
    assert [item["title"] for item in server.items()] == ["tide"]
