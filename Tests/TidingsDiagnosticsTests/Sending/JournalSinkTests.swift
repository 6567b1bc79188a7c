// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct JournalSinkTests {
    private let journal: JournalFixture
    private let sink: JournalSink

    init() throws {
        journal = try JournalFixture()
        sink = JournalSink(path: journal.path)
    }

    @Test func aCrashIsAnEntryWithItsPlaceAndTheWholeReport() async throws {
        var report = Report.sample(1, isCrash: true)
        report.frames = [
            ReportedFrame(address: 1, kind: .counter, function: "trap", isSystem: true),
            ReportedFrame(address: 2, kind: .call, function: "take(_:)", file: "/a.swift", line: 7),
        ]
        #expect(await sink.send(ReportDelivery(report: report)) == .accepted)
        let entry = try journal.next()
        #expect(entry["MESSAGE"] == "SIGILL in take(_:)" && entry["PRIORITY"] == "2")
        #expect(entry["SYSLOG_IDENTIFIER"] == "a" && entry["TIDINGS_RELEASE"] == "a@1")
        #expect(entry["CODE_FILE"] == "/a.swift" && entry["CODE_LINE"] == "7")
        #expect(entry["CODE_FUNC"] == "take(_:)")
        #expect(entry["TIDINGS_STACK"] == "trap\ntake(_:) /a.swift:7")
        #expect(entry["MESSAGE_ID"] == JournalEntry.messageID && entry.seals == nil)
        let whole = try #require(entry["TIDINGS_REPORT"])
        #expect(try ReportFormat.decode(Data(whole.utf8)) == report)
        #expect(entry["TIDINGS_REPORT_ID"] == report.id)
    }

    @Test func anErrorIsAnEntryWithTheLineThatCreatedIt() async throws {
        var report = Report.sample(1, message: "no film")
        report.level = .warning
        report.errors[0].location = "Films/A.swift:12"
        #expect(await sink.send(ReportDelivery(report: report)) == .accepted)
        let entry = try journal.next()
        #expect(entry["MESSAGE"] == "no film" && entry["PRIORITY"] == "4")
        #expect(entry["CODE_FILE"] == "Films/A.swift" && entry["CODE_LINE"] == "12")
    }

    @Test func aLineBreakInAMessageForgesNoField() async throws {
        let message = "no film\nPRIORITY=0\nCODE_FUNC=forged"
        #expect(await sink.send(ReportDelivery(report: .sample(1, message: message))) == .accepted)
        let entry = try journal.next()
        #expect(entry["MESSAGE"] == message && entry["PRIORITY"] == "3")
        #expect(entry["CODE_FUNC"] == nil)
    }

    @Test func anEntryThatNoDatagramHoldsIsASealedFile() async throws {
        var report = Report.sample(1)
        report.attachments["a.log"] = Data(repeating: 7, count: 600_000)
        #expect(await sink.send(ReportDelivery(report: report)) == .accepted)
        let entry = try journal.next()
        #expect(entry.seals == 0xF)
        let whole = try #require(entry["TIDINGS_REPORT"])
        #expect(try ReportFormat.decode(Data(whole.utf8)) == report)
    }

    @Test func aCommentIsAnEntryAndCountsAreNone() async throws {
        let delivery = ReportDelivery(sessions: [.sample("a", 1)], comments: ["id": "It was slow."])
        #expect(await sink.send(delivery) == .accepted)
        let entry = try journal.next()
        #expect(entry["MESSAGE"] == "It was slow." && entry["TIDINGS_REPORT_ID"] == "id")
        #expect(throws: (any Error).self) { try journal.next() }
    }

    @Test func commentsAreEntriesBeforeTheReport() async throws {
        let report = Report.sample(1, message: "no film")
        let comments = ["a": "It was slow.", "b": "Then it failed."]
        let receipt = await sink.send(ReportDelivery(report: report, comments: comments))
        #expect(receipt == .accepted)
        let messages = try (1...3).map { _ in try journal.next()["MESSAGE"] }
        #expect(messages == ["It was slow.", "Then it failed.", "no film"])
    }

    @Test func aFullJournalIsAskedAgainAndNotCalledMissing() async throws {
        let hasty = JournalSink(path: journal.path, within: .zero)
        var receipt = ReportReceipt.accepted
        while receipt == .accepted {
            receipt = await hasty.send(ReportDelivery(report: .sample(1)))
        }
        #expect(receipt.reason?.hasSuffix("Resource temporarily unavailable.") == true)
        let socket = try JournalSocket(path: journal.path, within: .seconds(200))
        var attempts = 0
        let sent = try socket.whenReady { () throws -> Int in
            attempts += 1
            guard attempts == 1 else { return 7 }
            // The entry is read before the wait, so that the wait ends.
            _ = try journal.next()
            errno = EAGAIN
            return -1
        }
        #expect(sent == 7 && attempts == 2)
    }

    @Test(
        arguments: [
            ("/nowhere/socket", "Check that systemd-journald is running."),
            ("/" + String(repeating: "a", count: 200), "Pass the path of the journal's socket."),
        ]
    )
    func withoutAJournalTheReportStaysInTheSpool(_ path: String, _ remedy: String) async {
        let receipt = await JournalSink(path: path).send(ReportDelivery(report: .sample(1)))
        #expect(receipt.reason?.hasSuffix(remedy) == true)
        guard case .failed = receipt.outcome else {
            Issue.record("\(receipt)")
            return
        }
    }
}
