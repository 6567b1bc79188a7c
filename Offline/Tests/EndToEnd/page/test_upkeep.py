# SPDX-License-Identifier: Apache-2.0
"""Verifying, exporting and importing on the page, and the page in a narrow window."""

import json
import shutil

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness.server import Server
from harness.waiting import wait_until


def fetch(program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/data.bin": {"file": str(samples.file)}})
    for path in ("/film.mp4", "/data.bin"):
        assert program.get(origin.url(path)).code == 0


def choose(browser, action):
    browser.click("#library-section .menu summary")
    browser.click(f"#library-section .menu {action}")


def test_o29_the_page_verifies_the_files_and_names_the_damaged_one(program, origin, samples, browser):
    fetch(program, origin, samples)
    server = Server(program)
    browser.open(server.address)
    browser.section("library")
    browser.until_text(".card h2", "film")
    choose(browser, '[data-upkeep="verify"]')
    browser.until_text("#ask-body", "2 files read. 0 intact, 2 recorded for the first time, 0 not confirmed.")
    browser.click("#ask-buttons .primary")
    browser.until_hidden("#ask")
    film = program.library / "film.mp4"
    content = bytearray(film.read_bytes())
    content[len(content) // 2] ^= 1
    film.write_bytes(content)
    choose(browser, '[data-upkeep="verify"]')
    browser.until_text("#ask-body", "1 intact, 0 recorded for the first time, 1 not confirmed.")
    browser.until_text("#ask-body .damaged", "offline get --again")
    browser.picture("verification")
    browser.click("#ask-body .damaged a")
    browser.until(lambda: [card.text for card in browser.all(".card h2")] == ["film"],
                  "the library does not show the damaged item alone")
    # The way to the item has ended the report, so that another verification is followed again.
    choose(browser, '[data-upkeep="verify"]')
    browser.until_text("#ask-body", "1 intact, 0 recorded for the first time, 1 not confirmed.")
    assert film.read_bytes() == content


def test_o29_a_verification_continues_in_the_background_and_can_be_stopped(program, browser):
    assert program.run("refresh").code == 0
    with (program.library / "large.bin").open("wb") as file:
        file.truncate(1 << 40)
    assert program.run("refresh", "--import").code == 0
    server = Server(program)
    browser.open(server.address)
    browser.section("library")
    browser.until_text(".card h2", "large")
    choose(browser, '[data-upkeep="verify"]')
    browser.until_text("#ask-body", "of 1 file")
    browser.click("#ask-buttons .primary")
    browser.until_hidden("#ask")
    # While a verification runs, the same choice shows the verification again.
    choose(browser, '[data-upkeep="verify"]')
    browser.click("#ask-buttons button")
    browser.until_text("#ask-body", "Stopped after 0 of 1 file.")
    assert server.call("GET", "/api/verify")["isStopped"]


def test_o29_the_page_exports_and_imports_a_library(program, programs, origin, samples, browser, tmp_path):
    fetch(program, origin, samples)
    server = Server(program)
    folder = tmp_path / "exported"
    folder.mkdir()
    browser.download_into(folder)
    browser.open(server.address)
    browser.section("library")
    choose(browser, 'a[href="/api/export"]')
    text = folder / "library.jsonl"
    wait_until(text.exists, folder)
    assert [json.loads(line)["address"] for line in text.read_text().splitlines()[1:-1]] == [
        origin.url("/film.mp4"), origin.url("/data.bin")]
    other = programs("other")
    other.library.mkdir(parents=True)
    shutil.copy(program.library / "film.mp4", other.library)
    second = Server(other)
    browser.open(second.address)
    browser.section("library")
    browser.until_text("#library-empty", "Nothing here yet")
    field = browser.driver.find_element(By.ID, "import-file")
    field.send_keys(str(text))
    browser.until_text("#ask h2", "Import “library.jsonl”?")
    browser.click("#ask-buttons .primary")
    browser.until_text("#ask-body", "Imported 2 items: 1 ready, 1 without a file.")
    browser.until_text("#ask-body", "Private addresses are not permitted: of 2 items and feeds.")
    browser.click("#ask-buttons .primary")
    # The picture is made in the background.
    browser.until_shown(".card img")
    field.send_keys(str(text))
    browser.click("#import-private")
    browser.click("#ask-buttons .primary")
    browser.until_text("#ask-body", "Imported 2 items: 2 known already.")
    assert all(item["allowsPrivateAddresses"] for item in second.items())
    browser.click("#ask-buttons .primary")
    browser.expected = ["400"]
    text.write_text("{}\n")
    field.send_keys(str(text))
    browser.click("#ask-buttons .primary")
    browser.until_text("#ask-body", "Line 1 of the import")


def test_o22_the_page_limits_the_speed_of_a_download(program, origin, browser):
    origin.serve({"/slow.bin": {"size": 4_000_000}})
    server = Server(program, "--allow-private")
    browser.open(server.address)
    browser.section("downloads")
    browser.click("#options")
    browser.find("#item-limit").send_keys("fast")
    browser.find("#address").send_keys(origin.url("/slow.bin"))
    browser.expected = ["400"]
    browser.click("#add [type=submit]")
    browser.until_text("#add-error", "500K or 2M, from 16K on")
    field = browser.find("#item-limit")
    field.clear()
    field.send_keys("20K")
    browser.click("#add [type=submit]")
    browser.until_text(".row-item .facts", "kB/s")
    assert program.run("pause", "--all").code == 0
    exported = [json.loads(line) for line in program.run("export", "-").out.splitlines()]
    assert exported[1]["limit"] == "20K"


# Light and dark have the same sizes, so each size needs only one check.
@pytest.mark.parametrize("width, dark", [(400, True), (1200, False)])
def test_no_word_of_a_control_is_broken(width, dark, program, origin, samples, browser):
    body = "<!DOCTYPE html><title>Reef</title><a href=/one-720p.mp4>One</a> <a href=/two.mp4>Two</a>"
    origin.serve({"/watch": {"text": body, "type": "text/html"},
                  "/two.mp4": {"file": str(samples.film)}, "/one-720p.mp4": {"file": str(samples.film)}})
    assert program.get(origin.url("/two.mp4")).code == 0
    server = Server(program, "--allow-private")
    browser.open(server.address, width=width, height=1700, dark=dark)
    browser.section("library")
    browser.until_text(".card h2", "two")
    browser.picture(f"narrow-library-{width}-{dark}")
    browser.click("#library-section .menu summary")
    browser.until_shown("#library-section .menu [data-upkeep]")
    browser.picture(f"narrow-menu-{width}-{dark}")
    assert browser.overflow() <= 0
    # On a phone, the menu covers the navigation.
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    browser.section("downloads")
    browser.find("#address").send_keys(origin.url("/watch"))
    browser.click("#options")
    browser.until_shown("#quality")
    browser.click("#look-first")
    browser.until_shown("#look-media input")
    browser.picture(f"narrow-downloads-{width}-{dark}")
    assert browser.overflow() <= 0
    # A control with several lines of text is higher than one line and the padding.
    broken = browser.script("""
        return [...document.querySelectorAll("button, .button, select")].filter((each) => {
          if (!each.checkVisibility()) return false;
          const text = each.textContent.trim();
          return each.scrollWidth > each.clientWidth + 1
            || (!text.includes(" ") && each.clientHeight > 60);
        }).map((each) => each.id || each.textContent);""")
    assert broken == []
    assert browser.find("#quality").size["width"] >= 100
    picture, text = browser.find("#look-media .blank").rect, browser.find("#look-media .facts").rect
    assert picture["x"] + picture["width"] < text["x"], "the picture covers the text"
