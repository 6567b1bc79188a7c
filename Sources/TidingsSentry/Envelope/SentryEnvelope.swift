// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics

/// The body of one request, with a header line and then items that each start with a header line.
struct SentryEnvelope {
    /// The maximum number of sessions that servers accept in one envelope.
    static let sessionLimit = 100

    private static let fileNameLimit = 128

    /// The client's name in requests and events.
    static let client = "tidings.swift"
    /// The client's version in requests and events.
    static let version = "1.0.0"
    static let sdk: JSONValue = ["name": .text(client), "version": .text(version)]

    private let event: String?
    private let now: Date
    private var items: [UInt8] = []

    private init(event: String?, now: Date) {
        self.event = event
        self.now = now
    }

    /// Returns the envelopes of a delivery, usually one envelope, or none for an empty delivery.
    ///
    /// The first envelope contains the report, and the last envelope contains the losses. If an
    /// envelope fails, the whole delivery is sent again. Servers recognize the report and the
    /// sessions, but would count losses twice, so the losses come last.
    static func all(_ delivery: ReportDelivery, now: Date) -> [[UInt8]] {
        let sessions = delivery.sessions.compactMap { session($0) }
        let first = delivery.report.map { SentryNames.event($0.id) }
        var envelopes = [SentryEnvelope(event: first, now: now)]
        if let report = delivery.report {
            envelopes[0].append("event", SentryEvent.bytes(report, now: now))
            for (name, content) in report.attachments.sorted(by: { $0.key < $1.key }) {
                envelopes[0].append(attachment: Array(content), named: name)
            }
        }
        for (index, session) in sessions.enumerated() {
            if index > 0, index % sessionLimit == 0 {
                envelopes.append(SentryEnvelope(event: nil, now: now))
            }
            envelopes[envelopes.count - 1].append("session", session.bytes)
        }
        for (id, text) in delivery.comments.sorted(by: { $0.key < $1.key }) {
            let event = SentryNames.event(id)
            // A comment belongs to the event of its envelope, and that event may have been sent
            // before.
            if event != first { envelopes.append(SentryEnvelope(event: event, now: now)) }
            let index = event == first ? 0 : envelopes.count - 1
            envelopes[index].append("user_report", comment(text, on: event).bytes)
        }
        if envelopes.count > 1, envelopes[envelopes.count - 1].event != nil {
            envelopes.append(SentryEnvelope(event: nil, now: now))
        }
        if let losses = losses(delivery.losses, now: now) {
            envelopes[envelopes.count - 1].append("client_report", losses.bytes)
        }
        return envelopes.filter { !$0.items.isEmpty }.map(\.bytes)
    }

    private var bytes: [UInt8] {
        let header: JSONValue = [
            "event_id": event.map(JSONValue.text),
            "sent_at": .text(SentryDate.text(now)),
            "sdk": Self.sdk,
        ]
        return header.bytes + [UInt8(ascii: "\n")] + items
    }

    private mutating func append(_ type: String, _ payload: [UInt8]) {
        let header: JSONValue = [
            "type": .text(type),
            "length": .integer(payload.count),
            "content_type": "application/json",
        ]
        append(header, payload)
    }

    private mutating func append(attachment content: [UInt8], named name: String) {
        let isText = String(validating: content, as: UTF8.self) != nil
        let header: JSONValue = [
            "type": "attachment",
            "length": .integer(content.count),
            "attachment_type": "event.attachment",
            "content_type": isText ? "text/plain" : "application/octet-stream",
            "filename": .text(SentryText.line(name, limit: Self.fileNameLimit)),
        ]
        append(header, content)
    }

    private mutating func append(_ header: JSONValue, _ payload: [UInt8]) {
        items += header.bytes + [UInt8(ascii: "\n")] + payload + [UInt8(ascii: "\n")]
    }
}
