// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics

@testable import tidings_symbolicate

@Suite(.timeLimit(.minutes(5)))
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
                       "isRecovered": false}}
            """
        let report = try #require(Report(encoded: Data(json.utf8)))
        #expect(
            report.frameLines == [
                "SIGILL: Fatal error: no film",
                "0xff crash() (inlined) in a  a.swift:3",
                "0x10 ? in a",
            ]
        )
    }
}
