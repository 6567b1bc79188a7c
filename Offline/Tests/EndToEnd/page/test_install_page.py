# SPDX-License-Identifier: Apache-2.0
"""The page as an installed app, opened while the server is stopped."""

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
    # The expected messages belong to requests that the stopped server does not answer.
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
    # This script creates the files that another version of the program would have left.
    browser.driver.execute_async_script(
        "const done = arguments[0]; caches.open('page').then(async (cache) => {"
        " const frame = await (await cache.match('/')).text();"
        " for (const key of await cache.keys()) await cache.delete(key);"
        " await cache.put('/', new Response(frame.replaceAll(/\\/page\\/\\w+/g, '/page/old'),"
        "  { headers: { 'Content-Type': 'text/html', ETag: '\"old\"' } }));"
        " for (const name of ['old', 'older']) await cache.put(`/page/${name}/style.css`, new Response(name));"
        " }).then(() => done());")
    # The kept frame appears if the server is some seconds late, but the files of the frame do not
    # exist.
    browser.expected = ["/page/old/"]
    browser.open(server.origin)
    read = ("const done = arguments[0]; caches.open('page').then((cache) => cache.keys())"
            ".then((keys) => done(keys.map((key) => new URL(key.url).pathname)));")

    def replaced():
        paths = browser.driver.execute_async_script(read)
        # A page of the former version may still be open and load some files late.
        return "/page/older/style.css" not in paths and sum(path.endswith("/style.css") for path in paths) == 2
    browser.until(replaced, "the old files stay")
    server.kill()
    browser.expected += SERVER_GONE
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
    # The tests' browser is in private mode, in which nothing is installed.
    assert [each["errorId"] for each in problems if each["errorId"] != "in-incognito"] == []
