# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser, from an empty library to a playing film."""

import json
import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from harness import media
from harness.browser import SERVER_GONE
from harness.server import Server



@pytest.fixture
def server(program):
    # A debug build records no reports by default.
    program.added["OFFLINE_DIAGNOSTICS"] = "on"
    return Server(program, "--allow-private")


def slow(samples, rate=150_000):
    return {path.name: {"throttle": rate} for path in samples.stream.glob("part*.ts")}


def serve_stream(origin, samples, **routes):
    origin.serve({"/show/": {"directory": str(samples.stream)},
                  **{f"/show/{name}": route for name, route in routes.items()}})
    return origin.url("/show/stream.m3u8")


def ready(server, number=1):
    server.wait_for_items(lambda items: items.get(number, {}).get("state") == "ready")


def fraction(browser):
    return browser.script(
        "const bar = document.querySelector('#rows progress'); return bar && bar.value")


def test_a_stream_is_downloaded_and_played(browser, server, program, origin, samples):
    # Up to sixteen segments download simultaneously, so that none passes before the test sees
    # progress.
    early = {f"part{number}.ts": {"gate": "early"} for number in range(12, 28)}
    address = serve_stream(origin, samples, **{**slow(samples), **early, "part40.ts": {"gate": "end"}})
    browser.open(server.address)
    assert browser.driver.current_url.rstrip("/") == server.origin
    browser.until_text("#link", "Connected")

    # Types an address, watches the progress at Home and then in Downloads.
    browser.click("#empty-add")
    assert browser.script("return document.activeElement.id") == "address"
    browser.type("#address", address)
    browser.until_shown("#coming-rows progress")
    browser.section("downloads")
    browser.until_shown("#rows li")
    browser.until(lambda: (fraction(browser) or 0) > 0.1, "no progress")
    seen = fraction(browser)
    origin.open_gate("early")
    browser.until(lambda: fraction(browser) > seen, "the progress stopped")
    browser.picture("downloading")

    # Allows notifications once.
    browser.click("#permission-allow")
    browser.until_hidden("#permission")

    # Reloads the page during the download.
    seen = fraction(browser)
    browser.driver.refresh()
    browser.until(lambda: (fraction(browser) or 0) >= seen, "the reloaded page lost the progress")
    assert "downloads" in browser.driver.current_url
    browser.until(lambda: browser.script("return document.querySelector('#notify').checked"), "the permission is unknown")
    assert not browser.find("#permission").is_displayed()

    # Reconnects after a restart of the server.
    browser.expected = SERVER_GONE
    origin.wait_at_gate("end")
    server.kill()
    browser.until_text("#lost", "Connection lost")
    browser.picture("lost")
    server.start()
    browser.until_text("#link", "Connected")
    browser.until_hidden("#lost")
    browser.until(lambda: (fraction(browser) or 0) >= seen, "the page did not catch up")
    origin.open_gate("end")

    # Taps the notification, which opens the Library.
    browser.until_shown("#unread-badge")
    assert browser.find("#unread-badge").text == "1"
    browser.until_text("#library-count", "1")
    browser.section("notifications")
    browser.picture("notifications")
    browser.click("#inbox .tap")
    browser.until_shown("#library-section")
    assert browser.driver.current_url.endswith("#library")
    browser.until_hidden("#unread-badge")

    # Plays the item.
    browser.record_responses()
    browser.click(".card .open")
    video = browser.until_shown("#player video")
    now = lambda: browser.script("return arguments[0].currentTime", video)
    browser.until(lambda: now() > 0.2, "it does not play")
    assert browser.script("return arguments[0].error", video) is None
    assert round(browser.script("return arguments[0].duration", video)) == 24
    assert browser.script("return arguments[0].videoWidth", video) == 320
    browser.script("arguments[0].currentTime = 18; arguments[0].play()", video)
    browser.until(lambda: not browser.script("return arguments[0].seeking", video)
                  and now() > 18.1, "it does not seek")
    browser.picture("playing")
    statuses = {status for url, status in browser.responses() if url.endswith("/media/1")}
    assert statuses == {206}, statuses
    browser.click("#player-close")
    browser.until_hidden("#player")


def test_the_sample_stream_comes_from_an_empty_library(browser, server, program):
    browser.open(server.address)
    browser.until_shown("#home-empty")
    browser.picture("empty")
    browser.click("#sample")
    browser.click("#arrived-cards .open")
    video = browser.until_shown("#player video")
    browser.until(lambda: browser.script("return arguments[0].currentTime", video) > 0.2,
                  "the sample does not play")
    assert len(media.frame_hashes(program.media())) > 100


def test_a_private_address_can_be_allowed_where_it_failed(browser, program, origin, samples):
    server = Server(program)
    address = serve_stream(origin, samples)
    browser.open(server.address + "#downloads")
    browser.section("downloads")
    browser.type("#address", address)
    browser.until_text("#rows .error", "private address")
    browser.picture("private")
    browser.click("#rows .acts button", "private")
    browser.until_shown("#finished-rows li")
    assert [item["state"] for item in server.items()] == ["ready"]


def test_a_failed_download_shows_the_reason_and_is_retried(browser, server, origin, samples):
    address = serve_stream(origin, samples, **{"part7.ts": {"status": 404, "text": "no"}})
    browser.open(server.address)
    browser.section("downloads")
    browser.type("#address", address)
    browser.until_text("#rows .error", "1 of 48 segments are missing (8)")
    browser.picture("failed")
    serve_stream(origin, samples, **{"part7.ts": {}})
    browser.click("#rows .acts button", "Retry")
    browser.until_shown("#finished-rows li")
    browser.section("diagnostics")
    browser.until_text("#reports", "segments are missing")
    browser.picture("diagnostics")


def watchers(server):
    places = server.call("GET", "/api/activity")["observations"]
    return sum("ActivityWatch" in place["location"] for place in places)


def test_activity_is_followed_while_its_section_is_visible(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    assert watchers(server) == 0
    browser.section("activity")
    browser.until_shown("#places tbody tr")
    browser.until_shown("#posts-none")
    assert watchers(server) == 1
    server.download(origin.url("/film.mp4"))
    ready(server)
    browser.until_text("#posts", "DownloadQueued")
    browser.until_text("#posts", "ItemChanged")
    browser.until_text("#posts", "DownloadCompleted")
    browser.until_text("#handlers", "EventHub.swift:")
    browser.until_text("#places", "EventHub.swift:")
    browser.until(lambda: any("s" in cell.text and any(sign.isdigit() for sign in cell.text)
                              for cell in browser.all("#handlers td.number")), "no durations")

    # A post shows the source location and the handlers.
    browser.click("#posts summary")
    browser.until_text("#posts", ".swift:")
    browser.until_shown("#posts .calls li, #posts dl")
    assert browser.overflow() <= 0
    browser.picture("activity")

    # A paused list does not change, and shows later posts after the pause.
    browser.click("#activity-pause")
    before = browser.find("#posts").text
    server.call("DELETE", "/api/items/1?withFile=true")
    browser.until(lambda: any("ItemRemoved" in post["message"] for post in server.call(
        "GET", "/api/activity")["posts"]), "the removal was not posted")
    assert browser.find("#posts").text == before
    browser.click("#activity-pause")
    browser.until_text("#posts", "ItemRemoved")

    # Another section follows no posts.
    browser.section("library")
    # The next keep-alive detects the closed stream.
    browser.until(lambda: watchers(server) == 0, "the recording did not end")
    browser.open(server.address + "#activity", dark=True)
    browser.until_shown("#places tbody tr")
    browser.picture("activity-dark")


# Records the time at which the page has removed the last card, without the test's own requests.
RECORD_REMOVAL = """
new MutationObserver(() => {
  window.removedAt = document.querySelector("#cards .card") ? undefined : Date.now();
}).observe(document.querySelector("#cards"), { childList: true });
"""
# Without timers of a second or more, the page depends on the server's events.
NO_LONG_TIMERS = """
for (const name of ["setTimeout", "setInterval"]) {
  const real = window[name];
  window[name] = (body, delay, ...rest) => (delay >= 1000 ? 0 : real(body, delay, ...rest));
}
"""


def test_o12_a_change_is_shown_within_a_second(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    script = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": NO_LONG_TIMERS})
    try:
        browser.open(server.address)
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    browser.section("library")
    browser.until_text("#link", "Connected")
    browser.script(RECORD_REMOVAL)
    # The browser may ask for the picture of a card after the item is gone.
    browser.expected = ["/pictures/"]
    taken = []
    # The shortest duration counts, because a busy machine may be late.
    while not any(seconds < 2 for seconds in taken[1:]):
        assert len(taken) < 20, taken
        number = server.download(origin.url("/film.mp4"))["id"]
        ready(server, number)
        browser.until_shown(".card")
        begin = time.time()
        server.call("DELETE", f"/api/items/{number}?withFile=true")
        removed = browser.until(lambda: browser.script("return window.removedAt"), "the card remained")
        taken.append(removed / 1000 - begin)


def test_an_address_from_another_page_waits_for_the_user(browser, server, origin, samples):
    film = origin.url("/film.mp4")
    origin.serve({
        "/film.mp4": {"file": str(samples.film)}, "/favicon.ico": {"text": ""},
        "/page": {"text": f"<a id=go href='{server.origin}/add?url={film}'>keep</a>",
                  "type": "text/html"}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.driver.get(origin.url("/page"))
    browser.click("#go")
    browser.until(lambda: browser.find("#address").get_attribute("value") == film,
                  "the address is not in the field")
    assert server.items() == [] and "url=" not in browser.driver.current_url
    # The page lists an item as finished only if the page has seen the item unfinished.
    browser.until_text("#link", "Connected")
    browser.click("#add [type=submit]")
    browser.until_shown("#arrived-cards .card")


def test_o19_a_pasted_text_becomes_an_item_for_each_address(browser, server, origin, samples):
    origin.serve({f"/{name}.bin": {"file": str(samples.file)} for name in "ab"})
    bare = origin.base.removeprefix("http://")
    text = f"look: {origin.url('/a.bin')},\n{bare}/b.bin\nand ftp://example.org/c"
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#link", "Connected")
    browser.script("document.querySelector('#address').focus();"
                   f"document.execCommand('insertText', false, {json.dumps(text)})")
    assert browser.find("#address").get_attribute("rows") == "3"
    browser.click("#add [type=submit]")
    browser.until_text("#add-error", "Line 3: The scheme ftp: is not supported")
    browser.until(lambda: len(browser.all("#finished-rows li")) == 2, "the items are not finished")
    assert {item["address"] for item in server.items()} == {origin.url("/a.bin"), origin.url("/b.bin")}
    browser.picture("pasted")


def test_o14_headers_are_sent_and_not_shown_again(browser, server, origin, samples):
    origin.serve({"/a.bin": {"file": str(samples.file)}})
    browser.open(server.address)
    browser.section("downloads")
    browser.until_text("#link", "Connected")
    browser.click("#options")
    browser.until_shown("#headers").send_keys("X-Key: s3cr3t")
    browser.picture("options")
    browser.type("#address", origin.url("/a.bin"))
    browser.until_shown("#finished-rows li")
    assert [entry["headers"]["X-Key"] for entry in origin.settled_log()] == ["s3cr3t"]
    # The download may end before the page has the answer to its request, which empties the form.
    browser.until(lambda: browser.find("#address").get_attribute("value") == "", "the form keeps the request")
    assert "s3cr3t" not in browser.script(
        "return document.documentElement.outerHTML + document.querySelector('#headers').value")


ATTACK = """<!doctype html><title>evil</title><script>
const to = "%s", send = (path, options) => fetch(to + path, options).then(
  (answer) => answer.text().then((text) => answer.type + " " + answer.status + " " + text),
  () => "refused");
const json = {"Content-Type": "application/json"};
window.attack = Promise.all([
  send("/api/items", {credentials: "include"}),
  send("/api/items", {credentials: "include", mode: "no-cors"}),
  send("/api/items/1?withFile=true", {method: "DELETE", credentials: "include"}),
  send("/api/downloads", {method: "POST", credentials: "include", mode: "no-cors",
    body: '{"url": "http://127.0.0.1:9/x"}'}),
  send("/api/downloads", {method: "POST", credentials: "include", headers: json,
    body: '{"url": "http://127.0.0.1:9/x"}'}),
  new Promise((done) => { const source = new EventSource(to + "/api/events",
    {withCredentials: true}); source.onmessage = () => done("read events");
    source.onerror = () => done("refused"); }),
  new Promise((done) => { const video = document.createElement("video");
    video.onloadedmetadata = () => done("read film"); video.onerror = () => done("refused");
    video.src = to + "/media/1"; }),
]);
</script><form method=post enctype=text/plain target=frame action="%s/api/downloads">
<input name='{"url":"http://127.0.0.1:9/y","x":"' value='"}'></form><iframe name=frame></iframe>
<iframe id=page src="%s/"></iframe>"""


def test_o15_a_hostile_page_reads_and_changes_nothing(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)},
                  "/evil": {"text": ATTACK % ((server.origin,) * 3), "type": "text/html"}})
    server.download(origin.url("/film.mp4"))
    ready(server)
    browser.open(server.address)
    browser.until_shown(".card")
    # Another port of the same host is the same site, so the browser sends the cookie.
    browser.expected = [""]
    browser.driver.get(origin.url("/evil"))
    results = browser.driver.execute_async_script("attack.then(arguments[0])")
    assert all(each == "refused" or each.startswith("opaque 0 ") for each in results), results
    browser.record_responses()
    browser.script("document.forms[0].submit()")
    browser.until(lambda: any(url.endswith("/api/downloads") and status == 403
                              for url, status in browser.responses()), "the form was not refused")
    assert [(item["id"], item["state"]) for item in server.items()] == [(1, "ready")]
    browser.driver.switch_to.frame(browser.find("#page"))
    assert "film" not in browser.script("return document.documentElement.textContent")
    browser.driver.switch_to.default_content()


def test_not_now_is_no_answer_and_asks_again_a_week_later(browser, server, origin, samples):
    origin.serve({"/film.mp4": {"file": str(samples.film)}})
    server.download(origin.url("/film.mp4"))
    ready(server)
    browser.open(server.address)
    browser.until_shown("#permission")
    browser.click("#permission-deny")
    browser.until_hidden("#permission")
    assert server.call("GET", "/api/preferences") == {"notifications": "unknown"}
    days = browser.script("return (localStorage.getItem('notifications-put-off') - Date.now()) / 86400000")
    assert 6.9 < days <= 7
    browser.driver.refresh()
    browser.until_shown(".card")
    assert not browser.find("#permission").is_displayed()
    browser.script("localStorage.setItem('notifications-put-off', Date.now() - 1)")
    browser.driver.refresh()
    browser.until_shown("#permission")


def test_markup_in_a_title_is_text_on_the_page(browser, server, origin, samples):
    path = "/%3Cimg%20src=x%20onerror=alert(1)%3E.mp4"
    origin.serve({path: {"file": str(samples.film)}})
    server.download(origin.url(path))
    ready(server)
    browser.open(server.address)
    browser.until_text(".card h3", "<img src=x onerror=alert(1)>")
    assert not browser.all(".card h3 a *")


def test_a_long_press_on_the_title_runs_a_refresh(browser, server, program, origin, samples):
    origin.serve({f"/{name}.mp4": {"file": str(samples.film)} for name in "abc"})
    for name in "abc":
        server.download(origin.url(f"/{name}.mp4"))
    server.wait_for_items(
        lambda items: len(items) == 3 and all(i["state"] == "ready" for i in items.values()))
    program.media(server.item(1)).unlink()
    browser.open(server.address)
    browser.section("library")
    browser.until_shown(".card")
    browser.click("#permission-deny")
    browser.until_hidden("#permission")
    title = browser.resting(lambda: browser.find("#library-title"), "the title")
    ActionChains(browser.driver).click_and_hold(title).perform()
    browser.until_text("#ask", "1 file is missing")
    ActionChains(browser.driver).release().perform()
    browser.picture("refresh")
    browser.click("#ask-buttons button", "Remove")
    browser.until_text("#ask", "1 entry was removed")
    assert sorted(item["id"] for item in server.items()) == [2, 3]


# An element of each section, which is present when the section is drawn.
CONTENT = {"home": "#arrived-cards .card", "library": "#cards .card", "following": "#feed-address",
           "settings": "#developer", "lessons": "#lessons-none", "downloads": "#rows li",
           "diagnostics": "#reports > li", "activity": "#places tbody tr", "notifications": "#inbox li"}


def test_a_phone_shows_everything_without_scrolling_sideways(browser, server, origin, samples):
    long = "/a-title-that-is-long-" + "and-has-no-space-" * 6 + "in-it.mp4"
    origin.serve({long: {"file": str(samples.film)}, "/" + "gone" * 40: {"status": 500, "text": ""}})
    server.download(origin.url(long))
    server.download(origin.url("/" + "gone" * 40))
    server.wait_for_items(lambda items: {i["state"] for i in items.values()} == {"ready", "failed"})
    browser.open(server.address, width=360, height=740)
    for section in CONTENT:
        if section == "notifications":
            # Without the permission, the section is empty. With the permission, no place shows the
            # question.
            server.call("POST", "/api/preferences", {"notifications": "granted"})
        browser.section(section)
        browser.until_shown(CONTENT[section])
        assert browser.overflow() <= 0, section
        assert browser.outside("button, nav a, select, input") == [], section
        browser.picture(f"phone-{section}")
