// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics

@testable import tidings_symbolicate

@Suite(.timeLimit(.minutes(15)))
struct FrameLinesTests {
    @Test func aCallIsALine() throws {
        let json = """
            {"id": "a", "date": "2026-01-01T00:00:00.000Z", "level": "fatal", "application": "a",
             "release": "a@1", "errors": [], "context": {}, "values": {}, "breadcrumbs": [],
             "frames": [
               {"address": 255, "kind": "counter", "function": "crash()", "file": "a.swift",
                "line": 3, "image": "a", "isInlined": true, "isSystem": false},
               {"address": 16, "kind": "call", "image": "a", "isInlined": false, "isSystem": false}
             ],
             "crash": {"signal": "SIGILL", "number": 4, "code": 2, "thread": 1, "registers": {},
                       "reason": "Fatal error: no film", "isTruncated": false,
                       "isRecovered": false},
             "threads": [{"number": 7, "name": "worker", "frames": [
               {"address": 17, "kind": "call", "function": "wait()", "isInlined": false,
                "isSystem": false}]}]}
            """
        let report = try #require(Report(encoded: Data(json.utf8)))
        #expect(
            report.frameLines == [
                "SIGILL: Fatal error: no film",
                "0xff crash() (inlined) in a  a.swift:3",
                "0x10 ? in a",
                "thread 7 worker",
                "0x11 wait()",
            ]
        )
    }

    @Test(arguments: [
        ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"), ("\u{9B}31m", "\u{FFFD}31m"),
        ("a\r\nb\tc\u{85}d\u{2028}e\u{2029}f", "a  b c d e f"), ("\u{0}\u{7F}", "\u{FFFD}\u{FFFD}"),
        ("\u{202E}cba\u{2066}\u{200B}", "\u{FFFD}cba\u{FFFD}\u{FFFD}"),
        ("Größe 映画 e\u{301}", "Größe 映画 e\u{301}"),
    ])
    func aTextControlsNoTerminal(_ text: String, _ expected: String) {
        var report = Report(application: "films", release: "films@1")
        report.errors = [ReportedError(domain: "Films", message: text)]
        var frame = ReportedFrame(at: 16, .call)
        (frame.function, frame.file, frame.image) = (text, text, text)
        report.frames = [frame]
        #expect(report.frameLines == [expected, "0x10 \(expected) in \(expected)  \(expected)"])
        report.crash = ReportedCrash(signal: text, numbered: 4, because: 2, on: 1)
        report.crash?.reason = text
        #expect(report.frameLines.first == "\(expected): \(expected)")
    }
}
