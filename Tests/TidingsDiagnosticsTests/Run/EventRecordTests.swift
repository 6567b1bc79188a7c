// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TidingsCoreFixtures

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct EventRecordTests {
    private static let event = EventRecord(
        id: UUID(),
        date: Date(timeIntervalSinceReferenceDate: 5.25),
        level: .warning,
        errors: [
            ReportedError(domain: "A.E", code: "1", message: "it failed", location: "A/B.swift:7"),
            ReportedError(domain: "", code: nil, message: "because", location: nil),
        ],
        context: ["a": "text", "b": 2, "c": 2.5, "d": true, "e": .integer(.min), "": false],
        grouping: ["A.E", "€"],
        frames: [
            RawCapture.Frame(address: 0x1234_5678_9ABC, kind: .counter),
            RawCapture.Frame(address: .max, kind: .returns),
            RawCapture.Frame(address: 0, kind: .resumes),
        ],
        user: "u",
        values: ["key": "value"],
        lastBreadcrumb: 77
    )
    private static let empty = EventRecord(
        id: UUID(),
        date: Date(timeIntervalSinceReferenceDate: 0),
        level: .fatal,
        errors: [],
        context: [:],
        grouping: [],
        frames: [],
        user: nil,
        values: [:],
        lastBreadcrumb: 0
    )

    @Test func anEventIsReadAsItWasWritten() {
        #expect(EventRecord(Self.event.bytes) == Self.event)
        #expect(EventRecord(Self.empty.bytes) == Self.empty)
        for level in [ReportLevel.info, .warning, .error, .fatal] {
            var event = Self.event
            event.level = level
            #expect(EventRecord(event.bytes)?.level == level)
        }
    }

    @Test func aScopeIsReadAsItWasWritten() {
        for user in [nil, "", "somebody"] {
            let scope = ScopeRecord(user: user, values: Self.event.context)
            #expect(ScopeRecord(scope.bytes) == scope)
        }
    }

    @Test func r8_aTruncatedRecordIsRejected() {
        let bytes = Self.event.bytes
        for count in bytes.indices { #expect(EventRecord(bytes.prefix(count)) == nil) }
        let scope = ScopeRecord(user: "u", values: Self.event.context).bytes
        for count in scope.indices { #expect(ScopeRecord(scope.prefix(count)) == nil) }
    }

    @Test func r8_readingArbitraryBytesFinishes() {
        var random = SeededGenerator(19)
        for record in [Self.event.bytes, ScopeRecord(user: "u", values: ["a": 1]).bytes] {
            for _ in 0..<5_000 {
                var bytes = record
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[Int.random(in: 1..<bytes.count, using: &random)] =
                        [0, 255, .random(in: 0...255, using: &random)].randomElement(using: &random)
                        ?? 0
                }
                let frames = EventRecord(bytes)?.frames.count ?? 0
                let values = ScopeRecord(bytes)?.values.count ?? 0
                #expect(
                    frames <= EventRecord.frameLimit && values <= bytes.count,
                    "\(random)"
                )
            }
        }
    }

    @Test func theLargestRecordableEventFits() {
        let text = String(repeating: "x", count: RedactingWriter.textLimit)
        var event = Self.event
        event.errors = Array(
            repeating: ReportedError(domain: text, code: text, message: text, location: text),
            count: 8
        )
        let values = Dictionary(
            uniqueKeysWithValues: (0..<64).map { number in
                (
                    String("\(number)\(text)".prefix(RedactingWriter.nameLimit)),
                    ReportValue.text(text)
                )
            }
        )
        event.context = values
        event.values = values
        event.grouping = Array(repeating: text, count: 16)
        event.frames = Array(repeating: .init(address: 1, kind: .returns), count: 300)
        #expect(event.bytes.count <= RunLayout.eventLimit)
        #expect(EventRecord(event.bytes)?.frames.count == EventRecord.frameLimit)
        let scope = ScopeRecord(user: text, values: values)
        #expect(scope.bytes.count <= RunLayout.scopeSlot - RunLayout.scopeHead)
    }

    @Test func aTextLongerThanItsLengthFieldIsCut() {
        var event = Self.empty
        event.user = String(repeating: "€", count: 30_000)
        #expect(EventRecord(event.bytes)?.user?.utf8.count == 65_532)
    }
}
