// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics
@testable import TidingsSentry

@Suite(.timeLimit(.minutes(15)))
struct SentryEnvelopeTests {
    private typealias Item = (head: [String: Any], payload: [String: Any])

    /// Splits an envelope by the lengths in its item headers.
    private func read(_ bytes: [UInt8]) throws -> (header: [String: Any], items: [Item]) {
        var rest = bytes[...]
        func object(_ bytes: ArraySlice<UInt8>) throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(bytes))
            return try #require(value as? [String: Any])
        }
        func line() throws -> [String: Any] {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return try object(line)
        }
        let header = try line()
        var items: [Item] = []
        while !rest.isEmpty {
            let head = try line()
            let length = try #require(head["length"] as? Int)
            let isObject = head["content_type"] as? String == "application/json"
            let text = String(decoding: rest.prefix(length), as: UTF8.self)
            items.append((head, isObject ? try object(rest.prefix(length)) : ["text": text]))
            #expect(rest.dropFirst(length).first == UInt8(ascii: "\n"))
            rest = rest.dropFirst(length + 1)
        }
        return (header, items)
    }

    private func session(
        _ number: Int,
        _ change: (inout ReportedSession) -> Void = { _ in }
    )
        -> ReportedSession
    {
        let id = "5e0f0000-1111-4222-8333-" + String(100_000_000_000 + number)
        var session = ReportedSession(
            id: id,
            isFirst: number == 0,
            sequence: number,
            status: .running,
            started: sendDate.addingTimeInterval(-90),
            date: sendDate,
            errors: 0,
            release: "films@1.4.0",
            environment: nil
        )
        change(&session)
        return session
    }

    @Test func thePreviewShowsTheEventAndTheAttachedFiles() throws {
        let report = makeReport {
            $0.attachments = ["b.log": Data("second\nline".utf8), "a.png": Data([0x89, 0xFF])]
        }
        let text = SentrySink.preview(of: report)
        #expect(text.hasPrefix("{\n") && text.contains("There is no film."))
        let files = """


            Attached file a.png, 2 bytes of binary data

            Attached file b.log, 11 bytes:
            second
            line
            """
        #expect(text.hasSuffix("}" + files))
    }

    @Test func aReportIsOneEnvelopeWithTheTimeOfSending() throws {
        let envelopes = SentryEnvelope.all(ReportDelivery(report: makeReport()), now: sendDate)
        #expect(envelopes.count == 1)
        let (header, items) = try read(envelopes[0])
        #expect(header["event_id"] as? String == "5e0f000011114222833344445555aaaa")
        #expect(header["sent_at"] as? String == "2027-01-15T08:00:00.000Z")
        #expect(items.map { $0.head["type"] as? String } == ["event"])
        #expect(items[0].payload["event_id"] as? String == header["event_id"] as? String)
    }

    @Test func anAttachmentIsAnItemOfItsEvent() throws {
        let report = makeReport {
            $0.attachments = [
                "films.log": Data("opened\nclosed\n".utf8), "b.bin": Data([0xFF, 0xFE]),
                "c": Data(),
            ]
        }
        let envelopes = SentryEnvelope.all(ReportDelivery(report: report), now: sendDate)
        let (_, items) = try read(try #require(envelopes.first))
        #expect(
            items.map { $0.head["type"] as? String }.dropFirst()
                == Array(
                    repeating: "attachment",
                    count: 3
                )[...]
        )
        #expect(items.map { $0.head["filename"] as? String } == [nil, "b.bin", "c", "films.log"])
        #expect(items[1].head["content_type"] as? String == "application/octet-stream")
        #expect(items[3].head["content_type"] as? String == "text/plain")
        #expect(items[3].head["attachment_type"] as? String == "event.attachment")
        #expect(items[3].payload["text"] as? String == "opened\nclosed\n")
        #expect(items[0].payload["attachments"] == nil)
    }

    @Test func aCommentIsInTheEnvelopeOfItsEventAndBeforeTheLosses() throws {
        let report = makeReport()
        let delivery = ReportDelivery(
            report: report,
            losses: [ReportLoss(reason: .sampled, category: .error, quantity: 3)],
            comments: [report.id: "It was slow.", "5e0f0000-1111-4222-8333-200000000000": "Twice."]
        )
        let envelopes = try SentryEnvelope.all(delivery, now: sendDate).map { try read($0) }
        let types = envelopes.map { $0.items.map { $0.head["type"] as? String } }
        #expect(types == [["event", "user_report"], ["user_report"], ["client_report"]])
        #expect(envelopes[1].header["event_id"] as? String == "5e0f0000111142228333200000000000")
        #expect(envelopes[2].header["event_id"] == nil)
        for envelope in envelopes.prefix(2) {
            let comment = try #require(envelope.items.last).payload
            #expect(comment["event_id"] as? String == envelope.header["event_id"] as? String)
        }
        #expect(envelopes[0].items[1].payload["comments"] as? String == "It was slow.")
    }

    @Test func anEmptyDeliveryHasNoEnvelope() {
        #expect(SentryEnvelope.all(ReportDelivery(), now: sendDate).isEmpty)
        let nothing = ReportLoss(reason: .refused, category: .error, quantity: 0)
        let unnamed = session(0) { $0.release = " " }
        let delivery = ReportDelivery(sessions: [unnamed], losses: [nothing])
        #expect(SentryEnvelope.all(delivery, now: sendDate).isEmpty)
    }

    @Test func anEnvelopeHasAHundredSessionsAndTheLastHasTheLosses() throws {
        let delivery = ReportDelivery(
            report: makeReport(),
            sessions: (0..<201).map { session($0) },
            losses: [ReportLoss(reason: .sampled, category: .error, quantity: 3)]
        )
        let envelopes = try SentryEnvelope.all(delivery, now: sendDate).map { try read($0) }
        #expect(envelopes.map(\.items.count) == [101, 100, 2])
        #expect(envelopes[0].items[0].head["type"] as? String == "event")
        #expect(envelopes[2].items[1].head["type"] as? String == "client_report")
        #expect(envelopes[1].header["event_id"] == nil)
        let numbers = envelopes.flatMap { $0.items.compactMap { $0.payload["seq"] as? Int } }
        #expect(numbers == Array(0..<201), "The oldest session is first.")
    }

    @Test func aSessionHasAllItsFields() throws {
        let session = session(0) {
            $0.status = .crashed
            $0.environment = "production"
        }
        #expect(
            SentryEnvelope.session(session) == [
                "sid": "5e0f0000-1111-4222-8333-100000000000", "init": true, "seq": 0,
                "started": "2027-01-15T07:58:30.000Z",
                "timestamp": "2027-01-15T08:00:00.000Z", "duration": .number(90),
                "status": "crashed", "errors": 1,
                "attrs": ["release": "films@1.4.0", "environment": "production"],
            ]
        )
    }

    @Test(arguments: [
        (ReportedSession.Status.running, "ok"), (.ended, "exited"), (.crashed, "crashed"),
        (.vanished, "abnormal"),
    ])
    func aRunningSessionHasNoDuration(status: ReportedSession.Status, name: String) {
        let sent = SentryEnvelope.session(session(1) { $0.status = status })
        #expect(sent?["status"]?.string == name)
        #expect((sent?["duration"] == nil) == (status == .running))
    }

    @Test func aClockThatWentBackMakesNoNegativeDuration() {
        let sent = SentryEnvelope.session(
            session(1) {
                $0.status = .ended
                $0.started = sendDate.addingTimeInterval(60)
                $0.sequence = -3
                $0.errors = -1
            }
        )
        #expect(sent?["duration"] == .number(0) && sent?["seq"] == 0 && sent?["errors"] == 0)
    }

    @Test func lossesOfOneKindAreAddedUp() {
        let losses = [
            ReportLoss(reason: .diskFailed, category: .error, quantity: 2),
            ReportLoss(reason: .unreadable, category: .error, quantity: 3),
            ReportLoss(reason: .spoolFull, category: .session, quantity: .max),
            ReportLoss(reason: .spoolFull, category: .session, quantity: 1),
            ReportLoss(reason: .beforeSend, category: .all, quantity: -1),
        ]
        #expect(
            SentryEnvelope.losses(losses, now: sendDate)?["discarded_events"] == [
                ["reason": "cache_overflow", "category": "session", "quantity": .integer(.max)],
                ["reason": "internal_sdk_error", "category": "error", "quantity": 5],
            ]
        )
    }
}
