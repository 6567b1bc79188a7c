# SPDX-License-Identifier: Apache-2.0
"""The field of every place, with pasted and dropped links and the card before a download."""

import pytest

from harness.server import Server

DROP = """
const data = new DataTransfer();
if (arguments[1]) data.items.add(new File([arguments[0]], arguments[1], { type: arguments[2] }));
else data.setData("text/uri-list", arguments[0]);
for (const name of ["dragover", "drop"]) {
  document.querySelector("main").dispatchEvent(
    new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
}
"""


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def page(*films):
    links = "".join(f"<a href=/{film}.mp4>{film.capitalize()}</a> " for film in films)
    return {"text": f"<!DOCTYPE html><title>Reef</title>{links}", "type": "text/html"}


def kept(origin):
    return [entry["path"] for entry in origin.settled_log() if entry["path"].endswith(".mp4")]


def test_a_pasted_link_shows_a_card_and_is_kept_from_any_place(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.section("settings")
    browser.until_text("#link", "Connected")
    browser.paste(f" {origin.url('/film.mp4')} ")
    browser.until_shown("#look-download")
    assert browser.find("#look-title").text == "film"
    size = browser.find("#look-facts").text
    assert "MB" in size or "kB" in size
    assert server.items() == [] and browser.find("#address").get_attribute("value") == origin.url("/film.mp4")
    # Only the card has a button that keeps the file.
    assert [each.text for each in browser.all("#add .primary") if each.is_displayed()] == ["Keep"]
    browser.picture("card")
    browser.click("#look-download")
    browser.until_hidden("#look")
    browser.until_text("#add-result", "“film” is in the library.")
    assert browser.find("#address").get_attribute("value") == ""
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")


def test_enter_keeps_what_the_card_shows(browser, server, origin, samples):
    origin.serve({"/watch": page("one", "two"), "/two.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.paste(origin.url("/watch"))
    browser.until_text("#look-media", "Two")
    browser.picture("several")
    field = browser.find("#address")
    assert browser.script("return document.activeElement.id") == "address"
    # Without a tick, Enter keeps nothing.
    field.send_keys("\n")
    browser.click("#look-media li:nth-child(2) label")
    field.send_keys("\n")
    browser.until_hidden("#look")
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    assert [item["address"] for item in server.items()] == [origin.url("/two.mp4")]


def test_another_text_in_the_field_takes_the_card_away(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}, "/other.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.paste(origin.url("/film.mp4"))
    browser.until_shown("#look-download")
    assert browser.find("#look-title").text == "film"
    browser.type("#address", origin.url("/other.mp4"))
    browser.until_hidden("#look")
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    assert [item["address"] for item in server.items()] == [origin.url("/other.mp4")]


def test_links_and_text_files_can_be_dropped_and_are_not_added(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.script(DROP, origin.url("/film.mp4"))
    browser.until_shown("#look-download")
    assert browser.find("#look-title").text == "film"
    browser.script(DROP, f"{origin.url('/a.mp4')}\n{origin.url('/b.mp4')}\n", "list.txt", "text/plain")
    browser.until(lambda: browser.find("#address").get_attribute("rows") == "2", "the list is not in the field")
    browser.until_hidden("#look")
    assert not browser.find("#uploads").is_displayed() and server.items() == []


def test_a_text_pasted_into_another_field_stays_there(browser, server):
    browser.open(server.address)
    browser.section("following")
    browser.paste("https://example.org/feed", browser.find("#feed-address"))
    assert browser.find("#address").get_attribute("value") == ""
    browser.paste("no link")
    assert browser.find("#address").get_attribute("value") == ""


def test_an_offered_link_is_not_looked_at_before_the_person_asks(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.driver.get(f"{server.origin}/add?url={origin.url('/film.mp4')}")
    browser.until_text("#link", "Connected")
    assert browser.find("#address").get_attribute("value") == origin.url("/film.mp4")
    assert not browser.find("#look").is_displayed() and kept(origin) == []
    browser.click("#look-first")
    browser.until_shown("#look-download")
    assert browser.find("#look-title").text == "film"


def test_a_pasted_feed_is_followed_from_its_card(browser, server, origin, samples):
    entries = "".join(f"<item><title>Part {number}</title><enclosure url='/{number}.mp4' type='video/mp4'/></item>"
                      for number in (2, 1))
    origin.serve({"/feed": {"text": f"<rss version='2.0'><channel><title>Tides</title>{entries}</channel></rss>",
                            "type": "application/rss+xml"},
                  **{f"/{number}.mp4": {"file": str(samples.film)} for number in (1, 2)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.paste(origin.url("/feed"))
    browser.until_shown("#look-follow")
    assert [each.text for each in browser.all("#look-media span span:first-child")] == ["Part 2", "Part 1"]
    browser.picture("card-feed")
    browser.click("#look-follow")
    browser.until_text("#add-result", "“Tides” is followed.")
    browser.until_hidden("#look")
    server.wait_for_items(lambda items: len(items) == 2 and all(item["state"] == "ready" for item in items.values()))
    browser.click("#add-result a")
    browser.until_text("#feed-rows", "Tides")


# The page does not get the answer to an added address until this script permits the request.
HELD = """
const real = window.fetch;
const released = new Promise((resolve) => { window.release = resolve; });
window.fetch = async (path, options) => {
  if (path === "/api/items" && options.method === "POST") await released;
  return real(path, options);
};
"""


def test_an_address_entered_while_another_one_is_added_stays(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.script(HELD)
    browser.type("#address", origin.url("/film.mp4"))
    browser.script("const field = document.querySelector('#address');"
                   "field.value = 'https://other.example/film';"
                   "field.dispatchEvent(new Event('input', { bubbles: true })); window.release()")
    browser.until_text("#add-result", "“film” is in the library.")
    assert browser.find("#address").get_attribute("value") == "https://other.example/film"
