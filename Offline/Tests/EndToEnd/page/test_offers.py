# SPDX-License-Identifier: Apache-2.0
"""Offers of other pages through the bookmarklet, links to /add, and hostile links."""

import urllib.parse

import pytest

from harness.server import Server

TITLE = "Two films & <b>more</b>"


@pytest.fixture
def server(program):
    return Server(program, "--allow-private")


def run_bookmarklet(browser, server, address):
    """Runs the bookmarklet of the page on another page and returns the opened tab."""
    browser.open(server.address)
    browser.section("settings")
    link = browser.until_shown("#bookmarklet").get_attribute("href")
    assert link.startswith("javascript:")
    browser.driver.get(address)
    known = set(browser.driver.window_handles)
    browser.script(urllib.parse.unquote(link.removeprefix("javascript:")))
    opened = browser.until(lambda: set(browser.driver.window_handles) - known, "no page was opened").pop()
    browser.driver.switch_to.window(opened)
    return opened


def offered(browser, text):
    browser.until(lambda: browser.all("#address") and browser.find("#address").get_attribute("value") == text,
                  "the addresses are not in the field")
    browser.until_text("#link", "Connected")


def test_the_bookmarklet_offers_the_media_of_a_page(browser, server, origin, samples):
    body = ("<video src='/a.mp4'></video><audio><source src='/b.bin'></audio>"
            "<video src='/a.mp4'></video><video src='blob:x'></video>")
    page = {"text": f"<title>{TITLE}</title>{body}", "type": "text/html"}
    origin.serve({"/page": page, "/favicon.ico": {"text": ""},
                  "/a.mp4": {"file": str(samples.film)}, "/b.bin": {"file": str(samples.file)}})
    browser.expected = ["blob:"]
    run_bookmarklet(browser, server, origin.url("/page"))
    offered(browser, f"{origin.url('/a.mp4')}\n{origin.url('/b.bin')}")
    browser.until_text("#offer-page", f"From the page {origin.url('/page')}")
    assert not browser.find("#offer-title").is_displayed()
    assert browser.driver.current_url == f"{server.origin}/#home" and server.items() == []
    after = origin.newest_connection()
    browser.click("#add [type=submit]")
    server.wait_for_items(lambda items: [each["state"] for each in items.values()] == ["ready"] * 2)
    assert {entry["headers"].get("Referer") for entry in origin.settled_log(after)} == {origin.url("/page")}


def test_the_bookmarklet_offers_a_page_without_media_and_its_title(browser, server, origin, samples):
    path = "/film.mp4?x=1&y=2"
    origin.serve({path: {"text": f"<title>{TITLE}</title>", "type": "text/html"}, "/favicon.ico": {"text": ""}})
    run_bookmarklet(browser, server, origin.url(path))
    offered(browser, origin.url(path))
    title = browser.find("#offer-title")
    assert title.get_attribute("value") == TITLE
    # The user's title wins, and the offer does not apply to another address.
    title.clear()
    title.send_keys("My film")
    origin.serve({path: {"file": str(samples.film)}})
    browser.find("#address").send_keys("x")
    browser.until_hidden("#offer")
    browser.find("#address").send_keys("\b")
    browser.until_shown("#offer")
    browser.click("#add [type=submit]")
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    assert server.item(1)["title"] == "My film" and server.item(1)["fileName"] == "My film.mp4"


def test_o15_an_offer_of_a_hostile_page_is_text_and_changes_nothing(browser, server, origin):
    markup = "<img src=x onerror=alert(1)>"
    query = urllib.parse.urlencode({"url": "javascript:alert(1)", "title": markup, "referrer": "javascript:alert(1)"})
    origin.serve({"/evil": {"type": "text/html", "text": f"""<title>evil</title><script>
        const page = open("{server.origin}/add?{query}");
        const offer = {{ offline: {{ number: "1", site: "bank.example", cookies: "x" }} }};
        setInterval(() => page.postMessage(offer, "*"), 20);
        </script>"""}, "/favicon.ico": {"text": ""}})
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    known = set(browser.driver.window_handles)
    browser.driver.get(origin.url("/evil"))
    browser.driver.switch_to.window(browser.until(lambda: set(browser.driver.window_handles) - known, "no tab").pop())
    offered(browser, "javascript:alert(1)")
    # The browser blocks messages of a foreign page, and the page also refuses such messages.
    browser.script("""for (const [source, origin] of [[null, location.origin], [window, "http://evil.example"]]) {
        dispatchEvent(new MessageEvent("message", { source, origin, data: { offline: { number: "1", site: "x" } } }));
    }""")
    assert not browser.find("#offer-cookies-row").is_displayed()
    assert browser.find("#offer-title").get_attribute("value") == markup
    assert browser.find("#offer-page").text == ""
    browser.click("#add [type=submit]")
    browser.expected = ["status of 400"]
    browser.until_text("#add-error", "The scheme javascript: is not supported")
    assert server.items() == []


OFFER = """dispatchEvent(new MessageEvent("message", { source: window, origin: location.origin,
    data: { offline: { number: "1", site: "bank.example", address: arguments[0] } } }));"""


def test_o15_cookies_are_offered_for_their_own_address_alone(browser, server, origin):
    """The extension's offer may outlive the page, such as when a site opens /add in the tab."""
    address = origin.url("/film.mp4")
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    browser.driver.get(f"{server.origin}/add?{urllib.parse.urlencode({'url': address})}")
    offered(browser, address)
    browser.script(OFFER, origin.url("/other.mp4"))
    assert not browser.find("#offer-cookies-row").is_displayed()
    browser.script(OFFER, address)
    browser.until_shown("#offer-cookies-row")
    lines = f"{address}\n{origin.url('/other.mp4')}"
    browser.driver.get(f"{server.origin}/add?{urllib.parse.urlencode({'text': lines})}")
    offered(browser, lines)
    browser.script(OFFER, address)
    assert not browser.find("#offer-cookies-row").is_displayed()


# This script answers as the extension does.
COOKIES = """addEventListener("message", ({ data }) => {
    if (data?.offline?.ask === "cookies") postMessage({ offline: { number: "1", cookies: arguments[0] } }, "*");
});"""


def test_o20_look_first_uses_the_offer_and_keeps_its_secrets_from_other_origins(
        browser, server, origin, samples):
    other = origin.url("/two.bin").replace("127.0.0.1", "localhost")
    markup = f"<title>Films</title><video src=/one.mp4></video><video src={other}></video>"
    origin.serve({"/watch": {"text": markup, "type": "text/html"}, "/favicon.ico": {"text": ""},
                  "/one.mp4": {"file": str(samples.film)}, "/two.bin": {"file": str(samples.file)},
                  "/film.mp4": {"file": str(samples.film)}})
    after = origin.newest_connection()
    browser.open(server.address)
    browser.until_text("#link", "Connected")
    cookies = "".join(f"{host}\tFALSE\t/\tFALSE\t0\tid\ts3cr3t\n" for host in ("127.0.0.1", "localhost"))

    def look(path):
        query = {"url": origin.url(path), "title": "Offered", "referrer": origin.url("/portal")}
        browser.driver.get(f"{server.origin}/add?{urllib.parse.urlencode(query)}")
        offered(browser, origin.url(path))
        browser.script(COOKIES, cookies)
        browser.script(OFFER, origin.url(path))
        browser.until_shown("#offer-cookies-row")
        browser.click("#look-first")

    look("/film.mp4")
    browser.click("#look-download")
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    assert server.item(1)["title"] == "Offered"
    look("/watch")
    for row in (1, 2):
        browser.click(f"#look-media li:nth-child({row}) input")
    browser.click("#look-download")
    server.wait_for_items(lambda items: [each["state"] for each in items.values()] == ["ready"] * 3)
    assert [server.item(number)["title"] == "Offered" for number in (1, 2, 3)] == [True, False, False]
    sent = {(entry["path"], entry["headers"].get("Referer"), entry["headers"].get("Cookie"))
            for entry in origin.settled_log(after)}
    secret, portal, page = "id=s3cr3t", origin.url("/portal"), origin.url("/watch")
    assert sent == {("/film.mp4", portal, secret), ("/watch", portal, secret), ("/one.mp4", page, secret),
                    ("/two.bin", origin.url("/"), None)}


@pytest.mark.parametrize("size,statuses", [(17_000, {414}), (10_000_000, {400, 413, 414, 431, None})])
def test_o15_a_huge_link_is_refused(size, statuses, server):
    try:
        status, _, content = server.request("GET", "/add?url=" + "a" * size, bearer=False)
    except OSError:
        # The server closes the connection before reading the rest.
        status, content = None, b""
    assert status in statuses and len(content) < 2_000
    assert server.items() == []
