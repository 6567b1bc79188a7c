// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineModel
import Testing
import TidingsDiagnostics

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct ReportTextTests {
    private func report(
        _ message: String = "Fatal error: empty",
        word: (String) -> String = { $0 }
    ) throws -> ReportRepresentation {
        var text = """
            {"summary":{"id":"0a1b2c3d-4","date":"2026-03-03T14:05:02Z","kind":"crash",
            "level":"fatal",
            "message":\(String(decoding: try JSONEncoder().encode(message), as: UTF8.self)),
            "place":"take(_:) at Basket.swift:31"},
            "application":"offline","release":"offline@1","errors":[],"context":{"n":2},
            "values":{"video_count":7},"breadcrumbs":[{"date":"2026-03-03T14:05:00Z",
            "secondsBefore":1.25,"origin":"message","text":"Queued item 3",
            "location":"A.swift:1"}],
            "frames":[
            {"address":"0x1","function":"_trap","isSystem":true,"isInlined":false,
            "isScanned":false},
            {"address":"0x2","function":"_fail","isSystem":true,"isInlined":false,
            "isScanned":false},
            {"address":"0x3","function":"take(_:)","file":"/src/Basket.swift","line":31,
            "isSystem":false,"isInlined":true,"isScanned":false},
            {"address":"0x4","image":"/usr/bin/offline","isSystem":false,"isInlined":false,
            "isScanned":true}],
            "threads":[{"number":6,"name":"worker","frames":[
            {"address":"0x5","function":"futex_wait","isSystem":true,"isInlined":false,
            "isScanned":false},
            {"address":"0x6","function":"wait(for:)","isSystem":false,"isInlined":false,
            "isScanned":false}]},
            {"number":7,"frames":[{"address":"0x7","isSystem":false,"isInlined":false,
            "isScanned":false}]}],
            "crash":{"signal":"SIGILL","thread":5,"threadName":"offline",
            "text":"a\\nb","isTruncated":false,"isRecovered":false},
            "machine":{"system":"Debian","kernel":"6.1","architecture":"x86_64"},"outgoing":"{\\n}"}
            """
        for known in ["0a1b2c3d-4", "\"crash\",", "SIGILL", "\"0x1\"", "\"worker\"", "futex_wait"] {
            text = text.replacing(known, with: word(known))
        }
        return try JSONFormat.decode(ReportRepresentation.self, from: Data(text.utf8))
    }

    @Test func theWholeReportIsPrinted() throws {
        let text = ReportText.whole(try report())
        for line in [
            "Fatal error: empty", "in take(_:) at Basket.swift:31", "SIGILL on thread 5 “offline”",
            "offline@1, Debian, 6.1, x86_64", "Calls, innermost first",
            "       2 calls in system code", "    2  take(_:)  at Basket.swift:31  (inlined)",
            "    3  0x4  in offline  (possibly from an earlier call)", "Other threads",
            "  6 “worker”  wait(for:)", "  7  unknown", "Events before the report",
            "     -1.250 s  Queued item 3  (A.swift:1)", "Context", "  n  2", "Keys",
            "  video_count  7", "Standard error", "  b",
            "The whole content to send: offline reports show 0a1b2c3d --json",
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line) in \(text)")
        }
        #expect(!text.contains("_trap") && !text.contains("{"))
    }

    @Test func theListShowsTheErrorAndItsPlace() throws {
        let summary = try report().summary
        let overview = try overview([summary])
        // The day depends on the time zone of the machine.
        let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
            .format(summary.date)
        let lines = ReportText.list(overview).split(separator: "\n")
        #expect(lines.first?.hasPrefix("0a1b2c3d  crash  \(day) ") == true)
        #expect(lines.first?.hasSuffix("  Fatal error: empty") == true)
        #expect(lines.dropFirst().first == "  in take(_:) at Basket.swift:31")
        #expect(lines.last?.contains("stay on this machine") == true)
        #expect(ReportText.list(try self.overview([])).hasPrefix("There are no reports."))
    }

    @Test func aRecursionIsOneLine() {
        let frame = ReportRepresentation.Frame(
            address: "0x1",
            function: "dig()",
            file: "A.swift",
            line: 3,
            image: nil,
            isSystem: false,
            isInlined: false,
            isScanned: false
        )
        let lines = ReportFrames.lines([frame, frame, frame])
        #expect(lines == ["    0  dig()  at A.swift:3  and 2 more like it"])
    }

    @Test func theConsentAndTheDestinationAreShown() throws {
        var overview = try overview([])
        overview.destination = "https://errors.example/7"
        #expect(ReportText.sending(overview).contains("until you decide"))
        overview.consent = "given"
        #expect(ReportText.sending(overview).contains("sent to https://errors.example/7"))
        overview.consent = "revoked"
        #expect(ReportText.sending(overview).contains("Reports are not sent"))
    }

    @Test func theCrashOfTheLastRunIsShown() throws {
        let text = ReportText.crash(try report().summary)
        #expect(text.contains("Fatal error: empty, in take(_:) at Basket.swift:31."))
        #expect(text.hasSuffix("offline reports show 0a1b2c3d"))
        #expect(ReportText.crash(nil) == "offline crashed the last time it ran.")
    }

    @Test func controlCharactersOfAReportDoNotReachTheTerminal() throws {
        let hostile = try report("\u{1B}]0;x\u{07}a\u{202E}b\nc") { word in
            let bare = word.filter { !"\",".contains($0) }
            return word.replacing(bare, with: "\\u001b]0;\\u0007\(bare)\\u202e")
        }
        #expect(hostile.crash?.signal.contains("\u{1B}") == true)
        #expect(hostile.summary.id.contains("\u{1B}") && hostile.summary.kind.contains("\u{1B}"))
        #expect(!ReportText.crash(hostile.summary).contains("\u{1B}"))
        #expect(
            !ReportText.whole(hostile).unicodeScalars.contains {
                "\u{1B}\u{07}\u{202E}".unicodeScalars.contains($0)
            }
        )
        let list = ReportText.list(try overview([hostile.summary]))
        #expect(list.split(separator: "\n").count == 3)
        #expect(!list.contains("\u{1B}"))
    }

    @Test func theSendingFailureIsOneLineForAnyServerMessage() throws {
        var overview = try overview([])
        overview.destination = "https://reports.example/1"
        overview.consent = "given"
        overview.sendingFailure = SendingFailure(
            date: .distantPast,
            message: "No answer.\n\u{1B}[31mred",
            retry: .distantFuture
        )
        let line = try #require(ReportText.list(overview).split(separator: "\n").last)
        #expect(line.hasPrefix("The last attempt failed") && line.contains("No answer."))
        #expect(line.contains("red") && line.contains("not before") && !line.contains("\u{1B}"))
        overview.sendingFailure?.retry = nil
        #expect(ReportText.list(overview).contains("A report was refused and deleted"))
    }

    @Test func aRefusedReportIsNotShownAsSent() throws {
        var overview = try overview([])
        let begin = Date()
        #expect(ReportText.sent(overview, since: begin) == "Sent.")
        overview.sendingFailure = SendingFailure(
            date: begin,
            message: "Too large.",
            retry: nil
        )
        let text = ReportText.sent(overview, since: begin)
        #expect(text.hasPrefix("A report was refused and deleted"))
        // A report that was refused earlier is not shown again.
        #expect(ReportText.sent(overview, since: begin.addingTimeInterval(60)) == "Sent.")
    }

    @Test func aUniqueBeginningOfAnIdentifierIsEnough() throws {
        let overview = try overview([report().summary])
        #expect(ReportsCommand.match("0A1B", in: overview) == "0a1b2c3d-4")
        #expect(ReportsCommand.match("1", in: overview) == nil)
        let two = try self.overview([report().summary, report().summary])
        #expect(ReportsCommand.match("0a", in: two) == nil)
    }

    private func overview(_ reports: [ReportSummary]) throws -> ReportsOverview {
        ReportsOverview(
            reports: reports,
            consent: "unknown",
            destination: nil,
            isRecording: true,
            catchesCrashes: true,
            problems: [],
            previousRun: .init(end: "unknown", report: nil)
        )
    }
}
