# SPDX-License-Identifier: Apache-2.0
"""The page of one item."""

from selenium.webdriver.common.keys import Keys

from harness import media
from harness.server import Server


def test_the_page_of_an_item_shows_and_changes_what_belongs_to_it(browser, program, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    assert program.get(origin.url("/film.mp4"), "--quality", "720p").code == 0
    server = Server(program)
    browser.open(server.address)
    browser.click(".card a[href='#item-1']")
    assert browser.until_shown("#item-title").text == "film"
    assert browser.driver.current_url.endswith("#item-1")
    browser.until_text("#item-path", str(program.media()))
    browser.until_text("#item-section dd", origin.url("/film.mp4"))
    # The notes name the parts that were left out.
    assert browser.find("#item-note").text == server.item(1)["note"]

    browser.click("#item-rename")
    browser.type("#item-new-title", "<b>Low tide</b>")
    browser.until_text("#item-title", "<b>Low tide</b>")
    browser.until_text("#item-path", "(b)Low tide(-b).mp4")

    browser.click("#item-watched")
    browser.until_text("#item-watched", "Mark as unwatched")
    assert server.item(1)["playback"]["isWatched"]
    browser.picture("item")
    browser.driver.refresh()
    browser.click("#item-watched")
    browser.until_text("#item-watched", "Mark as watched")

    # On a busy machine, the page may still wait for the tracks of the removed item.
    browser.expected.append("/api/items/1/tracks")
    browser.find("#item-remove").send_keys(Keys.ENTER)
    browser.click("#ask-buttons button", "Delete")
    browser.until_shown("#library-empty")
    assert browser.driver.current_url.endswith("#library") and program.files() == []
    browser.driver.get(f"{server.origin}/#item-1")
    browser.until_text("#item-section", "There is no such item")


def test_the_page_of_an_item_names_the_languages_of_its_sound(browser, program, samples):
    program.library.mkdir(parents=True, exist_ok=True)
    sound = ["-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"]
    media.ffmpeg("-i", samples.film, *sound, "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
                 "-metadata:s:a:1", "title=<i>Director", "-disposition:a:1", "comment", program.library / "two.mkv")
    media.ffmpeg("-i", samples.film, "-map", "0:v", "-c", "copy", program.library / "silent.mkv")
    assert program.run("refresh", "--import").code == 0
    server = Server(program)
    server.wait_for_items(lambda items: [each["state"] for each in items.values()] == ["ready"] * 2)
    numbers = {each["title"]: each["id"] for each in server.items()}
    browser.open(f"{server.address}#item-{numbers['two']}")
    browser.until_text("#item-section dd", "English · German, <i>Director (commentary)")
    browser.picture("item-sound")
    browser.driver.get(f"{server.origin}/#item-{numbers['silent']}")
    browser.until(lambda: [each.text for each in browser.all("#item-section dt")].count("Sound") == 1, "no sound is named")
    browser.until_text("#item-section dd", "None")
