# SPDX-License-Identifier: Apache-2.0
"""Films that a browser stores and plays while the server is gone (O32)."""

import contextlib
import re
import signal
import struct

import pytest
from selenium.webdriver.common.keys import Keys

from harness import axe, media
from harness.browser import SERVER_GONE
from harness.chromium import start_chromium
from harness.firefox import start_firefox
from harness.server import Server
from harness.narrow_line import NarrowLine

SIZE = 24_000_000
# The names and sizes of the files in the browser's storage.
STORED = """
const done = arguments[0];
(async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("kept", { create: true });
  const found = {};
  for await (const [name, handle] of folder.entries()) found[name] = (await handle.getFile()).size;
  return found;
})().then(done, (error) => done(String(error)));
"""
# Makes the times that wait for a server an hour older.
GROW_OLD = """
for (const [name, value] of Object.entries(localStorage).filter(([name]) => name.startsWith("played "))) {
  const held = JSON.parse(value);
  localStorage.setItem(name, JSON.stringify({ ...held, at: held.at - 3_600_000 }));
}
"""
READY = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));"


@pytest.fixture(scope="session")
def tide(tmp_path_factory):
    """A film of a minute with three chapters, which takes a slow line some seconds."""
    folder = tmp_path_factory.mktemp("tide")
    plain = media.make_film(folder / "plain.mp4", seconds=60, size="320x180")
    media.add_chapters(plain, folder / "Tide.mp4", [0, 20, 40], 60)
    content = (folder / "Tide.mp4").read_bytes()
    rest = SIZE - len(content)
    # A box that players skip.
    (folder / "Tide.mp4").write_bytes(content + struct.pack(">I4s", rest, b"free") + bytes(rest - 8))
    return folder / "Tide.mp4"


def fill(program, tide):
    """Gives a library the film with subtitles, as item 1."""
    program.library.mkdir(parents=True, exist_ok=True)
    (program.library / "Tide.mp4").write_bytes(tide.read_bytes())
    (program.library / "Tide.en.vtt").write_text("WEBVTT\n\n00:00.000 --> 01:00.000\nLow water\n")
    result = program.run("refresh", "--import")
    assert result.code == 0, result.err


@pytest.fixture
def server(program, tide):
    fill(program, tide)
    return Server(program)


@pytest.fixture
def started(another_browser, request):
    """Starts a browser with a line that may carry only a part of the film until `let_go`."""
    @contextlib.contextmanager
    def start(engine="chromium", part=None):
        with contextlib.ExitStack() as stack:
            line = stack.enter_context(NarrowLine(5_000_000, hold=int(part * SIZE))) if part else None
            if engine == "chromium":
                browser = another_browser(proxy=line and line.port)
            else:
                browser = request.getfixturevalue("firefox")
                if line:
                    browser.driver.go_through(line.port)
            browser.line = line
            yield browser
    return start


def visit(browser, address):
    browser.driver.get("about:blank")
    browser.driver.get(address)


def stored(browser):
    return browser.driver.execute_async_script(STORED)


def keep(browser, server):
    """Opens the page of the film and starts to keep the film."""
    visit(browser, server.address)
    browser.until_text("#link-text", "Connected")
    assert browser.driver.execute_async_script(READY)
    visit(browser, f"{server.origin}/#item-1")
    browser.click("#keep-begin")


def until_kept(browser):
    browser.until_text("#keep-state", "Kept in this browser · 24 MB")


def now(browser):
    return browser.script("return document.querySelector('#player video')?.currentTime ?? -1")


def played(server):
    return server.call("GET", "/api/items/1/playback")


def held(browser):
    """Returns the times that wait for a server."""
    return browser.script("return Object.entries(localStorage).filter(([name]) => name.startsWith('played ')).join()")


def violations(browser, width):
    """Returns the violations, without colors on a desktop, which has the colors of a phone."""
    return axe.violations(browser, without=axe.COLORS if width == 1280 else ())


def percent(browser):
    text = browser.find("#keep-state").text
    return int(text.split(" %")[0].split()[-1]) if "%" in text else 0


def used_megabytes(browser):
    """Returns the space that the page states, in megabytes."""
    number, unit = re.match(r"([\d.]+) (\w+) of about ", browser.find("#kept-used").text).groups()
    return float(number) / {"MB": 1, "kB": 1000, "B": 1_000_000}[unit]


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_o32_a_kept_film_plays_while_the_server_is_gone(engine, server, started):
    with started(engine) as browser:
        keep(browser, server)
        until_kept(browser)
        assert list(stored(browser).values()) == [SIZE]
        server.kill()
        visit(browser, f"{server.origin}/")
        browser.until_text("#lost", "Start it with “offline serve”")
        browser.until_text("#kept-home", "Tide")
        browser.picture(f"kept-home-{engine}")
        browser.click("#kept-home .primary")
        browser.until(lambda: now(browser) > 0, "it does not play")
        assert browser.script("return document.querySelector('#player video').src").startswith("blob:")
        browser.until_text("#player-chapter-list", "Part 3")
        # The test checks the subtitles, a jump and the picture.
        browser.script("document.querySelector('#player video').textTracks[0].mode = 'showing'")
        browser.until(lambda: browser.script(
            "return document.querySelector('#player video').textTracks[0].activeCues?.[0]?.text") == "Low water",
            "the subtitles are not shown")
        browser.script("document.querySelector('#player video').currentTime = 20")
        browser.until(lambda: now(browser) > 20.2, "it does not go on after a jump")
        assert browser.all("#player-trouble") == []
        browser.picture(f"kept-player-{engine}")
        browser.script("document.querySelector('#player video').pause()")
        browser.until(lambda: held(browser), "the time is not stored")
        # The time survives a reload, and the address of the player works.
        stopped = now(browser)
        visit(browser, f"{server.origin}/#play-1")
        browser.until(lambda: now(browser) >= stopped - 0.5, "it begins again")
        browser.script("document.querySelector('#player video').pause()")
        server.start()
        browser.until(lambda: played(server)["seconds"] >= stopped - 0.5, "the server does not get the time")
        browser.until(lambda: not held(browser), "the time stays in the browser")


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_o32_an_interrupted_film_continues_where_it_stopped(engine, server, started):
    with started(engine, part=0.5) as browser:
        keep(browser, server)
        browser.until(lambda: percent(browser) >= 40, "there is no progress")
        browser.picture(f"keeping-{engine}")
        server.kill()
        browser.line.let_go()
        browser.until_text("#keep-state", "waits for the server")
        first = list(stored(browser).values())[0]
        assert 0 < first < SIZE
        # Nothing presents a part as kept.
        visit(browser, f"{server.origin}/#kept")
        browser.until_text("#kept-rows", "waits for the server")
        assert browser.until_shown("#kept-rows .buttons").text == "Stop"
        begun = stored(browser)
        # This page would connect by itself and receive bytes that it loses with the next visit.
        browser.driver.get("about:blank")
        server.start()
        before = browser.line.carried
        visit(browser, f"{server.origin}/#item-1")
        until_kept(browser)
        assert list(stored(browser).values()) == [SIZE] and list(begun) == list(stored(browser))
        assert browser.line.carried - before < SIZE - 8_000_000


def test_o32_a_position_from_before_yields_to_a_newer_one(server, browser):
    keep(browser, server)
    until_kept(browser)
    browser.expected = SERVER_GONE
    server.kill()
    visit(browser, f"{server.origin}/#play-1")
    browser.until(lambda: now(browser) > 0, "it does not play")
    browser.script("document.querySelector('#player video').pause()")
    browser.script("document.querySelector('#player video').currentTime = 20")
    browser.until(lambda: ":20" in held(browser), "no time")
    # An open player would send the time on closing, perhaps to the next server.
    browser.script("document.querySelector('#player-close').click()")
    browser.until_hidden("#player")
    # The page states the age of the time before its request, which may be delayed by more than the
    # seconds between the two times. A page without a player leaves the stored time alone.
    visit(browser, f"{server.origin}/#kept")
    browser.script(GROW_OLD)
    visit(browser, "about:blank")
    server.start()
    server.call("PUT", "/api/items/1/playback", {"seconds": 50})
    visit(browser, f"{server.origin}/#item-1")
    browser.until_text("#item-play", "Resume 0:50")
    browser.until(lambda: not held(browser), "the time stays in the browser")
    assert played(server)["seconds"] == 50


@pytest.fixture
def browser_with_profile():
    with contextlib.closing(start_chromium()) as chromium:
        yield chromium.profile()


def test_o32_a_full_storage_keeps_the_part_and_says_what_helps(server, browser_with_profile):
    browser = browser_with_profile
    browser.open(server.address)
    browser.until_text("#link-text", "Connected")
    # The files of the page count as well.
    assert browser.driver.execute_async_script(READY)
    usage = browser.driver.execute_async_script(
        "const done = arguments[0]; navigator.storage.estimate().then(({ usage }) => done(usage))")
    estimate = "const [usage, quota] = arguments; navigator.storage.estimate = async () => ({ usage, quota })"

    def limit(quota):
        browser.driver.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {
            "origin": server.origin, **({"quotaSize": quota} if quota else {})})
    # The space is too small from the start. Chromium's estimate does not follow the limit of a
    # test.
    visit(browser, f"{server.origin}/#item-1")
    browser.until_shown("#keep-begin")
    browser.script(estimate, usage, usage + 10_000_000)
    browser.click("#keep-begin")
    browser.until_text("#ask", "It needs 24 MB, and the browser has 10 MB left for this page. Remove other files")
    browser.picture("keep-no-space")
    browser.click("#ask .primary")
    assert stored(browser) == {}
    # The space is too small only later, because the browser overestimates the space.
    browser.script(estimate, usage, 1e9)
    limit(usage + 10_000_000)
    browser.click("#keep-begin")
    browser.until_text("#keep-problem", "The browser has no more space for this page. Remove other files")
    browser.picture("keep-full")
    assert axe.violations(browser) == []
    assert not any(found.is_displayed() for found in browser.all("#keep-state svg"))
    part = list(stored(browser).values())[0]
    assert 0 < part < SIZE
    limit(None)
    browser.click("#keep-continue")
    until_kept(browser)
    assert list(stored(browser).values()) == [SIZE]


def test_o32_a_removal_frees_the_space_and_leaves_the_library_alone(server, browser):
    keep(browser, server)
    until_kept(browser)
    # The film plays from the copy even while the server is running.
    browser.record_responses()
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 0, "it does not play")
    assert not [address for address, _ in browser.responses() if "/media/" in address or "/subtitles/" in address]
    browser.driver.back()
    browser.until_hidden("#player")
    visit(browser, f"{server.origin}/#settings")
    browser.click("#on-this-device a")
    browser.until_text("#kept-used", "used")
    browser.until_text("#kept-rows", "Tide")
    # The browser also counts the stored files of the page.
    full = used_megabytes(browser)
    assert full >= SIZE / 1_000_000
    browser.click("#kept-rows .buttons button:last-child")
    browser.until_text("#ask", "The library keeps its copy.")
    browser.click("#ask .danger")
    browser.until_text("#kept-none", "Nothing is kept in this browser.")
    # The list is drawn before the file is removed.
    browser.until(lambda: stored(browser) == {}, "the file stays")
    browser.until(lambda: used_megabytes(browser) <= full - 23, "the space is not free")
    assert server.item(1)["state"] == "ready"


def test_o32_a_film_that_leaves_the_library_stays_in_the_browser(server, browser):
    browser.expected = ["404"]
    keep(browser, server)
    until_kept(browser)
    server.call("DELETE", "/api/items/1?withFile=true")
    browser.until_text("#item-section", "The library no longer has this file. A copy is kept in this browser.")
    browser.picture("kept-gone")
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 0, "it does not play")
    browser.driver.back()
    visit(browser, f"{server.origin}/#kept")
    browser.until_text("#kept-rows", "no longer in the library")
    browser.click("#kept-rows .buttons button:last-child")
    browser.until_text("#ask", "this is the last copy")
    browser.click("#ask .danger")
    browser.until_text("#kept-none", "Nothing is kept")


def test_o32_a_film_that_changes_in_the_library_starts_anew(program, server, tide, started):
    with started(part=0.5) as browser:
        keep(browser, server)
        browser.until(lambda: percent(browser) >= 20, "there is no progress")
        server.kill()
        browser.line.let_go()
        browser.until_text("#keep-state", "waits for the server")
        browser.line.hold_again()
        content = bytearray(tide.read_bytes())
        content[-1] = 7
        (program.library / "Tide.mp4").write_bytes(content)
        server.start()
        browser.until_text("#keep-note", "The file has changed in the library, so it starts anew.")
        browser.line.let_go()
        until_kept(browser)
        last = browser.driver.execute_async_script("""
            const done = arguments[0];
            (async () => {
              const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("kept");
              for await (const handle of folder.values()) {
                const file = await handle.getFile();
                return new Uint8Array(await file.slice(-1).arrayBuffer())[0];
              }
            })().then(done);""")
        assert last == 7


def test_o32_a_film_that_is_removed_meanwhile_is_not_kept(server, started):
    with started(part=0.5) as browser:
        keep(browser, server)
        browser.until(lambda: percent(browser) >= 20, "there is no progress")
        server.kill()
        browser.line.let_go()
        browser.until_text("#keep-state", "waits for the server")
        visit(browser, f"{server.origin}/#kept")
        browser.until_text("#kept-rows", "waits for the server")
        # The rest must not arrive before the removal.
        browser.line.hold = SIZE // 10
        browser.line.hold_again()
        server.start()
        server.call("DELETE", "/api/items/1?withFile=true")
        browser.line.let_go()
        browser.until_text("#kept-rows", "The library no longer has this file")
        browser.until(lambda: stored(browser) == {}, "the part stays")
        assert not browser.find("#kept-rows .primary").is_displayed()


def test_o32_two_libraries_at_one_address_do_not_mix(program, programs, server, browser, samples):
    keep(browser, server)
    until_kept(browser)
    browser.expected = [*SERVER_GONE, "403"]
    server.kill()
    # The first library does not yet have this time.
    visit(browser, f"{server.origin}/#play-1")
    browser.until(lambda: now(browser) > 0, "it does not play")
    browser.script("document.querySelector('#player video').pause()")
    browser.script("document.querySelector('#player video').currentTime = 20")
    browser.until(lambda: "20" in held(browser), "no time")
    other = programs("other")
    other.library.mkdir(parents=True)
    (other.library / "Storm.mp4").write_bytes(samples.film.read_bytes())
    assert other.run("refresh", "--import").code == 0
    second = Server(other, port=server.port)
    visit(browser, f"{second.address}#item-1")
    browser.until_text("#item-title", "Storm")
    # The film with the same number is not kept.
    browser.until_shown("#keep-begin")
    browser.click("#item-play")
    browser.until(lambda: now(browser) > 0, "it does not play")
    assert browser.script("return document.querySelector('#player video').src").endswith("/media/1")
    browser.script("document.querySelector('#player video').pause()")
    browser.until(lambda: second.call("GET", "/api/items/1/playback").get("playedAt"), "the time is not recorded")
    assert second.call("GET", "/api/items/1/playback")["seconds"] < 8
    browser.driver.back()
    visit(browser, f"{second.origin}/#kept")
    browser.until_text("#kept-others", "1 file, 24 MB, of a library that had this address before.")
    assert axe.violations(browser) == []
    browser.picture("kept-others")
    second.kill()
    visit(browser, "about:blank")
    server.start()
    visit(browser, f"{server.address}#kept")
    browser.until_text("#kept-rows", "Tide")
    assert not browser.find("#kept-others").is_displayed()
    browser.until(lambda: played(server)["seconds"] == 20, "the first library does not get its time")


def test_o32_two_tabs_keep_one_film_once(server, started):
    with started(part=0.8) as browser:
        keep(browser, server)
        # The line carries nothing more, so the second tab misses all progress.
        browser.until(lambda: percent(browser) >= 75, "there is no progress")
        first = browser.driver.current_window_handle
        browser.open_window()
        visit(browser, f"{server.origin}/#item-1")
        # The second tab asks for the progress of the first tab, waits, and continues when that tab
        # closes.
        browser.until(lambda: percent(browser) >= 75, "the second tab shows no progress")
        second = browser.driver.current_window_handle
        browser.driver.switch_to.window(first)
        browser.driver.close()
        browser.driver.switch_to.window(second)
        until_kept(browser)
        assert browser.line.carried < SIZE + 12_000_000
        assert list(stored(browser).values()) == [SIZE]


def test_o32_stop_and_continue_work_from_the_keyboard(server, started):
    with started(part=0.5) as browser:
        visit(browser, server.address)
        browser.until_text("#link-text", "Connected")
        visit(browser, f"{server.origin}/#item-1")
        browser.until_shown("#keep-begin")

        def press():
            browser.driver.switch_to.active_element.send_keys(Keys.ENTER)

        def has_focus(name):
            browser.until(lambda: browser.script("return document.activeElement.id") == name, f"{name} has no focus")
        browser.script("document.querySelector('#keep-begin').focus()")
        press()
        has_focus("keep-stop")
        browser.until(lambda: percent(browser) >= 5, "there is no progress")
        for width in (360, 1280):
            browser.resize(width, 800)
            assert violations(browser, width) == [] and browser.overflow() <= 0
            browser.script("document.querySelector('#keep').scrollIntoView({ block: 'center' })")
            browser.picture(f"keeping-{width}")
        press()
        has_focus("keep-continue")
        browser.until_text("#keep-state", "Stopped at")
        for width in (360, 1280):
            browser.resize(width, 800)
            assert violations(browser, width) == [] and browser.overflow() <= 0
            browser.script("document.querySelector('#keep').scrollIntoView({ block: 'center' })")
            browser.picture(f"keep-stopped-{width}")
        part = list(stored(browser).values())[0]
        assert part < SIZE
        press()
        has_focus("keep-stop")
        browser.line.let_go()
        until_kept(browser)
        has_focus("keep-remove")
        for width in (360, 1280):
            browser.resize(width, 800)
            assert violations(browser, width) == [] and browser.overflow() <= 0
            browser.script("document.querySelector('#keep').scrollIntoView({ block: 'center' })")
            browser.picture(f"kept-item-{width}")
        press()
        browser.until_shown("#ask .danger")
        browser.driver.switch_to.active_element.send_keys(Keys.TAB, Keys.ENTER)
        has_focus("keep-begin")
        # The focus moves before the file is removed.
        browser.until(lambda: stored(browser) == {}, "the file stays")


@pytest.mark.parametrize("width", [360, 1280])
def test_o32_the_list_of_kept_films_is_accessible(width, server, browser):
    keep(browser, server)
    until_kept(browser)
    for place in ("#kept", "#settings"):
        browser.open("about:blank")
        browser.open(f"{server.origin}/{place}", width=width)
        browser.until_text("#link-text", "Connected") if width > 600 else browser.until_shown(f"{place}-section")
        if place == "#kept":
            browser.until_text("#kept-rows", "Tide")
            browser.until_text("#kept-used", " used")
        else:
            browser.until_open("settings")
        assert violations(browser, width) == [] and browser.overflow() <= 0
        browser.picture(f"{place[1:]}-{width}")
    browser.expected = SERVER_GONE
    server.kill()
    for place in ("#home", "#kept", "#item-1"):
        browser.open("about:blank")
        browser.open(f"{server.origin}/{place}", width=width)
        browser.until_text("#lost", "Start it with “offline serve”")
        browser.until_text("#main", "Tide")
        assert browser.find("#lost a").is_displayed() == (place == "#item-1")
        assert violations(browser, width) == [] and browser.overflow() <= 0
        browser.picture(f"gone-{place[1:]}-{width}")


def test_o32_a_copy_that_the_browser_has_removed_is_not_shown_as_kept(server, browser):
    keep(browser, server)
    until_kept(browser)
    remove = ("const done = arguments[0]; navigator.storage.getDirectory()"
              ".then((root) => root.removeEntry('kept', { recursive: true })).then(() => done(true));")
    assert browser.driver.execute_async_script(remove)
    visit(browser, f"{server.origin}/#item-1")
    browser.until_text("#keep-state", "The browser has removed the kept copy")
    visit(browser, f"{server.origin}/#kept")
    browser.until_text("#kept-rows", "The browser has removed the kept copy")
    assert axe.violations(browser) == []
    browser.picture("kept-lost")
    browser.click("#kept-rows .buttons button:last-child")
    browser.until_text("#kept-none", "Nothing is kept")
    # The film can be kept again.
    visit(browser, f"{server.origin}/#item-1")
    browser.click("#keep-begin")
    until_kept(browser)


def test_o32_a_damaged_copy_gives_way_to_the_file_of_the_library(server, browser):
    keep(browser, server)
    until_kept(browser)
    assert browser.driver.execute_async_script("""
        const done = arguments[0];
        (async () => {
          const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("kept");
          for await (const handle of folder.values()) {
            const { size } = await handle.getFile();
            const file = await handle.createWritable();
            await file.write(new Uint8Array(size).fill(65));
            await file.close();
          }
          return true;
        })().then(done, (error) => done(String(error)));""") is True
    visit(browser, f"{server.origin}/#play-1")
    browser.until(lambda: now(browser) > 0, "it does not play")
    assert browser.script("return document.querySelector('#player video').src").endswith("/media/1")
    browser.until(lambda: stored(browser) == {}, "the damaged copy stays")
    visit(browser, f"{server.origin}/#item-1")
    browser.until_text("#keep-state", "or cannot read it")


def test_o32_a_browser_that_is_no_longer_let_in_says_so(server, started):
    with started(part=0.5) as browser:
        keep(browser, server)
        browser.until(lambda: percent(browser) >= 20, "there is no progress")
        # The event stream stays, and the next request of the film is refused.
        browser.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        browser.click("#keep-stop")
        browser.click("#keep-continue")
        browser.until_text("#keep-problem", "This browser is no longer let in. Open the address that “offline serve” prints")
        assert not any(found.is_displayed() for found in browser.all("#keep-state svg"))
        browser.line.let_go()
        visit(browser, server.address)
        browser.until_text("#link-text", "Connected")
        visit(browser, f"{server.origin}/#item-1")
        browser.click("#keep-continue")
        until_kept(browser)


def test_o32_a_private_window_says_why_it_keeps_nothing(server, tmp_path):
    profile = tmp_path / "profile"
    profile.mkdir()
    browser = start_firefox(profile, {"browser.privatebrowsing.autostart": True})
    try:
        visit(browser, server.address)
        browser.until_text("#link-text", "Connected")
        visit(browser, f"{server.origin}/#item-1")
        browser.click("#keep-begin")
        browser.until_text("#ask", "Open the page in a window that is not private")
        browser.picture("keep-private")
    finally:
        browser.close()


def test_o32_a_phone_calls_itself_a_phone(server, browser):
    browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        browser.open(server.address, width=360)
        browser.until_shown("#home-section")
        browser.open("about:blank")
        browser.open(f"{server.origin}/#item-1", width=360)
        browser.until_text("#keep-begin", "Keep on this phone")
        assert axe.violations(browser) == []
        browser.script("document.querySelector('#keep').scrollIntoView({ block: 'center' })")
        browser.picture("keep-phone")
        browser.click("#keep-begin")
        browser.until_text("#keep-state", "Kept on this phone · 24 MB")
        browser.until_text("#keep-remove", "Remove from this phone")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


@pytest.mark.parametrize("width", [360, 1280])
def test_o32_a_page_without_encryption_says_what_it_needs(width, server, browser):
    script = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "Object.defineProperty(window, 'isSecureContext', { value: false })"})
    try:
        browser.open(server.address, width=width)
        browser.until_shown("#home-section")
        for place, element in (("item-1", "#keep-note"), ("kept", "#kept-none")):
            browser.open("about:blank")
            browser.open(f"{server.origin}/#{place}", width=width)
            browser.until_text(element, "the browser needs an encrypted address (https)")
            assert violations(browser, width) == [] and browser.overflow() <= 0
            browser.picture(f"insecure-{place}-{width}")
        assert not any(found.is_displayed() for found in browser.all("#keep button"))
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})


def test_o32_a_server_that_never_answers_counts_as_gone(server, browser):
    """This is the case of a phone away from home, where no machine refuses the connection."""
    keep(browser, server)
    until_kept(browser)
    visit(browser, "about:blank")
    browser.expected = SERVER_GONE
    server.process.send_signal(signal.SIGSTOP)
    try:
        visit(browser, f"{server.origin}/")
        browser.until_text("#lost", "Start it with “offline serve”")
        browser.click("#kept-home .primary")
        browser.until(lambda: now(browser) > 0, "it does not play")
        visit(browser, f"{server.origin}/#play-1")
        browser.until(lambda: now(browser) > 0, "it does not play from its address")
        browser.script("document.querySelector('#player video').pause()")
    finally:
        server.process.send_signal(signal.SIGCONT)
    # The player covers the state of the connection.
    browser.until(lambda: browser.script("return document.querySelector('#link').dataset.state") == "open",
                  "it does not connect again")


def test_o32_a_kept_text_is_read_without_the_server(program, browser):
    program.library.mkdir(parents=True)
    (program.library / "Notes.txt").write_text("Low water at noon\n")
    assert program.run("refresh", "--import").code == 0
    server = Server(program)
    keep(browser, server)
    browser.until_text("#keep-state", "Kept in this browser · 18 B")
    browser.expected = SERVER_GONE
    server.kill()
    visit(browser, f"{server.origin}/#kept")
    browser.until_text("#kept-rows .primary", "Read")
    browser.click("#kept-rows .primary")
    browser.until_text("#player-words", "Low water at noon")
