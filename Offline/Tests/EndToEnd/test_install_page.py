# SPDX-License-Identifier: Apache-2.0
"""The page as an app: installed, and opened while the server is stopped."""

import json

from harness.browser import SERVER_GONE
from harness.server import Server


def worker_is_ready(browser):
    return browser.driver.execute_async_script(
        "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));")


def test_the_page_opens_while_the_server_is_stopped_and_goes_on_when_it_is_back(program, browser):
    server = Server(program)
    browser.open(server.address)
    browser.until_text("#link-text", "Connected")
    assert worker_is_ready(browser)
    server.kill()
    # The expected messages are those of the requests that the stopped server does not answer.
    browser.expected = SERVER_GONE
    browser.open(server.origin, width=360, height=740)
    browser.until_text("#lost", "Start it with “offline serve”")
    assert browser.script("return document.title").endswith("Offline")
    browser.picture("stopped-server")
    kept = browser.driver.execute_async_script(
        "const done = arguments[0]; caches.open('page').then((cache) => cache.keys())"
        ".then((keys) => done(keys.map((key) => new URL(key.url).pathname)));")
    # Nothing of the library stays in the browser.
    assert not [path for path in kept if path.startswith(("/api/", "/media/", "/pictures/", "/subtitles/"))], kept
    server.start()
    browser.until_text("#link-text", "Connected")
    browser.until_hidden("#lost")


def test_a_new_version_of_the_page_replaces_the_kept_one(program, browser):
    server = Server(program)
    browser.open(server.address)
    browser.until_text("#link-text", "Connected")
    assert worker_is_ready(browser)
    # What another version of the program would have left behind.
    browser.driver.execute_async_script(
        "const done = arguments[0]; caches.open('page').then(async (cache) => {"
        " const frame = await (await cache.match('/')).text();"
        " for (const key of await cache.keys()) await cache.delete(key);"
        " await cache.put('/', new Response(frame.replaceAll(/\\/page\\/\\w+/g, '/page/old'),"
        "  { headers: { 'Content-Type': 'text/html', ETag: '\"old\"' } }));"
        " await cache.put('/page/old/style.css', new Response('old')); }).then(() => done());")
    browser.open(server.origin)
    browser.until_text("#link-text", "Connected")
    read = ("const done = arguments[0]; caches.open('page').then((cache) => cache.keys())"
            ".then((keys) => done(keys.map((key) => new URL(key.url).pathname)));")

    def replaced():
        paths = browser.driver.execute_async_script(read)
        return "/page/old/style.css" not in paths and [path for path in paths if path.endswith("/style.css")]
    browser.until(replaced, "the old files stay")
    server.kill()
    browser.expected = SERVER_GONE
    browser.open(server.origin)
    browser.until_text("#lost", "Start it with “offline serve”")


def test_a_browser_can_install_the_page(program, browser):
    server = Server(program)
    browser.open(server.address)
    browser.until_text("#link-text", "Connected")
    found = browser.driver.execute_cdp_cmd("Page.getAppManifest", {})
    assert found["errors"] == [], found["errors"]
    assert json.loads(found["data"])["share_target"]["action"] == "/add"
    problems = browser.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
    # The tests' browser is in its private mode, in which nothing is installed.
    assert [each["errorId"] for each in problems if each["errorId"] != "in-incognito"] == []
