# SPDX-License-Identifier: Apache-2.0
"""Reports of errors and crashes, on the page and in the terminal."""

import contextlib
import http.server
import json
import os
import signal
import threading

import pytest

from harness import recorded
from harness.browser import SERVER_GONE
from harness.program import finish
from harness.server import Server

# A secret that no report, page or file may contain.
CANARY = "hunter2canary"


@pytest.fixture
def program(program):
    """The program with recording on, because a debug build does not record by default."""
    program.added["OFFLINE_DIAGNOSTICS"] = "on"
    return program


@pytest.fixture
def library(program):
    """The folder of a library with two reports, of a crash and of an error."""
    recorded.put(program.data, recorded.crash())
    error = {"domain": "OfflineModel.DownloadError", "code": "status", "message": "The server answered 404."}
    cause = {"domain": "TidingsHTTP.HTTPError", "code": "status", "message": "404", "location": "A.swift:1"}
    recorded.put(program.data, recorded.crash(
        age=50, crash=None, level="error", frames=[], images=[], errors=[error, cause],
        context={"error_type": "download", "download_url": "https://example.org/a.m3u8", "retry_count": 2}))
    return program.library


def press(browser, element):
    """Scrolls to an element, so that nothing covers the element, and clicks."""
    browser.script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def opened(browser, text):
    """Opens the report with the text in its line, and waits for the content."""
    # An open report may contain the text by chance, for example in a random identifier.
    def found():
        closed = browser.all("#reports > li > details:not([open])")
        return next((line for line in closed if text in line.text), None)
    details = browser.until(found, f"no report shows “{text}”")
    press(browser, details.find_element("tag name", "summary"))
    browser.until(lambda: "Content to send" in details.text, "the report did not load")
    return details


def test_the_page_shows_a_crash_report(browser, program, library):
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
                 "possibly from an earlier call", "1 call in system code", "2 calls in system code",
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
    recorded.put(program.data, recorded.crash(age=10, frames=[{
        "address": 1, "kind": "call", "function": "a_function" * 40, "file": "/src/" + "a" * 300 + ".swift",
        "line": 1, "image": "offline", "isSystem": False, "isInlined": True}]))
    server = Server(program)
    browser.open(server.address, width=360, height=740, dark=dark)
    browser.section("diagnostics")
    for text in ["a_function", "Basket.take", "404"]:
        details = opened(browser, text)
        press(browser, details.find_element("css selector", ".outgoing > summary"))
        browser.until(lambda: details.find_element("css selector", ".outgoing pre").text,
                      "the content to send is not shown")
        assert browser.overflow() <= 0
    browser.script("scrollTo(0, 0)")
    browser.picture(f"phone-diagnostics-{'dark' if dark else 'light'}")
    browser.script("arguments[0].scrollIntoView()", browser.all("#reports > li")[1])
    browser.picture(f"phone-diagnostics-crash-{'dark' if dark else 'light'}")


def test_hostile_text_in_a_report_stays_text(browser, program):
    hostile = recorded.HOSTILE
    frame = {"address": 1, "kind": "call", "function": hostile, "file": hostile, "line": 1, "image": hostile,
             "isSystem": False, "isInlined": False}
    report = recorded.crash(
        frames=[frame, {**frame, "isSystem": True}], values={hostile: hostile}, context={hostile: hostile},
        errors=[{"domain": hostile, "code": hostile, "message": hostile, "location": hostile}], user=hostile,
        machine={"system": hostile, "kernel": hostile, "architecture": hostile})
    report["crash"] |= {"reason": hostile, "text": hostile, "threadName": hostile, "signal": hostile}
    report["breadcrumbs"][0] |= {"text": hostile, "location": hostile}
    recorded.put(program.data, report)
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    details = opened(browser, "onerror")
    assert details.text.count("onerror") > 10
    assert browser.all("#reports img, #reports script") == []
    assert browser.driver.title == "Diagnostics · Offline"
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


def test_a_test_report_is_recorded_and_all_are_deleted(browser, program, library):
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#reports", "404")
    browser.click("#test-report")
    browser.until_text("#reports", "A test report: nothing has failed.")
    assert len(server.call("GET", "/api/reports")["reports"]) == 3
    browser.click("#clear-reports")
    browser.until_text("#ask", "Delete all reports?")
    browser.click("#ask-buttons button", "Delete")
    browser.until_shown("#reports-none")
    assert server.call("GET", "/api/reports")["reports"] == []
    assert not any("basket" in text for text in recorded.stored(library).values())


@pytest.mark.parametrize("served", [False, True])
def test_the_terminal_shows_the_same_reports(program, library, served):
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
                 "2 calls in system code", "video_count  12", "offline reports show"]:
        assert part in shown.out, (part, shown.out)
    whole = json.loads(program.run("reports", "show", found[0]["id"], "--json").out)
    assert whole["errors"][1]["location"] == "A.swift:1"
    assert program.run("reports", "show", "zz").code == 1
    assert program.run("reports", "delete").code == 2
    assert program.run("reports", "delete", found[0]["id"][:8]).code == 0
    assert [each["kind"] for each in json.loads(program.run("reports", "--json").out)["reports"]] == ["crash"]
    refused = program.run("reports", "send")
    assert refused.code == 1 and "No destination for reports is set" in refused.err
    assert program.run("reports", "consent", "given").code == 1
    assert program.run("reports", "delete", "--all").code == 0
    assert json.loads(program.run("reports", "--json").out)["reports"] == []


def crash(program, *way):
    """Runs `offline diagnostics crash` and returns the result."""
    result = program.run("diagnostics", "crash", *way, "--yes")
    assert result.code < 0, result
    return result


@contextlib.contextmanager
def sentry(status=200):
    """A server that receives envelopes and answers with a `status` that the test may change."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            server.received.append(body.decode())
            self.send_response(server.status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.received, server.status = [], status
    server.dsn = f"http://0a1b2c@127.0.0.1:{server.server_port}/7"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def events(server):
    """Returns the received events without repetitions, in the order of the first arrival."""
    found = {}
    for body in server.received:
        lines = body.split("\n")
        for head, item in zip(lines[1::2], lines[2::2]):
            if json.loads(head)["type"] == "event":
                event = json.loads(item)
                found.setdefault(event["event_id"], event)
    return list(found.values())


def test_a_crash_is_shown_at_the_next_start(browser, program):
    ended = crash(program)
    assert "intentional" in ended.err, "the text does not reach the terminal"
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#last-crash", "Offline crashed the last time it ran.")
    browser.until_text("#last-crash", "This crash is intentional: it tests the crash reports")
    browser.until_text("#last-crash", "in static CrashWay.triggerFatalError() at CrashWay.swift:31")
    browser.picture("diagnostics-last-crash")
    browser.click("#last-crash-show")
    details = browser.find("#reports > li[data-kind=crash] details")
    browser.until(lambda: "Content to send" in details.text, "the report did not load")
    for part in ["triggerFatalError", "CrashWay.swift:31", "CrashRehearsed step 1 of 3", "CrashRehearsed step 3 of 3",
                 "Fatal error: This crash is intentional", "offline@1.0.0"]:
        assert part in details.text, (part, details.text)
    browser.picture("diagnostics-own-crash")
    browser.expected = SERVER_GONE
    server.process.send_signal(signal.SIGTERM)
    stopped = finish(server.process)
    assert stopped.code == 0
    assert "offline crashed the last time it ran: Fatal error: This crash is intentional" in stopped.err
    # The last run ended cleanly, so the next run shows no crash. The report remains.
    server.start()
    overview = server.call("GET", "/api/reports")
    assert overview["previousRun"] == {"end": "clean"}
    assert [report["kind"] for report in overview["reports"]] == ["crash"]


# In an optimized program, some of these crashes are traps without a message of the runtime.
WAYS = [("bad-pointer", "SIGSEGV in", "write(to:)"), ("abort", "SIGABRT", "crash()"),
        ("nil", "Unexpectedly found nil", "unwrap(_:)"),
        ("range", "", "read(at:of:)"), ("overflow", "overflow", "add(_:)"),
        ("stack", "SIGSEGV in", "recurse(_:)")]


@pytest.mark.parametrize("way, message, function", WAYS, ids=[way for way, _, _ in WAYS])
def test_each_way_to_crash_names_the_function(program, way, message, function):
    crash(program, way)
    listing = program.run("list")
    assert "offline crashed the last time it ran" in listing.err
    reports = json.loads(program.run("reports", "--json").out)["reports"]
    assert len(reports) == 1
    assert message in reports[0]["message"], reports
    shown = program.run("reports", "show", reports[0]["id"][:8]).out
    assert function in shown
    assert "CrashRehearsed step 3 of 3" in shown


def test_a_crashed_server_leaves_its_messages_and_counts(program, origin, samples, tmp_path):
    origin.serve({"/film.mp4": {"file": str(samples.film)},
                  f"/{CANARY}.bin": {"file": str(samples.file), "gate": "never"}})
    server = Server(program, "--allow-private")
    server.download(origin.url("/film.mp4"))
    server.wait_for_items(lambda items: items.get(1, {}).get("state") == "ready")
    # An item is ready before `DownloadCompleted` is posted.
    server.wait_until(lambda: server.call("GET", "/api/queue")["running"] == [])
    server.download(origin.url(f"/{CANARY}.bin?token={CANARY}"))
    # The request follows `DownloadQueued`.
    origin.wait_at_gate("never")
    server.process.send_signal(signal.SIGSEGV)
    server.process.wait(120)
    ids = [report["id"] for report in json.loads(program.run("reports", "--json").out)["reports"]]
    assert len(ids) == 1
    report = json.loads(program.run("reports", "show", ids[0], "--json").out)
    assert report["crash"]["signal"] == "SIGSEGV"
    assert report["crash"]["sender"] == os.getpid()
    assert report["values"] == {"download_queue_size": 1, "video_count": 1}
    texts = [crumb["text"] for crumb in report["breadcrumbs"]]
    assert "DownloadCompleted item 1" in texts and "DownloadQueued item 2" in texts, texts
    for path, text in recorded.stored(program.data).items():
        assert CANARY not in text, path
        assert server.token not in text, path
        assert str(program.home) not in text, path


def test_no_secret_of_a_failure_is_stored_shown_or_sent(browser, program, origin):
    path = "/v/a.m3u8"
    # A wait of this length is an immediate failure.
    origin.serve({path: {"status": 500, "text": CANARY, "headers": {"Retry-After": "20000"}}})
    with sentry() as server_of_reports:
        server = Server(program, "--allow-private", "--sentry", server_of_reports.dsn)
        address = origin.url(f"{path}?sig={CANARY}&Policy={CANARY}#t={CANARY}")
        server.download(address)
        server.wait_for_items(lambda items: items.get(1, {}).get("state") == "failed")
        browser.open(server.address)
        browser.section("diagnostics")
        # The question appears above the reports and would move the reports away from a click.
        browser.until_shown("#permission")
        details = opened(browser, "500")
        assert origin.url(path) in details.text
        assert CANARY not in browser.script("return document.querySelector('#diagnostics-section').innerHTML")
        reports = server.call("GET", "/api/reports")["reports"]
        for path, text in recorded.stored(program.data).items():
            assert CANARY not in text and server.token not in text and str(program.home) not in text, path
        assert CANARY not in program.run("reports", "show", reports[0]["id"]).out
        server.call("POST", "/api/reports/consent", {"consent": "given"})
        server.call("POST", "/api/reports/send", {})
        # The response comes within five seconds, even before the report is sent.
        server.wait_until(lambda: server.call("GET", "/api/reports")["reports"] == [])
        assert len(events(server_of_reports)) == 1
        assert not any(CANARY in body or server.token in body for body in server_of_reports.received)


def test_reports_are_sent_only_after_consent(browser, program):
    crash(program)
    with sentry() as server_of_reports:
        server = Server(program, "--sentry", server_of_reports.dsn)
        browser.open(server.address)
        browser.section("diagnostics")
        browser.until_text("#consent-ask", f"127.0.0.1:{server_of_reports.server_port}/7")
        browser.until_text("#consent-ask", "Nothing is sent until you decide.")
        assert "0a1b2c" not in browser.find("#diagnostics-section").text
        browser.picture("diagnostics-consent")
        refused, _, answer = server.request("POST", "/api/reports/send", {})
        assert refused == 409 and b"requires your consent" in answer
        assert server_of_reports.received == []
        browser.click("#consent-refuse")
        browser.until_text("#consent-where", "Nothing is sent.")
        assert server_of_reports.received == []
        browser.click("#consent")
        browser.until_text("#consent-where", "Reports are sent to")
        browser.until_shown("#reports-none")
        browser.picture("diagnostics-sent")
        event, = events(server_of_reports)
        exception = event["exception"]["values"][0]
        assert "This crash is intentional" in exception["value"]
        frames = [frame.get("function", "") for frame in exception["stacktrace"]["frames"]]
        assert any("triggerFatalError" in function for function in frames), frames
        assert "CrashRehearsed step 3 of 3" in json.dumps(event["breadcrumbs"])
        # The sent report is gone, but the page still shows that there was a crash.
        browser.until_text("#last-crash", "Offline crashed the last time it ran.")
        assert not browser.find("#last-crash-show").is_displayed()
        browser.click("#test-report")
        browser.until(lambda: len(events(server_of_reports)) == 2, "the test report did not arrive")
        server.wait_until(lambda: server.call("GET", "/api/reports")["reports"] == [])
        browser.until_shown("#reports-none")
        # Each decision is stored beyond the run of the server.
        browser.expected = SERVER_GONE
        server.kill()
        server.start()
        assert server.call("GET", "/api/reports")["consent"] == "given"
        assert program.run("reports", "consent", "revoked").code == 0
        assert server.call("GET", "/api/reports")["consent"] == "revoked"


def test_an_unsent_report_waits_and_is_sent_on_request(browser, program):
    with sentry(status=503) as server_of_reports:
        server = Server(program, "--sentry", server_of_reports.dsn)
        server.call("POST", "/api/reports/consent", {"consent": "given"})
        server.call("POST", "/api/reports/test", {})
        browser.open(server.address)
        browser.section("diagnostics")
        browser.until_text("#reports", "A test report")
        browser.until(lambda: server_of_reports.received, "nothing was tried")
        browser.click("#send-reports")
        browser.until_text("#announcer", "did not accept all reports")
        browser.until_text("#sending-failure", "503")
        browser.until_text("#sending-failure", "The next one starts by itself")
        browser.picture("diagnostics-not-sent")
        listing = program.run("reports").out
        assert "The last attempt failed" in listing and "503" in listing and "0a1b2c" not in listing, listing
        server_of_reports.status = 200
        # A script clicks, because the next attempt may send the report first and hide the button.
        browser.script("document.querySelector('#send-reports').click()")
        browser.until_shown("#reports-none")
        assert not browser.find("#sending-failure").is_displayed()
        assert len(events(server_of_reports)) == 1


def test_one_report_is_deleted_and_the_focus_stays(browser, program, library):
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    details = opened(browser, "404")
    press(browser, next(button for button in details.find_elements("tag name", "button")
                        if button.text == "Delete this report"))
    browser.until(lambda: len(browser.all("#reports > li")) == 1, "it was not deleted")
    assert browser.script("return document.activeElement.matches('#reports summary')")
    assert [report["kind"] for report in server.call("GET", "/api/reports")["reports"]] == ["crash"]


@pytest.mark.parametrize("mode, title", [("off", "Reports are not recorded."),
                                        ("errors", "Errors are recorded, crashes are not.")])
def test_the_page_shows_what_is_not_recorded(browser, program, mode, title):
    program.added["OFFLINE_DIAGNOSTICS"] = mode
    refused = program.run("diagnostics", "crash", "--yes")
    assert refused.code == 1 and "OFFLINE_DIAGNOSTICS" in refused.err
    server = Server(program)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#reports-problems", title)
    browser.until_text("#reports-problems", "OFFLINE_DIAGNOSTICS")
    browser.picture(f"diagnostics-{mode}")
    made = server.request("POST", "/api/reports/test", {})[0]
    assert made == (409 if mode == "off" else 201)


def test_an_intentional_crash_needs_a_confirmation(program):
    refused = program.run("diagnostics", "crash")
    assert refused.code == 1 and "--yes" in refused.err
    assert program.run("diagnostics", "crash", "softly", "--yes").code == 2
    assert program.run("diagnostics").code == 2


def test_an_invalid_dsn_is_refused_at_once(program):
    for options in (["--sentry", "https://example.org/7"], ["--sentry="]):
        refused = program.run("serve", "--no-browser", *options)
        assert refused.code == 2, refused
        assert "The DSN" in refused.err
    program.added["OFFLINE_SENTRY_DSN"] = "nonsense"
    assert program.run("list").code == 2


def test_two_killed_servers_in_a_row_leave_their_reports(program, origin):
    origin.serve({"/a": {"status": 500, "text": "", "headers": {"Retry-After": "20000"}}})
    for number in (1, 2):
        server = Server(program, "--allow-private")
        server.download(origin.url(f"/a?{number}"), again=True)
        server.wait_until(lambda: len(server.call("GET", "/api/reports")["reports"]) == 2 * number - 1)
        server.kill()
    found = json.loads(program.run("reports", "--json").out)
    # A killed server also leaves a report of the kill.
    kinds = [report["kind"] for report in found["reports"]]
    assert sorted(kinds) == ["download"] * 2 + ["fatal"] * 2
    message = found["reports"][kinds.index("fatal")]["message"]
    assert "killed (SIGKILL)" in message
    assert found["previousRun"] == {"end": "endedWithoutNotice"}


def test_reading_creates_no_library(program):
    listed = program.run("reports")
    assert listed.code == 1 and "There is no library" in listed.err
    assert program.run("list").code == 1
    assert not program.library.exists()
