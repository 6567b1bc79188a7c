# SPDX-License-Identifier: Apache-2.0
"""The page on a phone: cards, menus and messages, some also in the window of a computer."""

import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.keys import Keys

from harness import axe
from harness.server import Server

PHONE = {"width": 390, "height": 844}
FEED = ("<rss version='2.0'><channel><title>Tides and other sounds of the coast</title><item><title>Part 1</title>"
        "<guid>1</guid><enclosure url='/1.bin' type='application/octet-stream'/></item></channel></rss>")
# The buttons of the open menu that do not receive a tap or click at their middle.
BURIED = """
return [...document.querySelectorAll(".menu[open] > div > *")].filter((each) => each.checkVisibility()).filter((each) => {
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  return !isInside || !each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((each) => each.textContent);
"""


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def open_page(browser, server, place="home", **options):
    browser.open(f"{server.address}#{place}", **(options or PHONE))
    browser.until_text("#link", "Connected")
    if place == "settings":
        browser.until_open(place)


def check(browser, name):
    browser.picture(name)
    assert axe.violations(browser) == [] and browser.overflow() <= 0


def serve_feed(origin):
    origin.serve({"/feed": {"text": FEED, "type": "application/rss+xml"}, "/1.bin": {"size": 2_000, "seed": 1}})
    return origin.url("/feed")


def texts(server, origin, *names):
    origin.serve({f"/{name}.txt": {"text": name} for name in names})
    for name in names:
        server.download(origin.url(f"/{name}.txt"))
    server.wait_for_items(lambda items: len(items) == len(names) and all(
        item["state"] == "ready" for item in items.values()))


def test_the_card_of_a_feed_has_the_width_of_a_phone(browser, server, origin):
    server.call("POST", "/api/feeds", {"address": serve_feed(origin)})
    open_page(browser, server, "following")
    title = browser.until_shown("#feed-rows h2")
    card = browser.find("#feed-rows > li")
    assert title.rect["width"] > 0.85 * card.rect["width"]
    assert browser.find("#feed-rows .line").rect["width"] > 0.85 * card.rect["width"]
    assert browser.find("#feed-rows .acts").rect["y"] > title.rect["y"] + title.rect["height"]
    check(browser, "phone-following")


def test_the_form_of_a_feed_has_no_line_of_another_part(browser, server):
    open_page(browser, server, "following")
    label = browser.until_shown("label:has(> #feed-keep)")
    assert browser.script("return getComputedStyle(arguments[0]).borderTopWidth", label) == "0px"


@pytest.mark.parametrize("width, height", [(390, 844), (360, 640), (1280, 800)])
def test_each_action_of_a_menu_can_be_reached(width, height, browser, server, origin):
    names = ["ash", "elm", "fir", "oak", "yew"] + ["box", "may", "bay"] * (width > 600)
    texts(server, origin, *names)
    number = server.call("POST", "/api/collections", {
        "name": "Trees", "items": [item["id"] for item in server.items()]})["id"]
    open_page(browser, server, f"library?collection={number}", width=width, height=height)
    browser.until(lambda: len(browser.all("#cards > .card")) == len(names), "the cards are missing")
    for card in ("first-child", "nth-child(2)", "last-child"):
        summary = f"#cards > .card:{card} summary"
        if card == "last-child":
            # The menu has the least room at the lower edge of the visible part.
            browser.script("arguments[0].scrollIntoView({ block: 'end' })", browser.find(summary))
        browser.click(summary)
        browser.until_shown(".menu > :popover-open button")
        assert browser.script(BURIED) == []
        check(browser, f"menu-{width}-{card.partition('(')[0]}")
        browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        browser.until_hidden(".menu[open]")
        assert browser.script("return document.activeElement === arguments[0]", browser.find(summary))
    # A tap beside the menu closes it.
    browser.click("#cards > .card:first-child summary")
    browser.until_shown(".menu > :popover-open button")
    tap = ActionBuilder(browser.driver)
    tap.pointer_action.move_to_location(width // 2, 8).click()
    tap.perform()
    browser.until_hidden(".menu[open]")


def test_a_failure_is_said_where_the_link_was_kept(browser, server, origin):
    origin.serve({"/nofile.mp4": {"status": 404, "text": ""}, "/words.txt": {"text": "words"}})
    open_page(browser, server)
    browser.type("#address", origin.url("/nofile.mp4"))
    browser.until_text("#add-result", "“nofile” was not kept:")
    assert "404" in browser.find("#add-result").text
    assert "was added" not in browser.find("#add-result").text
    assert browser.find("#add-result a").get_attribute("href").endswith("#downloads")
    # The tab also shows the failure.
    assert browser.until_shown("#downloads-count").text == "1"
    check(browser, "phone-failure")
    browser.type("#address", origin.url("/words.txt"))
    browser.until_text("#add-result", "“words” is in the library.")
    assert browser.find("#add-result a").get_attribute("href").endswith("#item-2")
    check(browser, "phone-ready")
    browser.click("#add-result a")
    browser.until_text("#item-section h1", "words")


def test_a_failure_is_said_although_it_comes_before_the_answer(browser, server, origin):
    origin.serve({"/nofile.mp4": {"status": 404, "text": ""}})
    open_page(browser, server)
    browser.script("""
        const send = window.fetch;
        const held = new Promise((resolve) => { window.release = resolve; });
        window.fetch = async (address, options) => {
          const answer = await send(address, options);
          if (options?.method === "POST") await held;
          return answer;
        };""")
    browser.type("#address", origin.url("/nofile.mp4"))
    browser.until_text("#downloads-count", "1")
    assert browser.find("#add-result").text == ""
    browser.script("window.release()")
    browser.until_text("#add-result", "“nofile” was not kept:")


def test_a_typed_feed_is_followed_with_one_press_and_said_to_be_followed(browser, server, origin):
    address = serve_feed(origin)
    open_page(browser, server)
    browser.type("#address", address)
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "failed")
    browser.section("downloads")
    browser.click('#rows button[aria-label^="Follow"]')
    browser.until(lambda: [each["address"] for each in server.call("GET", "/api/feeds")["feeds"]] == [address],
                  "the feed is not followed")
    browser.until_hidden('#rows li[data-state="failed"]')
    browser.until_text("#feed-rows h2", "Tides")
    browser.paste(address)
    browser.until_text("#look-notes", "You follow this feed already.")
    assert not browser.find("#look-follow").is_displayed() and browser.find("#look-error").text == ""
    check(browser, "phone-followed")


def test_watched_does_not_look_like_selected(browser, server, program, samples):
    server.upload(samples.film.read_bytes(), "Tide.mp4")
    server.request("PUT", "/api/items/1/playback", {"isWatched": True})
    open_page(browser, server, "library")
    browser.until_shown("#cards .watched")
    browser.click("#select")
    browser.until_shown("#cards .mark")
    assert not browser.find("#cards .watched").is_displayed()
    check(browser, "phone-select")


def test_the_card_of_a_link_goes_with_its_text_and_its_place(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    open_page(browser, server)
    browser.paste(origin.url("/film.mp4"))
    browser.until_shown("#look-download")
    browser.find("#address").send_keys(Keys.CONTROL, "a")
    browser.find("#address").send_keys(Keys.BACKSPACE)
    browser.until_hidden("#look")
    browser.paste(origin.url("/film.mp4"))
    browser.until_shown("#look-download")
    browser.section("library")
    browser.until_hidden("#look")
    # The link stays until the user has decided.
    assert browser.find("#address").get_attribute("value") == origin.url("/film.mp4")


def test_saved_settings_say_so_and_unsaved_ones_too(browser, server):
    open_page(browser, server, "settings")
    browser.until(lambda: browser.find("#setting-limit").get_attribute("value") == "none", "the settings are missing")
    order = browser.script("return [...document.getElementById('settings-form').elements].map((each) => each.name).filter(Boolean)")
    assert order[:3] == ["quality", "audio", "subtitles"]
    browser.find("#setting-limit").clear()
    browser.find("#setting-limit").send_keys("500K")
    browser.until_text("#settings-said", "Not saved yet")
    check(browser, "phone-unsaved")
    browser.click('#settings-form [type="submit"]')
    browser.until_text("#settings-said", "Saved")
    assert browser.find("#settings-said").text == "Saved"
    button = browser.find('#settings-form [type="submit"]').rect
    assert abs(browser.find("#settings-said").rect["y"] - button["y"]) < button["height"]
    check(browser, "phone-saved")
    # An unsaved change is still present when the user returns.
    browser.find("#setting-limit").send_keys(Keys.BACKSPACE, "M")
    browser.section("home")
    browser.section("settings")
    browser.until_text("#settings-said", "Not saved yet")
    assert browser.find("#setting-limit").get_attribute("value") == "500M"


def test_a_file_of_the_person_is_called_their_own(browser, server, samples):
    server.upload(samples.film.read_bytes(), "Tide.mp4")
    browser.expected = ["404"]
    open_page(browser, server, "item-1")
    browser.until_text("#item-section dl", "Your own file")
    assert "folder of the library" not in browser.find("#item-section").text


def test_uploads_leave_room_for_the_page_and_go_with_the_place(browser, server, samples, tmp_path):
    film = samples.film.read_bytes()
    long = "a-very-long-name-of-a-film-" * 7
    files = [tmp_path / f"{long}.mp4"]
    files[0].write_bytes(film)
    for number in range(6):
        files.append(tmp_path / f"film {number}.pdf")
        files[-1].write_bytes(b"%PDF-1.7" + bytes([number]))
    for number in range(2):
        files.append(tmp_path / f"wrong {number}.mp4")
        files[-1].write_text("no film")
    browser.expected = ["400"]
    open_page(browser, server)
    browser.find("#file-chooser").send_keys("\n".join(map(str, files)))
    browser.until_text("#uploads .sum", "7 files are in the library. 2 were not added.")
    assert [each.get_attribute("data-state") for each in browser.all("#uploads li")] == ["failed", "failed"]
    assert browser.find("#uploads").rect["height"] <= 0.4 * 844 + 1
    check(browser, "phone-uploads")
    browser.section("library")
    browser.until_hidden("#uploads")
    # One long name has two lines.
    browser.find("#file-chooser").send_keys(str(files[0]))
    browser.until_text("#uploads .course", "was in the library already.")
    assert browser.find("#uploads .name").rect["height"] <= 2.2 * 24
    assert browser.find("#uploads .course").rect["height"] <= 2.2 * 24
    check(browser, "phone-upload-long")
    browser.expected += ["404"]
    browser.click("#uploads a")
    browser.until_shown("#item-section h1")
    browser.until_hidden("#uploads")
