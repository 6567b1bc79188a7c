// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics

@testable import OfflineLibrary

@Suite(.timeLimit(.minutes(5)))
struct ReportRepresentationTests {
    private static let swiftFrame =
        #"{"address":1,"kind":"counter","function":"_assertionFailure","isInlined":false,"isSystem":true}"#
    private static let guess =
        #"{"address":2,"kind":"scanned","function":"old()","isInlined":false,"isSystem":false}"#
    private static let own = """
        {"address":18446744073709551615,"kind":"call","function":"take(_:)","file":"/src/Basket.swift",\
        "line":31,"image":"offline","isInlined":true,"isSystem":false}
        """

    /// A report of a crash at second 1,000 of the reference date.
    private func report(
        reason: String? = nil,
        frames: [String] = [swiftFrame, guess, own]
    ) throws -> Report {
        let quoted = reason.map { "\"reason\":\"\($0)\"," } ?? ""
        let text = """
            {"id":"a","date":1000,"level":"fatal","application":"offline","release":"offline@1",
            "errors":[],"context":{"error_type":"x","n":2},"values":{"video_count":7},
            "breadcrumbs":[{"date":998.75,"origin":"message","text":"Queued","location":"A.swift:1"}],
            "frames":[\(frames.joined(separator: ","))],
            "crash":{\(quoted)"signal":"SIGSEGV","number":11,"code":1,"address":18446744073709551615,
            "thread":5,"registers":{"rip":1},"isTruncated":false,"isRecovered":false,
            "text":"Fatal error"}}
            """
        return try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    }

    @Test func aCrashIsListedByItsReasonAndTheProgramsOwnFunction() throws {
        let summary = ReportSummary(try report(reason: "Fatal error: empty"))
        #expect(summary.isCrash)
        #expect(summary.kind == "crash")
        #expect(summary.level == "fatal")
        #expect(summary.message == "Fatal error: empty")
        #expect(summary.place == "take(_:) at Basket.swift:31")
    }

    @Test func aCrashWithoutAReasonIsListedByItsSignalAndFunction() throws {
        #expect(ReportSummary(try report()).message == "SIGSEGV in take(_:)")
        #expect(ReportSummary(try report(frames: [])).message == "SIGSEGV")
        #expect(ReportSummary(try report(frames: [])).place == nil)
    }

    @Test func aFunctionOfTheRuntimeInTheProgramIsNotTheOneThatFailed() throws {
        let linked = Self.swiftFrame.replacing("\"isSystem\":true", with: "\"isSystem\":false")
        let summary = ReportSummary(try report(frames: [linked, Self.own]))
        #expect(summary.place == "take(_:) at Basket.swift:31")
    }

    @Test func whatCarriesAFailureToAReportIsNotWhereItHappened() throws {
        let carriers = [
            "/src/OfflineLibrary/Telling/LibraryReports.swift", "/x/Tidings/Post.swift",
        ]
        .map { Self.own.replacing("/src/Basket.swift", with: $0) }
        let summary = ReportSummary(try report(frames: carriers + [Self.own]))
        #expect(summary.place == "take(_:) at Basket.swift:31")
        #expect(ReportSummary(try report(frames: carriers)).place == nil)
    }

    @Test func aGuessedFunctionIsNamedOnlyWhereNoOtherIsKnown() throws {
        #expect(ReportSummary(try report(frames: [Self.guess])).place == "old()")
        #expect(ReportSummary(try report(frames: [Self.swiftFrame])).place == nil)
    }

    @Test func allOfItIsShownWithNumbersThatJavaScriptCanHold() throws {
        let shown = ReportRepresentation(try report(), outgoing: "{}")
        #expect(shown.breadcrumbs.map(\.secondsBefore) == [1.25])
        #expect(shown.breadcrumbs.first?.location == "A.swift:1")
        #expect(shown.context == ["n": 2])
        #expect(shown.values == ["video_count": 7])
        #expect(shown.frames.map(\.isSystem) == [true, false, false])
        #expect(shown.frames.map(\.isScanned) == [false, true, false])
        #expect(shown.frames.map(\.isInlined) == [false, false, true])
        #expect(shown.frames.last?.address == "0xffffffffffffffff")
        #expect(shown.crash?.address == "0xffffffffffffffff")
        #expect(shown.crash?.text == "Fatal error")
        let read = try JSONFormat.decode(
            ReportRepresentation.self,
            from: try JSONFormat.encode(shown)
        )
        // Dates are whole seconds in the API.
        #expect(read.frames == shown.frames)
        #expect(read.crash == shown.crash)
        #expect(read.summary == shown.summary)
    }
}
