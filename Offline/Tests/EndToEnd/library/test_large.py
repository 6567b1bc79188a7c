# SPDX-License-Identifier: Apache-2.0
"""Lists of many items: pages, compression and searches."""

import gzip
import json

from harness.registry import fill
from harness.server import Events, Server

COUNT = 1_500


def test_o30_the_list_comes_in_pages_and_is_complete_on_the_command_line(program):
    fill(program, COUNT)
    local = [item["id"] for item in program.items()]
    assert local == list(range(COUNT, 0, -1))
    server = Server(program)
    first = server.call("GET", "/api/items?state=ready")
    assert (len(first["items"]), first["total"], first["next"]) == (200, COUNT, COUNT - 199)
    assert [item["id"] for item in server.items()] == local
    assert [item["id"] for item in program.items()] == local


def test_o30_the_first_event_does_not_grow_with_the_library(program):
    fill(program, COUNT)
    server = Server(program)
    with Events(server) as events:
        name, value = next(each for each in events if each[0] == "items")
    assert len(value["items"]) == 200 and value["counts"] == {"ready": COUNT}


def test_the_list_is_compressed_for_a_client_that_accepts_it(program):
    fill(program, COUNT)
    server = Server(program)
    plain = server.request("GET", "/api/items")
    assert plain[1]["Content-Encoding"] is None
    status, headers, content = server.request("GET", "/api/items", headers={"Accept-Encoding": "br, gzip"})
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, "gzip", "Accept-Encoding")
    assert len(content) < len(plain[2]) / 5
    assert json.loads(gzip.decompress(content)) == json.loads(plain[2])


def test_o30_the_page_loads_older_items_when_it_shows_them(browser, program):
    fill(program, 300)
    server = Server(program)
    browser.open(server.address)
    browser.section("library")
    cards = "return document.querySelectorAll('#cards > li').length"
    browser.until(lambda: browser.script(cards) == 120, "the newest items are not shown")
    browser.until_text("#library-count", "300")
    for count in (240, 300):
        browser.click("#show-more")
        browser.until(lambda: browser.script(cards) == count, f"{count} items are not shown")
    browser.until_hidden("#show-more")


def test_a_search_finds_words_with_and_without_a_server(program):
    fill(program, COUNT)
    expected = [item["id"] for item in program.items() if item["title"].startswith("Café 12")]

    def found(*words):
        result = program.run("list", *words, "--json")
        assert result.code == 0, result.err
        return [item["id"] for item in json.loads(result.out)]

    assert len(expected) > 20 and found("cafe", "12") == expected
    assert found("日本", "1498") == [1498]
    assert found("media3", '"', "OR") == []
    nothing = program.run("list", "nothing")
    assert nothing.code == 0 and "No item has these words" in nothing.out
    server = Server(program)
    assert found("cafe", "12") == expected
    page = server.call("GET", "/api/items?q=caf%C3%A9%2012&count=5&state=ready")
    assert [item["id"] for item in page["items"]] == expected[:5] and page["total"] == len(expected)
    assert server.request("GET", "/api/items?q=" + "a+" * 20)[0] == 400


def test_the_page_finds_items_that_it_has_not_loaded(browser, program):
    fill(program, 500)
    server = Server(program)
    browser.open(server.address)
    browser.section("library")
    browser.until_text("#library-count", "500")
    browser.find("#search").send_keys("lesson 4")
    # If the keys come slowly, the page searches for the first words alone.
    titles = "return [...document.querySelectorAll('#cards h2')].map((each) => each.textContent)"
    browser.until(lambda: browser.script(titles)[-1:] == ["lesson 4"], "the oldest item is not found")
    browser.find("#search").send_keys(" xyz")
    browser.until_text("#library-none", "Nothing in the library matches “lesson 4 xyz”.")


def test_back_finds_all_that_show_more_had_shown(program, browser):
    fill(program, 300)
    server = Server(program)
    browser.open(server.address + "#library")
    browser.until(lambda: len(browser.all("#cards > .card")) == 120, "the first items are missing")
    browser.click("#show-more")
    browser.until(lambda: len(browser.all("#cards > .card")) == 240, "no more items are shown")
    browser.script("document.querySelector('#cards > .card:nth-child(200) a').click()")
    browser.until_shown("#item-section h1")
    browser.driver.back()
    browser.until_shown("#cards > .card")
    assert len(browser.all("#cards > .card")) == 240
