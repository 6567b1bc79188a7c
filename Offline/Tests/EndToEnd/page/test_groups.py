# SPDX-License-Identifier: Apache-2.0
"""Downloads, with groups, the remedies after a failure, and announcements of the page."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from harness.server import Server

CHOICES = """
return [...document.querySelectorAll(`#rows li[data-id="${arguments[0]}"] .acts button`)]
  .filter((each) => each.checkVisibility()).map((each) => each.textContent || each.title);
"""


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def groups(browser):
    return browser.script("""return [...document.querySelectorAll("#rows .group")].filter((each) => !each.hidden)
        .map((each) => [each.dataset.group, [...each.querySelectorAll("h3")].map((title) => title.textContent)])""")


def test_the_running_ones_come_first_and_the_queue_in_its_order(browser, server, origin):
    gated = {"size": 100_000, "gate": "rest", "gateAfter": 1_000}
    origin.serve({"/gone": {"status": 404, "text": ""}, **{f"/{name}": gated for name in "abcdef"}})
    server.call("PATCH", "/api/settings", {"downloads": "2"})
    server.download(origin.url("/gone"))
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "failed")
    for name in "abcdef":
        server.download(origin.url(f"/{name}"))
    server.call("POST", "/api/items/7/pause", {})
    server.wait_for_items(lambda items: [items[number]["state"] for number in (2, 3)] == ["fetching"] * 2)
    browser.open(server.address)
    browser.until(lambda: [title.text for title in browser.all("#coming-rows h3")] == list("abcde"),
                  "Home has another order")
    browser.section("downloads")
    wanted = [["running", ["a", "b"]], ["waiting", ["c", "d", "e"]], ["paused", ["f"]], ["failed", ["gone"]]]
    browser.until(lambda: groups(browser) == wanted, "the groups are not shown")
    heads = [head.text for head in browser.all("#rows .group > h2")]
    assert heads == ["Running 2", "Waiting 3", "Paused 1", "Failed 1"]
    # The focus stays on the button when the row moves up.
    browser.click('#rows button[aria-label="Move up: e"]')
    browser.until(lambda: groups(browser)[1] == ["waiting", ["c", "e", "d"]], "the row did not move")
    assert browser.script("return document.activeElement.getAttribute('aria-label')") == "Move up: e"
    browser.picture("groups")
    origin.open_gate("rest")


def drag(browser, moved, other, place, isDropped=True):
    """Drags the row of a title by the grip to the upper or lower part of another row."""
    def part(title, selector):
        return browser.script(
            "return [...document.querySelectorAll('#rows li')].find((row) => row.querySelector('h3').textContent === arguments[0])"
            + (".querySelector(arguments[1])" if selector else ""), title, selector)
    target = browser.resting(lambda: part(other, None), other)
    offset = target.size["height"] // 2 - 3
    actions = ActionChains(browser.driver).click_and_hold(
        browser.resting(lambda: part(moved, ".grip"), moved))
    actions.move_to_element_with_offset(target, 0, offset if place == "after" else -offset).perform()
    assert browser.all(f'#rows [data-drop="{place}"]'), "the place is not marked"
    if not isDropped:
        ActionChains(browser.driver).send_keys(Keys.ESCAPE).perform()
        assert not browser.all("#rows [data-drop], #rows [data-dragged]")
    ActionChains(browser.driver).release().perform()


def test_o22_a_waiting_row_is_dragged_to_another_place(browser, server, origin):
    gated = {"size": 100_000, "gate": "rest", "gateAfter": 1_000}
    origin.serve({f"/{name}": gated for name in "abcde"})
    server.call("PATCH", "/api/settings", {"downloads": "1"})
    for name in "abcde":
        server.download(origin.url(f"/{name}"))
    server.wait_for_items(lambda items: items[1]["state"] == "fetching")
    browser.open(server.address, height=1200)
    browser.section("downloads")
    order = lambda: groups(browser)[1][1]
    browser.until(lambda: order() == list("bcde"), "the queue is not shown")
    drag(browser, "e", "b", "before")
    browser.until(lambda: order() == list("ebcd"), "the row did not move up")
    drag(browser, "e", "d", "after")
    browser.until(lambda: order() == list("bcde"), "the row did not move to the end")
    drag(browser, "b", "c", "after")
    browser.until(lambda: order() == list("cbde"), "the row did not move down")
    # The row stays after Escape, and after a drop outside the queue.
    drag(browser, "c", "e", "after", isDropped=False)
    ActionChains(browser.driver).drag_and_drop(
        browser.find('#rows li[data-state="queued"] .grip'), browser.find("#rows h2")).perform()
    assert order() == list("cbde")
    assert [item["title"] for item in server.call("GET", "/api/items?state=queued")["items"]] == list("cbde")
    origin.open_gate("rest")


def test_a_failure_offers_what_helps_and_nothing_else(browser, server, origin, samples):
    drm = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT="com.apple.streamingkeydelivery",URI="skd://x"\n#EXTINF:9,\na.ts\n#EXT-X-ENDLIST\n'
    feed = "<rss version='2.0'><channel><title>Pod</title><item><enclosure url='a.mp3' type='audio/mpeg'/></item></channel></rss>"
    origin.serve({"/text": {"text": "<!DOCTYPE html><title>Words</title>", "type": "text/html"},
                  "/drm.m3u8": {"text": drm}, "/gone.mp4": {"status": 404, "text": ""},
                  "/feed": {"text": feed, "type": "application/rss+xml"}})
    for path in ("/text", "/drm.m3u8", "/gone.mp4", "/feed"):
        server.download(origin.url(path))
    server.wait_for_items(lambda items: len(items) == 4 and all(
        item["state"] == "failed" for item in items.values()))
    browser.open(server.address)
    browser.section("downloads")
    browser.until(lambda: len(browser.all("#rows li")) == 4, "the failures are not shown")
    offered = {number: browser.script(CHOICES, number) for number in (1, 2, 3, 4)}
    assert offered == {1: ["Remove"], 2: ["Remove"], 3: ["Retry", "Remove"], 4: ["Follow", "Remove"]}
    renewable = [row.get_attribute("data-id") for row in browser.all("#rows li:has(.renew:not([hidden]))")]
    assert sorted(renewable) == ["1", "3"]
    # The page offers no button that retries all, because only one failed item can be retried.
    assert not any(each.is_displayed() and "Retry all" in each.text for each in browser.all("#common-actions button"))
    browser.picture("failures")
    browser.click('#rows button[aria-label^="Follow"]')
    browser.until_shown("#following-section")
    assert [each["address"] for each in server.call("GET", "/api/feeds")["feeds"]] == [origin.url("/feed")]
    server.wait_for_items(lambda items: 4 not in items)


def test_a_second_download_of_one_file_shows_the_first(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film), "gate": "head"}})
    # Both items are queued before the server's answer shows that the address has one file.
    for quality in ("best", "audio"):
        server.download(origin.url("/film.mp4"), quality=quality)
    origin.wait_at_gate("head")
    origin.open_gate("head")
    server.wait_for_items(lambda items: sorted(item["state"] for item in items.values()) == ["failed", "ready"])
    kept, refused = sorted(server.items(), key=lambda item: item["state"], reverse=True)
    server.call("POST", f"/api/items/{kept['id']}/rename", {"title": "Another title"})
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#rows .error", "Your library has the file of this address already.")
    assert browser.script(CHOICES, refused["id"]) == ["Show in the library", "Remove"]
    browser.click('#rows button[aria-label^="Show in the library"]')
    browser.until_text("#cards h2", "Another title")
    assert browser.driver.current_url.endswith("#library?q=Another+title")


def test_a_row_with_a_reason_to_wait_does_not_wait_for_its_turn(browser, server, origin):
    origin.serve({"/busy": {"status": 503, "text": "", "headers": {"Retry-After": "600"}}})
    server.download(origin.url("/busy"))
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#rows .note", "503")
    assert browser.find("#rows .state").text == "Waiting to go on"


LIVE = """
window.said = [];
for (const place of document.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
  new MutationObserver(() => place.textContent.trim() && said.push([place.id, place.textContent.trim()]))
    .observe(place, { childList: true, characterData: true, subtree: true });
}
"""


def test_one_place_announces_a_completion_and_its_banner_waits(browser, server, origin, samples):
    server.call("POST", "/api/preferences", {"notifications": "granted"})
    origin.serve({f"/{name}.mp4": {"file": str(samples.film)} for name in "abcde"})
    browser.open(server.address)
    browser.section("settings")
    browser.until_text("#link", "Connected")
    # What the first answer contains has no banner.
    browser.until(lambda: browser.script("return !document.querySelector('#inbox-none').hidden"),
                  "the notifications did not arrive")
    browser.script("""const real = window.setTimeout;
        window.setTimeout = (body, delay) => real(body, delay === 8000 ? 0 : delay)""")
    browser.script(LIVE)
    for name in "abcde":
        server.download(origin.url(f"/{name}.mp4"))
        browser.until_text("#announcer", f"{name} is in your library.")
    browser.until_text(".toasts-more", "2 more in Notifications")
    said = browser.script("return window.said")
    assert {place for place, _ in said} == {"announcer"}
    assert len([text for _, text in said if text == "a is in your library."]) == 1
    # The banners have buttons and so stay until the user answers.
    assert len([toast for toast in browser.all(".toast") if toast.is_displayed()]) == 3
    browser.click(".toast .icon")
    browser.until_text(".toasts-more", "1 more in Notifications")
    browser.section("notifications")
    browser.until(lambda: browser.all(".toast") == [], "the banners repeat the list")
    assert [day.text for day in browser.all("#inbox h2")] == ["Today"]
    assert [title.text for title in browser.all("#inbox h3")] == list("edcba")


def test_the_speed_is_limited_beside_the_downloads(browser, server):
    server.call("PATCH", "/api/settings", {"limit": "3M"})
    browser.open(server.address)
    browser.section("downloads")
    browser.until(lambda: browser.find("#speed").get_attribute("value") == "3M", "the limit is not shown")
    browser.find('#speed option[value="500K"]').click()
    browser.until_text("#announcer", "The speed limit is saved.")
    assert server.call("GET", "/api/settings")["limit"] == "500K"
    browser.section("settings")
    browser.until(lambda: browser.find("#setting-limit").get_attribute("value") == "500K", "the settings differ")
