# SPDX-License-Identifier: Apache-2.0
"""Reports of errors and crashes, on the page and in the terminal."""

import json

import pytest

from support import recorded
from support.server import Server


@pytest.fixture
def library(program):
    """The folder of a library that has a report of a crash and one of an error."""
    recorded.put(program.library, recorded.crash())
    error = {"domain": "OfflineLibrary.DownloadError", "code": "status", "message": "The server answered 404."}
    cause = {"domain": "TidingsHTTP.HTTPError", "code": "status", "message": "404", "location": "A.swift:1"}
    recorded.put(program.library, recorded.crash(
        age=50, crash=None, level="error", frames=[], images=[], errors=[error, cause],
        context={"error_type": "download", "download_url": "https://example.org/a.m3u8", "retry_count": 2}))
    return program.library


def press(browser, element):
    """As a finger does, which scrolls first to where nothing lies over it."""
    browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def opened(browser, text):
    """Opens the report whose line says this and waits for all of it."""
    def found():
        return next((line for line in browser.all("#reports > li > details") if text in line.text), None)
    details = browser.until(found, f"no report says “{text}”")
    press(browser, details.find_element("tag name", "summary"))
    browser.until(lambda: "What would be sent" in details.text, "the report did not come")
    return details


def test_the_page_shows_how_it_came_to_a_crash(browser, program, library):
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#reports", "The server answered 404.")
    lines = browser.all("#reports > li")
    assert [line.get_attribute("data-kind") for line in lines] == ["download", "crash"]
    assert "Basket.take(_:) at Basket.swift:31" in lines[1].text
    browser.picture("diagnostics-list")
    details = opened(browser, "Nothing is left in the basket")
    text = details.text
    for part in ["SIGILL on thread 4242 “offline”", "Basket.take(_:)", "Basket.swift:31", "inlined",
                 "may be of an earlier call", "1 call of the system", "2 calls of the system",
                 "−8.8 s", "DownloadQueued item 3", "−12 ms", "the basket is empty",
                 "download_queue_size", "Debian GNU/Linux 12", "Shop/Basket.swift:31: Fatal error"]:
        assert part in text, (part, text)
    assert "start_thread" not in text, "the system's calls are not folded"
    fold = details.find_elements("css selector", ".fold summary")[1]
    press(browser, fold)
    assert "start_thread" in details.text
    browser.picture("diagnostics-crash")
    press(browser, details.find_element("css selector", ".outgoing > summary"))
    sent = details.find_element("css selector", ".outgoing pre").text
    assert "Nothing is left in the basket" in json.dumps(json.loads(sent))
    browser.script("arguments[0].scrollIntoView()", details.find_element("css selector", ".outgoing"))
    browser.picture("diagnostics-outgoing")


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_shows_a_whole_report_without_scrolling_sideways(browser, program, library, dark):
    recorded.put(program.library, recorded.crash(age=10, frames=[{
        "address": 1, "kind": "call", "function": "a_function" * 40, "file": "/src/" + "a" * 300 + ".swift",
        "line": 1, "image": "offline", "isSystem": False, "isInlined": True}]))
    server = Server(program)
    browser.open(server.address, width=360, height=740, dark=dark)
    browser.section("diagnostics")
    for text in ["a_function", "Basket.take", "404"]:
        details = opened(browser, text)
        press(browser, details.find_element("css selector", ".outgoing > summary"))
        assert browser.overflow() <= 0
    browser.script("scrollTo(0, 0)")
    browser.picture(f"phone-diagnostics-{'dark' if dark else 'light'}")
    browser.script("arguments[0].scrollIntoView()", browser.all("#reports > li")[1])
    browser.picture(f"phone-diagnostics-crash-{'dark' if dark else 'light'}")


def test_hostile_text_of_a_report_is_text(browser, program):
    hostile = recorded.HOSTILE
    frame = {"address": 1, "kind": "call", "function": hostile, "file": hostile, "line": 1, "image": hostile,
             "isSystem": False, "isInlined": False}
    report = recorded.crash(
        frames=[frame, {**frame, "isSystem": True}], values={hostile: hostile}, context={hostile: hostile},
        errors=[{"domain": hostile, "code": hostile, "message": hostile, "location": hostile}], user=hostile,
        machine={"system": hostile, "kernel": hostile, "architecture": hostile})
    report["crash"] |= {"reason": hostile, "text": hostile, "threadName": hostile, "signal": hostile}
    report["breadcrumbs"][0] |= {"text": hostile, "location": hostile}
    recorded.put(program.library, report)
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    details = opened(browser, "onerror")
    assert details.text.count("onerror") > 10
    assert browser.all("#reports img, #reports script") == []
    assert browser.driver.title == "Offline"
    shown = program.run("reports", "show", report["id"])
    assert shown.code == 0 and hostile in shown.out


def test_everything_is_reached_by_keyboard(browser, program, library):
    server = Server(program)
    browser.open(server.address + "#diagnostics")
    browser.section("diagnostics")
    browser.until_text("#reports", "404")
    browser.script("document.querySelector('#diagnostics-title').scrollIntoView()")
    reached = browser.script("""
        const section = document.querySelector('#diagnostics-section');
        return [...section.querySelectorAll('button, summary, input, [tabindex="0"]')]
            .filter((each) => each.checkVisibility()).map((each) => {
                each.focus();
                return [document.activeElement === each, (each.textContent || each.ariaLabel).trim()];
            });""")
    assert len(reached) >= 4 and all(is_focused and name for is_focused, name in reached), reached


def test_a_test_report_is_made_and_all_are_deleted(browser, program, library):
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#reports", "404")
    browser.click("#test-report")
    browser.until_text("#reports", "A test report: nothing has failed.")
    assert len(server.call("GET", "/api/reports")["reports"]) == 3
    browser.click("#clear-reports")
    browser.until_text("#ask", "Delete all reports?")
    next(button for button in browser.all("#ask-buttons button") if button.text == "Delete").click()
    browser.until_shown("#reports-none")
    assert server.call("GET", "/api/reports")["reports"] == []
    assert not any("basket" in text for text in recorded.stored(library).values())


@pytest.mark.parametrize("served", [False, True])
def test_the_terminal_shows_the_same(program, library, served):
    if served:
        Server(program)
    listed = program.run("reports")
    assert listed.code == 0, listed.err
    assert "Fatal error: Nothing is left in the basket" in listed.out
    assert "in Basket.take(_:) at Basket.swift:31" in listed.out
    found = json.loads(program.run("reports", "--json").out)["reports"]
    assert [report["kind"] for report in found] == ["download", "crash"]
    shown = program.run("reports", "show", found[1]["id"][:8])
    assert shown.code == 0, shown.err
    for part in ["Basket.take(_:)  at Basket.swift:31  (inlined)", "-0.012 s  the basket is empty",
                 "2 calls of the system", "video_count  12", "What would be sent"]:
        assert part in shown.out, (part, shown.out)
    whole = json.loads(program.run("reports", "show", found[0]["id"], "--json").out)
    assert whole["errors"][1]["location"] == "A.swift:1"
    assert program.run("reports", "show", "zz").code == 1
    assert program.run("reports", "delete").code == 2
    assert program.run("reports", "delete", "--all").code == 0
    assert json.loads(program.run("reports", "--json").out)["reports"] == []


def test_looking_makes_no_library(program):
    listed = program.run("reports")
    assert listed.code == 1 and "There is no library" in listed.err
    assert program.run("list").code == 0
    assert not program.library.exists()
