// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsDiagnostics

@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryValuesTests {
    private func event(
        values: [String: ReportValue] = [:],
        context: [String: ReportValue] = [:]
    ) -> JSONValue {
        TidingsSentryTests.event(
            makeReport {
                $0.values = values
                $0.context = context
            }
        )
    }

    @Test func shortKeysAreTagsAndTheContextIsExtra() {
        let event = event(
            values: ["queue": 3, "mode": "offline", "idle": false],
            context: ["url": "https://example.org/", "attempt": 2]
        )
        #expect(event["tags"] == ["idle": "false", "mode": "offline", "queue": "3"])
        #expect(event["extra"] == ["attempt": 2, "url": "https://example.org/"])
    }

    @Test func otherValuesAreExtra() {
        let long = String(repeating: "x", count: 201)
        let event = event(values: [
            "a b": 1, "release": "other", "empty": "", "lines": "a\nb", "long": .text(long),
            " space": "x", "padded": " x",
        ])
        #expect(event["tags"] == nil)
        #expect(
            event["extra"] == [
                "space": "x", "a b": 1, "empty": "", "lines": "a\nb", "long": .text(long),
                "padded": " x", "release": "other",
            ]
        )
    }

    @Test func duplicateNamesGetANumber() {
        let event = event(values: ["a b": 2, "": 4], context: ["a b": 1, "\n": 3])
        let extra = event["extra"]
        #expect(extra?.names == ["(no name)", "a b", "(no name) (2)", "a b (2)"])
        #expect(extra?["a b (2)"] == 2 && extra?["(no name) (2)"] == 4)
    }

    @Test func numbersAreReadableByEveryParser() {
        let event = event(context: [
            "a": .number(.nan), "b": .number(-.infinity), "c": .integer(.max), "d": .integer(.min),
            "e": .integer(1 << 52), "f": .number(1e300),
        ])
        #expect(
            String(decoding: event["extra"]?.bytes ?? [], as: UTF8.self) == """
                {"a":"nan","b":"-inf","c":"9223372036854775807","d":"-9223372036854775808",\
                "e":4503599627370496,"f":1e+300}
                """
        )
    }

    @Test func allValuesTogetherAreBounded() {
        var values: [String: ReportValue] = [:]
        for number in 0..<500 { values["k\(number)"] = 1 }
        let many = event(values: values)
        #expect(many["tags"]?.names.count == 64)
        #expect(many["extra"]?.names.count == 200)
        let large = String(repeating: "x", count: 16_000)
        for number in 0..<60 { values["k\(number)"] = .text(large) }
        #expect(event(values: values)["extra"]?.bytes.count ?? 0 < 210_000)
    }
}
