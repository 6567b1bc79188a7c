# SPDX-License-Identifier: Apache-2.0
"""Sent reports in the store of a real Bugsink, which returns 200 even for some dropped reports."""

import pytest

from harness import reports, sentry
from harness.bugsink import Bugsink
from harness.server import Server


@pytest.fixture(scope="module")
def bugsink(tmp_path_factory):
    server = Bugsink(tmp_path_factory.mktemp("bugsink"))
    yield server
    server.close()


def send_all(bugsink, made):
    """Sends reports and returns the stored events in the same order."""
    receipts = sentry.send([{"report": report} for report in made], bugsink.dsn)
    assert {receipt["outcome"] for receipt in receipts} == {"accepted"}, receipts
    stored = bugsink.events()
    return [stored[report["id"].replace("-", "")] for report in made]


def test_a_crash_is_an_issue_named_by_the_function(bugsink):
    made = [reports.crash(0x1001), reports.crash(0x1002, reason="Fatal error: Index out of range"),
            reports.report(0x1003, **reports.stack())]
    signal, fatal, error = send_all(bugsink, made)
    assert signal["title"].startswith("load")
    assert fatal["title"] == "Fatal error: Index out of range"
    assert error["title"] == "Films.LoadError.notFound: There is no film."
    assert (signal["level"], error["level"]) == ("fatal", "error")
    assert (signal["release"], signal["environment"]) == ("films@1.4.0", "production")
    [value] = signal["data"]["exception"]["values"]
    assert value["stacktrace"]["frames"][-1]["lineno"] == 12
    assert [crumb["message"] for crumb in signal["data"]["breadcrumbs"]["values"]] == [
        "begun", "FilmOpened 7"]


def test_a_report_sent_twice_is_stored_once(bugsink):
    report = reports.crash(0x2001)
    send_all(bugsink, [report, reports.crash(0x2002)])
    count = len(bugsink.events())
    send_all(bugsink, [report, report])
    assert len(bugsink.events()) == count


def test_sessions_and_loss_counts_are_sent(bugsink):
    delivery = {
        "report": reports.crash(0x3001),
        "sessions": [reports.session(number, status="crashed") for number in range(101)],
        "losses": [{"reason": "spoolFull", "category": "error", "quantity": 3}],
    }
    [receipt] = sentry.send([delivery], bugsink.dsn)
    assert receipt["outcome"] == "accepted", receipt
    assert delivery["report"]["id"].replace("-", "") in bugsink.events()


def test_hostile_reports_are_stored(bugsink, rng):
    made = reports.hostile()[::11] + reports.random_reports(rng, 10)
    for number, report in enumerate(made):
        report["id"] = f"5e0f0000-0000-4000-8000-{0x4000 + number:012x}"
    send_all(bugsink, made)


def test_reports_with_one_grouping_are_one_issue(bugsink):
    made = [reports.report(0x5001 + number, grouping=["network"], errors=[
        {"domain": f"Films.Error{number}", "message": f"{number}"}]) for number in range(3)]
    made.append(reports.report(0x5004, errors=[{"domain": "Films.Error0", "message": "0"}]))
    issues = [event["issue"] for event in send_all(bugsink, made)]
    assert issues[0] == issues[1] == issues[2] != issues[3]


def test_a_wrong_key_or_project_loses_no_report(bugsink):
    key = bugsink.dsn.split("//")[1].split("@")[0]
    for dsn in (bugsink.dsn.replace(key, "0" * 32), bugsink.dsn[:-1] + "999"):
        [receipt] = sentry.send([{"report": reports.crash(0x6001)}], dsn)
        assert receipt["outcome"] == "failed" and "check the address (4" in receipt["reason"], receipt
        assert key not in receipt["reason"]
    assert f"5e0f000000004000800{0x6001:013x}" not in bugsink.events()


def test_a_crash_of_offline_is_shown_at_its_next_start_and_sent_after_consent(
        bugsink, browser, program):
    program.added["OFFLINE_DIAGNOSTICS"] = "on"
    assert program.run("diagnostics", "crash", "--yes").code < 0
    server = Server(program, "--sentry", bugsink.dsn)
    browser.open(server.address)
    browser.section("diagnostics")
    browser.until_text("#last-crash", "Offline crashed the last time it ran.")
    [known] = server.call("GET", "/api/reports")["reports"]
    report = server.call("GET", f"/api/reports/{known['id']}")
    text = "Fatal error: This crash is intentional"
    line = next(frame for frame in report["frames"] if "triggerFatalError" in frame.get("function", ""))
    steps = [crumb["text"] for crumb in report["breadcrumbs"] if "Rehearsed" in crumb["text"]]
    assert report["crash"]["reason"].startswith(text)
    assert line["file"].endswith("CrashWay.swift") and line["line"] > 0
    assert steps == [f"CrashRehearsed step {step} of 3 before fatal-error" for step in (1, 2, 3)]

    number = known["id"].replace("-", "").lower()
    assert number not in bugsink.events(), "it was sent without consent"
    browser.click("#consent-give")
    browser.until_shown("#reports-none")
    browser.picture("diagnostics-sent-to-bugsink")
    event = bugsink.events()[number]
    assert event["title"].startswith(text)
    assert (event["release"], event["level"]) == ("offline@1.0.0", "fatal")
    frames = event["data"]["exception"]["values"][0]["stacktrace"]["frames"]
    # In an event the outermost call comes first.
    stored = [frame for frame in frames if "triggerFatalError" in frame.get("function", "")][-1]
    assert (stored["function"], stored["lineno"]) == (line["function"], line["line"])
    assert [crumb["message"] for crumb in event["data"]["breadcrumbs"]["values"]
            if "Rehearsed" in crumb["message"]] == steps
