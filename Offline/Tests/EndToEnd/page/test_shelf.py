# SPDX-License-Identifier: Apache-2.0
"""The library, with chips, order and view in the address, and a removal that can be undone."""

import pytest

from harness import media
from harness.server import Server
from harness.waiting import wait_until


@pytest.fixture
def server(program, origin, samples, tmp_path):
    server = Server(program, "--allow-private")
    sound = tmp_path / "sound.mp3"
    media.ffmpeg("-f", "lavfi", "-i", "sine=330", "-t", 3, sound)
    origin.serve({"/walk.mp4": {"file": str(samples.film)}, "/Birds.mp3": {"file": str(sound)},
                  "/apples.txt": {"text": "Hello"}})
    for path in ("/walk.mp4", "/Birds.mp3", "/apples.txt"):
        number = server.download(origin.url(path))["id"]
        server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")
    return server


def titles(browser):
    return browser.script("return [...document.querySelectorAll('#cards .card h2')].map((each) => each.textContent)")


def until_titles(browser, *wanted):
    browser.until(lambda: titles(browser) == list(wanted), f"the library does not show {wanted}")


def remove(browser, title):
    browser.click(f'#cards summary[aria-label="More for {title}"]')
    browser.click(f'#cards button[aria-label="Remove {title}"]')


def test_the_choice_of_the_library_is_in_the_address(browser, server):
    browser.open(server.address)
    browser.section("library")
    until_titles(browser, "apples", "Birds", "walk")
    browser.find('#order option[value="title"]').click()
    until_titles(browser, "apples", "Birds", "walk")
    browser.find('#order option[value="size"]').click()
    until_titles(browser, "walk", "Birds", "apples")
    browser.click('.chip[data-media="audio"]')
    until_titles(browser, "Birds")
    assert browser.driver.current_url.endswith("#library?media=audio&order=size")
    browser.driver.refresh()
    until_titles(browser, "Birds")
    assert browser.find('.chip[data-media="audio"]').get_attribute("aria-pressed") == "true"
    browser.driver.back()
    until_titles(browser, "walk", "Birds", "apples")
    browser.driver.back()
    until_titles(browser, "apples", "Birds", "walk")
    browser.click('.chip[data-media="text"]')
    until_titles(browser, "apples")
    browser.find("#search").send_keys("bird")
    browser.until_text("#library-none", "No text in the library matches “bird”.")
    assert browser.driver.current_url.endswith("q=bird&media=text&order=title")
    browser.driver.get(f"{server.origin}/#library?view=list")
    until_titles(browser, "apples", "Birds", "walk")
    assert browser.find("#cards").get_attribute("class") == "cards list"
    assert browser.find("#search").get_attribute("value") == ""
    browser.click("#view")
    assert browser.find("#cards").get_attribute("class") == "cards"
    # A click on the current place resets the choice.
    browser.click('.chip[data-media="video"]')
    browser.section("library")
    until_titles(browser, "apples", "Birds", "walk")


def test_a_removal_can_be_undone_while_it_is_on_screen(browser, server, program):
    browser.open(server.address)
    browser.section("library")
    remove(browser, "Birds")
    browser.until_text("#cards .folded", "“Birds” is removed, and its file with it.")
    assert browser.script("return document.activeElement.textContent") == "Undo"
    browser.picture("undo")
    browser.click("#cards .undo")
    browser.until_hidden("#cards .folded")
    assert browser.script("return document.activeElement.getAttribute('aria-label')") == "More for Birds"
    remove(browser, "Birds")
    browser.until_shown("#cards .folded")
    assert len(server.items()) == 3 and len(program.files()) == 3
    # Another place has no way back to the card.
    browser.section("home")
    server.wait_until(lambda: len(server.items()) == 2)
    wait_until(lambda: len(program.files()) == 2, program.library)
    assert "Birds.mp3" not in program.files()


def test_a_reload_completes_a_removal_and_a_file_can_be_kept(browser, server, program):
    browser.open(server.address)
    browser.section("library")
    remove(browser, "walk")
    browser.click("#cards .folded button", "Keep the file")
    until_titles(browser, "apples", "Birds")
    assert "walk.mp4" in program.files()
    remove(browser, "apples")
    browser.until_shown("#cards .folded")
    browser.driver.refresh()
    server.wait_until(lambda: [item["title"] for item in server.items()] == ["Birds"])
    wait_until(lambda: "apples.txt" not in program.files(), program.library)


def test_a_misspelt_library_is_no_empty_one(program):
    for command in (["list"], ["show", "1"], ["verify"], ["export", "-"], ["pause", "1"]):
        result = program.run(*command)
        assert result.code == 1 and "There is no library in" in result.err, command
        assert "--library" in result.err
    assert not program.library.exists()
