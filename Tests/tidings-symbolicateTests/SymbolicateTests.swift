// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import Foundation
import Testing

@testable import TidingsDiagnostics
@testable import tidings_symbolicate

/// Reports of two programs.
///
/// One is this program, as if delivered without symbols, and the second is another program.
@Suite(.timeLimit(.minutes(15)))
struct SymbolicateTests {
    private let binary: String
    private let own: Report
    private let other: Report

    init() throws {
        let frames = CallStack().frames()
        let list = LoadedImages.ofThisProcess()
        let here = try #require(frames.first.flatMap { list.image(at: $0.address) })
        binary = here.path
        var report = Report(application: "films", release: "films@1")
        report.frames = frames.map { ReportedFrame(at: $0.address, .call) }
        report.images = [
            ReportedImage(
                path: "/opt/films",
                buildID: here.buildID,
                start: here.start,
                end: here.end
            )
        ]
        own = report
        report.images[0].buildID = "00"
        other = report
    }

    private func printed(
        _ reports: [Report],
        _ binaries: [String],
        asJSON: Bool = false
    ) -> (texts: [String], notes: [String], isSymbolicated: Bool) {
        var texts: [String] = []
        var notes: [String] = []
        let isSymbolicated = Symbolicate.printAll(
            reports,
            with: Symbols(binaries: binaries, folders: []),
            asJSON: asJSON,
            output: { texts.append($0) },
            note: { notes.append($0) }
        )
        return (texts, notes, isSymbolicated)
    }

    @Test func aReportOfAnotherBuildHidesNoLaterOne() throws {
        let (texts, notes, isSymbolicated) = printed([other, own], [binary])
        try #require(texts.count == 2 && isSymbolicated)
        #expect(texts[0] == other.frameLines.joined(separator: "\n"))
        #expect(texts[1].contains("SymbolicateTests.swift:"))
        #expect(notes.count == 1 && notes[0].contains("another build"))
        let json = printed([other, own], [binary], asJSON: true).texts
        try #require(json.count == 2)
        #expect(Report(encoded: Data(json[0].utf8))?.frames == other.frames)
        #expect(json[1].contains("SymbolicateTests.swift"))
    }

    @Test func eachReportNeedsOnlyOneOfTheBinaries() {
        let (texts, notes, isSymbolicated) = printed([own], ["/nowhere", binary, "/bin/sh"])
        #expect(isSymbolicated && notes.count == 2)
        #expect(texts.first?.contains("SymbolicateTests.swift:") == true)
    }

    @Test func aNoteControlsNoTerminal() throws {
        var report = other
        report.images[0].path = "/opt/\u{1B}[2J\nfilms"
        let notes = printed([report], [binary]).notes
        #expect(notes.count == 1 && notes[0].contains("/opt/\u{FFFD}[2J films 00"))
    }

    @Test func noReportOfTheBuildIsAFailure() {
        let (texts, notes, isSymbolicated) = printed([other, other], [binary])
        #expect(!isSymbolicated && texts.count == 2 && notes.count == 2)
    }
}
#endif
