# SPDX-License-Identifier: Apache-2.0
"""The choice of a film's sound in the player, and the copies that the server makes for it."""

import concurrent.futures
import json
import os
import shutil
import subprocess
from time import monotonic

import pytest

from harness import axe, media
from harness.server import Server
from harness.waiting import wait_until

SOURCE = "return document.querySelector('#player video').getAttribute('src')"


@pytest.fixture(scope="session")
def sounds(tmp_path_factory):
    """A folder with films of four minutes.

    Two films are in English and German, one is in German and English, and one has one sound.
    """
    folder = tmp_path_factory.mktemp("sounds")
    notes = folder / "chapters.txt"
    notes.write_text(";FFMETADATA1\n" + "".join(
        f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={start + 30}\ntitle=Part {start // 30 + 1}\n"
        for start in (0, 30)))
    plain = folder / "plain.mp4"
    media.ffmpeg(*media.source(240)[:8], "-f", "lavfi", "-i", "sine=frequency=880:duration=240",
                 *media.source(240)[8:], "-map", "0", "-map", "1", "-map", "2", plain)
    for name, languages in {"Tide": "eng deu", "Moor": "eng deu", "Dune": "deu eng"}.items():
        first, second = languages.split()
        media.ffmpeg(
            "-i", plain, "-i", notes, "-map", "0", "-map_chapters", "1", "-c", "copy",
            "-metadata:s:a:0", f"language={first}", "-metadata:s:a:1", f"language={second}",
            folder / f"{name}.mp4")
    media.ffmpeg("-i", plain, "-map", "0:v", "-map", "0:a:0", "-c", "copy", folder / "Rain.mp4")
    plain.unlink()
    return folder


class Gate:
    """A gate at which each copy of a film waits for a line."""

    def __init__(self, folder):
        self.folder = folder
        os.mkfifo(folder / "gate")
        # The pipe is open for both directions, so that neither end has to wait.
        self.descriptor = os.open(folder / "gate", os.O_RDWR)

    def open(self):
        os.write(self.descriptor, b"go\n")

    def begun(self):
        """Returns the number of copies that have started."""
        return (self.folder / "log").read_text().count("begun") if (self.folder / "log").exists() else 0

    def wait_for(self, count):
        wait_until(lambda: self.begun() >= count, self.folder, "no copy has begun")


@pytest.fixture
def gate(program):
    """A gate at which copies of films wait, and then fail while `broken` exists."""
    folder = program.root / "tools"
    folder.mkdir()
    made = Gate(folder)
    tool = folder / "ffmpeg"
    tool.write_text(
        f'#!/bin/sh\ncase "$*" in */sounds/*) echo begun >> {folder}/log\nread line < {folder}/gate\n'
        f"[ ! -e {folder}/broken ] || exit 1;; esac\nexec {shutil.which('ffmpeg')} \"$@\"\n")
    tool.chmod(0o755)
    program.added["PATH"] = f"{folder}:{os.environ['PATH']}"
    yield made
    os.close(made.descriptor)


@pytest.fixture
def films(program, sounds):
    """The numbers of the films in the library."""
    program.library.mkdir(parents=True)
    for name in ("Tide", "Moor", "Dune", "Rain"):
        shutil.copy(sounds / f"{name}.mp4", program.library)
    (program.library / "Tide.en.vtt").write_text("WEBVTT\n\n00:00.000 --> 01:00.000\nLow water\n")
    result = program.run("refresh", "--import")
    assert result.code == 0, result.err
    found = {item["title"]: item["id"] for item in program.items()}
    return found


def now(browser):
    return browser.script("return document.querySelector('#player video')?.currentTime ?? -1")


def play(browser, server, number):
    browser.open(f"{server.address}#item-{number}")
    browser.until_text("#link", "Connected")
    browser.click("#item-play")
    browser.until_shown("#player video")
    browser.until(lambda: now(browser) > 0, "it does not play")


def open_settings(browser):
    browser.script("document.querySelector('#player-tuning').showPopover()")


def has_choice(browser, number):
    """Returns whether the player offers sounds, after the page could have read them."""
    browser.driver.execute_async_script("""
        const [address, done] = arguments;
        fetch(address).then(() => fetch(address)).then((response) => response.text()).then(done)""",
        f"/api/items/{number}/tracks")
    return browser.find("#player-sound").is_displayed()


def choose(browser, title):
    """Chooses a sound in the settings, which stay open."""
    if not browser.find("#player-tuning").is_displayed():
        open_settings(browser)
    browser.until_shown("#player-sound")
    option = next(each for each in browser.all("#player-sound option") if each.text == title)
    option.click()


def shown(browser):
    return browser.script("const list = document.querySelector('#player-sound'); return list.selectedOptions[0].text")


def until_source(browser, source):
    browser.until(lambda: browser.script(SOURCE) == source, f"{browser.script(SOURCE)} plays")


def streams(path):
    out = subprocess.run(["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
                         capture_output=True, check=True).stdout
    return [(each["codec_type"], each["tags"]["language"]) for each in json.loads(out)["streams"]]


def hash_of(path, sound):
    return media.ffmpeg("-i", path, "-map", f"0:a:{sound}", "-f", "md5", "-")


def test_another_sound_plays_at_the_same_time_and_its_language_is_remembered(
        browser, program, films, sounds, tmp_path):
    server = Server(program)
    number = films["Tide"]
    german = f"/media/{number}?sound=2"
    play(browser, server, number)
    begin = monotonic()
    browser.script("document.querySelector('#player video').currentTime = 30")
    browser.until(lambda: browser.all("#player track"), "the subtitles are missing")
    browser.find("#player").send_keys("c")
    browser.find("#player").send_keys(">")
    choose(browser, "German")
    until_source(browser, german)
    browser.until(lambda: now(browser) > 30, "it begins again")
    browser.until(lambda: now(browser) > 30.5, "it does not go on")
    assert now(browser) < 32 + 1.25 * (monotonic() - begin)
    state = browser.script("""
        const video = document.querySelector('#player video');
        return [video.playbackRate, video.paused, video.textTracks[0].mode]""")
    assert state == [1.25, False, "showing"]
    assert "Part 2" in browser.find("#player-chapter-list").get_attribute("textContent")
    # The copy has the bytes of the second sound.
    copy = tmp_path / "copy.mp4"
    copy.write_bytes(server.request("GET", german)[2])
    assert streams(copy) == [("video", "und"), ("audio", "deu")]
    assert hash_of(copy, 0) == hash_of(sounds / "Tide.mp4", 1) != hash_of(sounds / "Tide.mp4", 0)
    # A paused film stays paused at the same time.
    browser.script("document.querySelector('#player video').pause()")
    time = now(browser)
    choose(browser, "English")
    until_source(browser, f"/media/{number}")
    browser.until(lambda: now(browser) == pytest.approx(time, abs=0.1), "it has another time")
    browser.until(lambda: browser.script("return document.querySelector('#player video').readyState") > 1, "it does not load")
    assert browser.script("return document.querySelector('#player video').paused")
    choose(browser, "German")
    until_source(browser, german)
    # The choice applies to the next films with this sound at any position.
    play(browser, server, films["Moor"])
    until_source(browser, f"/media/{films['Moor']}?sound=2")
    play(browser, server, films["Dune"])
    browser.until(lambda: browser.script("return document.querySelectorAll('#player-sound option').length") == 2, "no choice")
    assert browser.script(SOURCE) == f"/media/{films['Dune']}" and shown(browser) == "German"
    # The last two copies are kept until the next start.
    browser.driver.get("about:blank")
    copies = program.data / "sounds"
    assert len(list(copies.iterdir())) == 2
    server.kill()
    server.start()
    assert not copies.exists()


@pytest.mark.parametrize("width", [360, 1280])
def test_the_present_sound_plays_until_the_other_one_is_ready(width, browser, program, films, gate):
    server = Server(program)
    number = films["Tide"]
    play(browser, server, number)
    browser.resize(width, 740)
    # Without this script, a message would disappear before a slow test sees it.
    browser.script("const real = window.setTimeout; window.setTimeout = (body, delay) => (delay === 2500 ? 0 : real(body, delay));")
    choose(browser, "German")
    browser.until_text("#player-said", "Preparing the German sound…")
    time = now(browser)
    browser.until(lambda: now(browser) > time, "it does not go on")
    assert browser.script(SOURCE) == f"/media/{number}" and shown(browser) == "German"
    assert axe.violations(browser) == []
    assert browser.overflow() <= 0
    browser.picture(f"player-sound-{width}")
    # The user may change the choice.
    choose(browser, "English")
    browser.until(lambda: browser.find("#player-said").get_attribute("textContent") == "", "it goes on preparing")
    choose(browser, "German")
    browser.until(lambda: gate.begun() == 1, "no copy has begun")
    gate.open()
    browser.until_text("#player-said", "Sound: German")
    until_source(browser, f"/media/{number}?sound=2")
    browser.until(lambda: now(browser) > time, "it does not play")
    assert gate.begun() == 1


def test_a_sound_that_cannot_be_prepared_says_why_and_the_film_goes_on(browser, program, films, gate):
    server = Server(program)
    number = films["Tide"]
    (gate.folder / "broken").touch()
    browser.expected = ["409"]
    play(browser, server, number)
    choose(browser, "German")
    gate.open()
    browser.until_text("#player-note", "The film keeps the English sound: the German sound cannot be played.")
    assert "Try again, or save a copy" in browser.find("#player-note").text
    time = now(browser)
    browser.until(lambda: now(browser) > time, "it does not go on")
    assert browser.script(SOURCE) == f"/media/{number}" and shown(browser) == "English"
    assert axe.violations(browser) == []
    (gate.folder / "broken").unlink()
    choose(browser, "German")
    gate.open()
    until_source(browser, f"/media/{number}?sound=2")
    assert browser.find("#player-note").get_attribute("textContent") == ""


def test_a_copy_that_the_browser_cannot_play_gives_way_to_the_film(browser, program, films, gate):
    # The copy contains nothing that a browser plays.
    tool = gate.folder / "ffmpeg"
    tool.write_text('#!/bin/sh\nfor path; do :; done\necho no film > "${path#file:}"\n')
    server = Server(program)
    number = films["Tide"]
    play(browser, server, number)
    browser.script("document.querySelector('#player video').currentTime = 30")
    choose(browser, "German")
    browser.until_text("#player-note", "This browser does not know its format.")
    browser.until(lambda: now(browser) > 30, "it begins again")
    assert browser.script(SOURCE) == f"/media/{number}" and shown(browser) == "English"
    assert browser.all("#player-trouble") == []


def test_a_film_with_one_sound_and_one_that_the_browser_keeps_offer_no_choice(browser, program, films):
    server = Server(program)
    play(browser, server, films["Rain"])
    open_settings(browser)
    browser.until_shown("#player-speed")
    assert not has_choice(browser, films["Rain"])
    browser.open(f"{server.address}#item-{films['Tide']}")
    browser.until_text("#link", "Connected")
    browser.click("#keep-begin")
    browser.until_text("#keep-state", "Kept in this browser")
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 0, "it does not play")
    assert browser.script(SOURCE).startswith("blob:")
    open_settings(browser)
    browser.until_shown("#player-speed")
    assert not has_choice(browser, films["Tide"])


def test_two_players_share_a_copy_and_a_removed_item_ends_it(program, films, gate):
    server = Server(program)
    number = films["Tide"]
    address = f"/media/{number}?sound=2"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        both = [pool.submit(server.request, "GET", address) for _ in range(2)]
        gate.open()
        (first, _, content), (second, _, other) = [each.result() for each in both]
        assert (first, second) == (200, 200) and content == other
        assert gate.begun() == 1
        # The removal of the item also ends a copy that is being made.
        waiting = pool.submit(server.request, "GET", f"/media/{films['Moor']}?sound=2")
        gate.wait_for(2)
        server.call("DELETE", f"/api/items/{films['Moor']}?withFile=true")
        status, _, content = waiting.result()
        assert status == 404 and b"notFound" in content
        assert [path.name for path in (program.data / "sounds").iterdir()] == [f"{number}-2"]


def test_the_end_of_the_server_waits_for_no_copy(program, films, gate):
    server = Server(program)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(server.request, "GET", f"/media/{films['Tide']}?sound=2")
        gate.wait_for(1)
        server.process.terminate()
        status, _, content = waiting.result()
        assert status == 503 and b"unavailable" in content
    assert server.process.wait(600) == 0
    assert not (program.data / "sounds").exists()


def test_after_a_kill_the_next_start_removes_the_part(program, films, gate):
    server = Server(program)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(server.request, "GET", f"/media/{films['Tide']}?sound=2")
        gate.wait_for(1)
        part = program.data / "sounds" / f"{films['Tide']}-2.part"
        part.write_bytes(b"a part")
        server.kill()
        assert waiting.exception() is not None
    server.start()
    assert not part.exists()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        again = pool.submit(server.request, "GET", f"/media/{films['Tide']}?sound=2")
        gate.open()
        assert again.result()[0] == 200
