// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics

@testable import OfflineAPI
@testable import OfflineModel

@Suite(.timeLimit(.minutes(15)))
struct ReportRepresentationTests {
    private static let runtime = """
        {"address":1,"kind":"counter","function":"_assertionFailure",\
        "isInlined":false,"isSystem":true}
        """
    private static let scanned =
        #"{"address":2,"kind":"scanned","function":"old()","isInlined":false,"isSystem":false}"#
    private static let own = """
        {"address":18446744073709551615,"kind":"call","function":"take(_:)",\
        "file":"/src/Basket.swift","line":31,"image":"offline","isInlined":true,"isSystem":false}
        """

    /// Returns the report of a crash, 1,000 seconds after the reference date.
    private func report(
        reason: String? = nil,
        frames: [String] = [runtime, scanned, own]
    ) throws -> Report {
        let quoted = reason.map { "\"reason\":\"\($0)\"," } ?? ""
        let text = """
            {"id":"a","date":1000,"level":"fatal","application":"offline","release":"offline@1",
            "errors":[],"context":{"error_type":"x","n":2},"values":{"video_count":7},
            "breadcrumbs":[{"date":998.75,"origin":"message","text":"Queued",
            "location":"A.swift:1"}],"frames":[\(frames.joined(separator: ","))],
            "crash":{\(quoted)"signal":"SIGSEGV","number":11,"code":1,
            "address":18446744073709551615,"thread":5,"registers":{"rip":1},
            "isTruncated":false,"isRecovered":false,"text":"Fatal error"}}
            """
        return try JSONDecoder().decode(Report.self, from: Data(text.utf8))
    }

    @Test func theSummaryOfACrashHasItsReasonAndFunction() throws {
        let summary = ReportSummary(try report(reason: "Fatal error: empty"))
        #expect(summary.isCrash)
        #expect(summary.kind == "crash")
        #expect(summary.level == "fatal")
        #expect(summary.message == "Fatal error: empty")
        #expect(summary.place == "take(_:) at Basket.swift:31")
    }

    @Test func theSummaryOfACrashWithoutAReasonHasItsSignal() throws {
        #expect(ReportSummary(try report()).message == "SIGSEGV in take(_:)")
        #expect(ReportSummary(try report(frames: [])).message == "SIGSEGV")
        #expect(ReportSummary(try report(frames: [])).place == nil)
    }

    @Test func aLinkedFunctionOfTheRuntimeIsNotThePlace() throws {
        let linked = Self.runtime.replacing("\"isSystem\":true", with: "\"isSystem\":false")
        let summary = ReportSummary(try report(frames: [linked, Self.own]))
        #expect(summary.place == "take(_:) at Basket.swift:31")
    }

    @Test func aFunctionThatRecordsReportsIsNotThePlace() throws {
        let recorders = ["/src/OfflineApp/Reports/LibraryReports.swift", "/x/Tidings/Post.swift"]
            .map { Self.own.replacing("/src/Basket.swift", with: $0) }
        let summary = ReportSummary(try report(frames: recorders + [Self.own]))
        #expect(summary.place == "take(_:) at Basket.swift:31")
        #expect(ReportSummary(try report(frames: recorders)).place == nil)
    }

    @Test func aScannedFunctionIsThePlaceOnlyWithoutAnother() throws {
        #expect(ReportSummary(try report(frames: [Self.scanned])).place == "old()")
        #expect(ReportSummary(try report(frames: [Self.runtime])).place == nil)
    }

    @Test func aGapInTheStackIsNotThePlace() throws {
        let gap = Self.scanned.replacing("2,\"kind\":\"scanned\"", with: "0,\"kind\":\"call\"")
        #expect(ReportSummary(try report(frames: [gap])).place == nil)
        #expect(ReportSummary(try report(frames: [gap, Self.scanned])).place == "old()")
    }

    @Test func theRepresentationContainsNoNumberBeyondJavaScript() throws {
        let representation = ReportRepresentation(try report(), outgoing: "{}")
        #expect(representation.breadcrumbs.map(\.secondsBefore) == [1.25])
        #expect(representation.breadcrumbs.first?.location == "A.swift:1")
        #expect(representation.context == ["n": 2])
        #expect(representation.values == ["video_count": 7])
        #expect(representation.frames.map(\.isSystem) == [true, false, false])
        #expect(representation.frames.map(\.isScanned) == [false, true, false])
        #expect(representation.frames.map(\.isInlined) == [false, false, true])
        #expect(representation.frames.last?.address == "0xffffffffffffffff")
        #expect(representation.crash?.address == "0xffffffffffffffff")
        #expect(representation.crash?.text == "Fatal error")
        let read = try JSONFormat.decode(
            ReportRepresentation.self,
            from: try JSONFormat.encode(representation)
        )
        // Dates are whole seconds in the API.
        #expect(read.frames == representation.frames)
        #expect(read.crash == representation.crash)
        #expect(read.summary == representation.summary)
    }
}
