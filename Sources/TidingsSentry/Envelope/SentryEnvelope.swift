// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics

/// What is posted at once: a line about itself, then items, each with a line about it.
struct SentryEnvelope {
    /// Servers take no more sessions at once.
    static let sessionLimit = 100

    /// The name under which servers know who sends.
    static let client = "tidings.swift"
    /// The version under which servers know who sends.
    static let version = "1.0.0"
    static let sdk: JSONValue = ["name": .text(client), "version": .text(version)]

    private let event: String?
    private let now: Date
    private var items: [UInt8] = []

    private init(event: String?, now: Date) {
        self.event = event
        self.now = now
    }

    /// All of a delivery, mostly one envelope; none if there is nothing to say.
    ///
    /// The report stands in the first and the losses in the last one: should one of them not
    /// arrive, everything is sent again, and only losses would then count twice.
    static func all(_ delivery: ReportDelivery, now: Date) -> [[UInt8]] {
        let sessions = delivery.sessions.compactMap { session($0) }
        let first = delivery.report.map { SentryNames.event($0.id) }
        var envelopes = [SentryEnvelope(event: first, now: now)]
        if let report = delivery.report {
            envelopes[0].append("event", SentryEvent.bytes(report, now: now))
        }
        for (index, session) in sessions.enumerated() {
            if index > 0, index % sessionLimit == 0 {
                envelopes.append(SentryEnvelope(event: nil, now: now))
            }
            envelopes[envelopes.count - 1].append("session", session.bytes)
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
        items += header.bytes + [UInt8(ascii: "\n")] + payload + [UInt8(ascii: "\n")]
    }
}
