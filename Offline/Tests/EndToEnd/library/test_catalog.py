# SPDX-License-Identifier: Apache-2.0
"""The catalog of lessons: loading, search, downloads and the stored copy."""

import json
import os
import pathlib

import pytest
from selenium.webdriver.common.keys import Keys

from harness import media
from harness.browser import SERVER_GONE
from harness.disk import SmallDisk
from harness.server import Events, Server
from harness.waiting import wait_until

HOSTILE = "<img src=x onerror=alert(1)>"
WORDS = "Bonjour, le monde.\n<b>Bienvenue</b> à tous."


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "lesson.mp3"
    media.ffmpeg("-f", "lavfi", "-i", "sine=frequency=330:duration=8", path)
    return path


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def lesson(number, title, **parts):
    return {"id": str(number), "title": title, **parts}


def catalog():
    return {"format": 1, "title": "French for travellers", "groups": [
        {"title": "First steps", "lessons": [
            lesson(1, "Bonjour", audio="1.mp3", video="2.mp4", text="1.txt"),
            lesson(2, "Numbers from one to ten", audio="2.mp3", text="2.txt"),
            lesson(3, "At the market, with a title so long that it does not fit into one line of a "
                      "narrow window", video="3.mp4")]},
        {"title": "On the way", "lessons": [
            lesson(4, "The train to Lyon", audio="4.mp3", text="4.txt"),
            lesson(5, "A letter home", text="5.txt"),
            lesson(6, "Asking for the way", audio="gone.mp3")]}]}


def serve(origin, samples, sound, document=None, **routes):
    """Serves the catalog with all files, and returns the catalog's address."""
    file = {"file": str(sound)}
    origin.serve({
        "/french/all.json": {"text": json.dumps(document or catalog())},
        **{f"/french/{number}.mp3": file for number in (1, 2, 4)},
        **{f"/french/{number}.txt": {"text": WORDS, "type": "text/plain"} for number in (1, 2, 4, 5)},
        **{f"/french/{number}.mp4": {"file": str(samples.film)} for number in (2, 3)},
        "/french/gone.mp3": {"status": 404, "text": ""},
        **routes})
    return origin.url("/french/all.json")


def choose(server, address):
    server.call("PUT", "/api/catalog", {"address": address, "allowPrivate": True})
    return settled(server)


def settled(server):
    """Returns the state of the catalog after the load has ended."""
    with Events(server) as events:
        assert any(name == "catalog" and value["state"] != "loading" for name, value in events)
    return server.call("GET", "/api/catalog")


def lessons(answer):
    return {each["id"]: each for group in answer["groups"] for each in group["lessons"]}


def row(number):
    return f'.lesson[data-id="{number}"]'


def button(number, group):
    return f'{row(number)} button[data-group="{group}"]'


def until_state(browser, number, state):
    browser.until_shown(f'{row(number)}[data-state="{state}"]')


def processor_seconds(process):
    """Returns the processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_a_lesson_is_downloaded_and_played(browser, server, program, origin, samples, sound):
    address = serve(origin, samples, sound, **{
        "/french/1.mp3": {"file": str(sound), "gate": "sound", "gateAfter": 20_000}})
    browser.open(server.address)
    browser.section("lessons")
    browser.until_text("#lessons-none", "No catalog yet")
    browser.picture("lessons-empty")
    browser.type("#catalog-address", address)
    browser.until_text("#lessons-summary", "French for travellers · 6 lessons")
    # The summary comes with an event, and the list comes later with the response to a request.
    browser.until_shown(row(6))
    assert [each.text for each in browser.all(".lesson-group > h2")] == ["First steps", "On the way"]
    assert "Audio, video and text" in browser.find(row(1)).text

    # Audio and text download together, and the list, Downloads and the API agree.
    browser.click(button(1, "audio"))
    until_state(browser, 1, "downloading")
    # One unfinished part is enough for this state.
    server.wait_for_items(lambda items: sorted(
        (item["title"], item["state"]) for item in items.values()
        ) == [("Bonjour", "fetching"), ("Bonjour (text)", "ready")])
    known = lessons(server.call("GET", "/api/catalog"))["1"]
    assert known["downloads"]["audio"] == "downloading"
    items = {item["title"]: item for item in server.items()}
    assert set(items) == {"Bonjour", "Bonjour (text)"}
    assert items["Bonjour"]["state"] == "fetching"
    browser.until_text("#downloads-count", "1")
    browser.picture("lessons-downloading")
    origin.open_gate("sound")
    until_state(browser, 1, "ready")
    assert lessons(server.call("GET", "/api/catalog"))["1"]["downloads"]["audio"] == "ready"
    assert {item["state"] for item in server.items()} == {"ready"}

    # The audio plays with the text below, and markup in the text is not interpreted.
    browser.until_text(button(1, "audio"), "Play audio")
    browser.find(button(1, "audio")).send_keys(Keys.ENTER)
    browser.until(lambda: browser.script(
        "const audio = document.querySelector('#player audio'); return audio && audio.currentTime > 0"),
        "the audio does not play")
    browser.until_text("#player-words", "<b>Bienvenue</b>")
    assert not browser.all("#player-words *")
    browser.picture("lessons-playing")
    browser.click("#player-close")

    # The video of the same lesson reuses the downloaded text.
    browser.click(button(1, "video"))
    browser.until_text(button(1, "video"), "Play video")
    assert sum(item["title"] == "Bonjour (text)" for item in server.items()) == 1
    browser.section("library")
    browser.until_text("#library-count", "3")


def test_a_text_is_read_and_a_failed_lesson_shows_the_reason(browser, server, origin, samples, sound):
    address = serve(origin, samples, sound)
    choose(server, address)
    browser.open(f"{server.origin}/?token={server.token}#lessons")
    browser.section("lessons")
    browser.click(button(5, "text"))
    browser.until_text(button(5, "text"), "Read text")
    browser.click(button(5, "text"))
    browser.until_text("#player-words", "Bonjour, le monde.")
    browser.click("#player-close")
    browser.click(button(6, "audio"))
    until_state(browser, 6, "failed")
    browser.until_text(f"{row(6)} .error", "404")
    browser.picture("lessons-failed-download")
    origin.serve({"/french/gone.mp3": {"file": str(sound)}})
    browser.click(button(6, "audio"))
    until_state(browser, 6, "ready")
    # After the removal, the lesson can be downloaded again.
    number = lessons(server.call("GET", "/api/catalog"))["6"]["parts"][0]["item"]
    server.call("DELETE", f"/api/items/{number}?withFile=true")
    until_state(browser, 6, "notDownloaded")


def test_after_a_failure_the_stored_copy_is_shown_with_the_error(browser, server, origin, samples, sound):
    address = serve(origin, samples, sound)
    choose(server, address)
    origin.serve({"/french/all.json": {"status": 404, "text": ""}})
    browser.open(server.address)
    browser.section("lessons")
    browser.until_text("#lessons-summary", "6 lessons")
    browser.click("#lessons-menu summary")
    browser.click("#lessons-refresh")
    browser.until_text("#lessons-strip", "The server answered 404")
    browser.until_text("#lessons-strip", "This is the copy as of")
    browser.until(lambda: len(browser.all(".lesson")) == 6, "the list is not complete")
    browser.picture("lessons-copy")

    # The next run keeps the address and the copy, and downloads lessons from the copy.
    server.kill()
    browser.until_shown("#lost")
    server.start()
    answers = []
    # The first message about the network starts another load.
    server.wait_until(lambda: answers.append(server.call("GET", "/api/catalog"))
                      or answers[-1]["catalog"]["state"] == "failed")
    answer = answers[-1]
    assert answer["catalog"]["address"] == address
    assert answer["catalog"]["error"]["code"] == "status"
    assert answer["catalog"]["isStale"]
    assert answer["total"] == 6
    browser.until_text("#link", "Connected")
    browser.until_text("#lessons-strip", "This is the copy as of")
    browser.click(button(2, "audio"))
    until_state(browser, 2, "ready")
    origin.serve({"/french/all.json": {"text": json.dumps(catalog())}})
    browser.click("#lessons-again")
    browser.until_hidden("#lessons-strip")
    browser.until_text("#lessons-summary", "as of")
    browser.expected = SERVER_GONE


def test_removing_the_catalog_keeps_the_downloads(browser, server, program, origin, samples, sound):
    address = serve(origin, samples, sound)
    choose(server, address)
    browser.open(server.address)
    browser.section("lessons")
    browser.click(button(5, "text"))
    until_state(browser, 5, "ready")
    browser.click("#lessons-menu summary")
    browser.click("#lessons-forget")
    browser.click("#ask-buttons .danger")
    browser.until_text("#lessons-none", "No catalog yet")
    assert not browser.all(".lesson")
    assert server.call("GET", "/api/catalog") == {
        "catalog": {"isStale": False, "state": "empty"}, "from": 0, "groups": [], "total": 0}
    wait_until(lambda: not (program.data / "catalogue.json").exists(), program.root,
               "the stored copy was not removed")
    assert [item["state"] for item in server.items()] == ["ready"]
    server.kill()
    server.start()
    assert server.call("GET", "/api/catalog")["catalog"]["state"] == "empty"
    browser.expected = SERVER_GONE


@pytest.mark.parametrize("text, code, words", [
    ("<!doctype html><title>A page</title>", "notJSON", "did not return JSON"),
    ('{"groups":[]}', "notACatalog", "format is missing"),
    ('{"format":2,"groups":[]}', "newerFormat", "Update offline"),
    ('{"format":1,"groups":[{"lessons":[{"id":"a"},{"id":"a"}]}]}', "duplicateLesson", "“a”"),
    ('{"format":1,"groups":[{"lessons":[{"id":"a","audio":"file:///etc/passwd"}]}]}',
     "forbiddenAddress", "only http and https")])
def test_an_invalid_catalog_shows_the_reason(browser, server, origin, text, code, words):
    origin.serve({"/all.json": {"text": text}})
    browser.open(server.address)
    browser.section("lessons")
    browser.type("#catalog-address", origin.url("/all.json"))
    browser.until_text("#lessons-strip", words)
    answer = server.call("GET", "/api/catalog")
    assert answer["catalog"]["error"]["code"] == code
    assert answer["groups"] == []
    # The page shows the form with the address, which can then be corrected.
    browser.until_shown("#catalog-form")
    browser.picture(f"lessons-{code}")


def test_a_hundred_thousand_lessons_are_shown_page_by_page(browser, server, program, origin):
    many = {"format": 1, "title": "Everything", "groups": [
        {"title": f"Part {part}", "lessons": [
            lesson(f"{part}-{number}", f"Lesson {number} of part {part}", audio=f"{part}/{number}.mp3",
                   text=f"{part}/{number}.txt") for number in range(1_000)]} for part in range(100)]}
    origin.serve({"/all.json": {"text": json.dumps(many)}})
    loaded = processor_seconds(server.process)
    answer = choose(server, origin.url("/all.json"))
    loaded = processor_seconds(server.process) - loaded
    assert answer["total"] == 100_000
    assert sum(len(group["lessons"]) for group in answer["groups"]) == 100
    # The processor time to store the copy does not count.
    wait_until(lambda: (program.data / "catalogue.json").exists(), program.root,
               "the copy was not stored")
    took = []
    for path in ("?q=lesson+998+97", "?from=99950&count=500", "?q=nothing", "?q=leçon"):
        began = processor_seconds(server.process)
        found = server.call("GET", f"/api/catalog{path.replace('ç', '%C3%A7')}")
        took.append(processor_seconds(server.process) - began)
        assert len(json.dumps(found)) < 200_000
    # Both durations grow on a slow machine.
    assert max(took) < loaded / 2, (took, loaded)
    browser.open(server.address)
    browser.section("lessons")
    browser.until_text("#lessons-summary", "Everything · 100,000 lessons")
    browser.until(lambda: len(browser.all(".lesson")) == 100, "the first ones did not come")
    browser.click("#lessons-more")
    browser.until(lambda: len(browser.all(".lesson")) == 200, "no more came")
    browser.find("#lessons-search").send_keys("998 part 97")
    # If the keys come slowly, the page searches for the first words alone.
    browser.until(lambda: [each.text for each in browser.all(".lesson h3")] == ["Lesson 998 of part 97"],
                  "the search does not end with one lesson")
    browser.find("#lessons-search").send_keys(" xyz")
    browser.until_text("#lessons-empty", "No lesson title contains “998 part 97 xyz”")


# Holds the request for more lessons back until a whole list has arrived.
HOLD_MORE = """
const send = window.fetch;
let release;
const listed = new Promise((resolve) => { release = resolve; });
window.fetch = async (path, options) => {
  if (path.startsWith("/api/catalog?from=100&")) await listed;
  const response = await send(path, options);
  if (path.startsWith("/api/catalog?from=0&")) release();
  return response;
};
"""


def test_more_lessons_come_although_the_list_is_loaded_again_meanwhile(browser, server, origin):
    many = {"format": 1, "groups": [{"lessons": [
        lesson(number, f"Lesson {number}", audio=f"{number}.mp3") for number in range(250)]}]}
    origin.serve({"/all.json": {"text": json.dumps(many)}})
    choose(server, origin.url("/all.json"))
    browser.open(server.address)
    browser.section("lessons")
    browser.until(lambda: len(browser.all(".lesson")) == 100, "the first ones did not come")
    browser.script(HOLD_MORE)
    browser.click("#lessons-more")
    # The list is loaded again when the section appears.
    browser.section("downloads")
    browser.section("lessons")
    browser.until(lambda: len(browser.all(".lesson")) == 200, "no more came")


def test_a_full_disk_loses_only_the_stored_copy(program, origin):
    many = {"format": 1, "groups": [{"lessons": [
        lesson(number, "x" * 100, audio=f"{number}.mp3") for number in range(30_000)]}]}
    origin.serve({"/all.json": {"text": json.dumps(many)}})
    with SmallDisk(program.library, "3m") as disk:
        server = Server(program, prefix=disk.prefix)
        answer = choose(server, origin.url("/all.json"))
        assert answer["catalog"]["state"] == "loaded"
        assert answer["total"] == 30_000
        assert not (disk.view / "catalogue.json").exists()
        assert server.call("GET", "/api/items") == {"items": [], "total": 0}
        server.kill()


def test_markup_in_a_catalog_is_text_on_the_page(browser, server, origin):
    document = {"format": 1, "title": HOSTILE, "groups": [{"title": HOSTILE, "lessons": [
        {"id": HOSTILE, "title": HOSTILE, "audio": "'\"><script>alert(1)</script>.mp3"}]}]}
    origin.serve({"/all.json": {"text": json.dumps(document)}, "/": {"status": 404, "text": HOSTILE}})
    choose(server, origin.url("/all.json"))
    browser.open(server.address)
    browser.section("lessons")
    browser.until_text(".lesson h3", HOSTILE)
    browser.click(".lesson button")
    browser.until_shown('.lesson[data-state="failed"]')
    assert not browser.all("#lessons-section img, #lessons-section script")


def test_a_private_catalog_can_be_allowed(browser, program, origin, samples, sound):
    server = Server(program)
    address = serve(origin, samples, sound)
    browser.open(server.address)
    browser.section("lessons")
    browser.type("#catalog-address", address)
    browser.until_text("#lessons-strip", "private address")
    browser.click("#catalog-allow")
    browser.until_text("#lessons-summary", "6 lessons")
    browser.click(button(5, "text"))
    until_state(browser, 5, "ready")


def test_the_list_looks_right_in_every_light_and_width(browser, server, origin, samples, sound):
    address = serve(origin, samples, sound, **{
        "/french/4.mp3": {"file": str(sound), "gate": "end", "gateAfter": 20_000}})
    choose(server, address)
    for number, parts in ((2, "audio"), (4, "audio"), (6, "audio")):
        server.call("POST", f"/api/catalog/lessons/{number}/downloads", {"parts": parts})
    server.wait_for_items(lambda items: sorted(
        item["state"] for item in items.values()) == ["failed", "fetching"] + ["ready"] * 3)
    # Light and dark have the same sizes, so each size needs only one check.
    for width, dark in ((1280, False), (360, True)):
        browser.open("about:blank")
        browser.open(server.address, width=width, height=800, dark=dark)
        browser.section("lessons")
        until_state(browser, 2, "ready")
        until_state(browser, 4, "downloading")
        assert browser.overflow() <= 0
        assert browser.outside("button, nav a, .lesson *") == []
        browser.picture(f"lessons-{width}-{'dark' if dark else 'light'}")
    origin.open_gate("end")
