// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics

extension SentryEnvelope {
    /// Returns the update of a session, or nil without a release, because servers count sessions by
    /// release.
    static func session(_ session: ReportedSession) -> JSONValue? {
        guard let release = SentryNames.release(session.release) else { return nil }
        let hasEnded = session.status != .running
        return [
            "sid": .text(SentryNames.session(session.id)),
            "init": .flag(session.isFirst),
            "seq": .integer(max(0, session.sequence)),
            "started": .text(SentryDate.text(session.started)),
            "timestamp": .text(SentryDate.text(session.date)),
            "duration": hasEnded ? duration(of: session) : nil,
            "status": .text(status(session.status)),
            "errors": .integer(max(session.status == .crashed ? 1 : 0, session.errors)),
            "attrs": [
                "release": .text(release),
                "environment": SentryNames.environment(session.environment).map(JSONValue.text),
            ],
        ]
    }

    /// Returns a user's comment on an event.
    static func comment(_ text: String, on event: String) -> JSONValue {
        let text = SentryText.lines(text, limit: 4_096)
        // Servers refuse a comment without an author's name and address.
        return ["event_id": .text(event), "name": "", "email": "", "comments": .text(text)]
    }

    /// Returns the number of lost reports by reason and category, or nil without a lost report.
    static func losses(_ losses: [ReportLoss], now: Date) -> JSONValue? {
        var counts: [[String]: Int] = [:]
        for loss in losses where loss.quantity > 0 {
            let kind = [reason(loss.reason), category(loss.category)]
            counts[kind] =
                counts[kind, default: 0].addingReportingOverflow(loss.quantity).overflow
                ? .max : counts[kind, default: 0] + loss.quantity
        }
        guard !counts.isEmpty else { return nil }
        let events = counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { kind, count -> JSONValue in
                ["reason": .text(kind[0]), "category": .text(kind[1]), "quantity": .integer(count)]
            }
        return ["timestamp": SentryDate.seconds(now), "discarded_events": .list(events)]
    }

    private static func duration(of session: ReportedSession) -> JSONValue? {
        let seconds = session.date.timeIntervalSince(session.started)
        guard seconds.isFinite else { return nil }
        return .number((min(max(0, seconds), 4_000_000_000) * 1_000).rounded() / 1_000)
    }

    private static func status(_ status: ReportedSession.Status) -> String {
        switch status {
        case .running: "ok"
        case .ended: "exited"
        case .crashed: "crashed"
        case .vanished: "abnormal"
        @unknown default: "ok"
        }
    }

    private static func reason(_ reason: ReportLoss.Reason) -> String {
        switch reason {
        case .spoolFull: "cache_overflow"
        case .queueFull: "queue_overflow"
        case .diskFailed, .unreadable: "internal_sdk_error"
        case .beforeSend: "before_send"
        case .sampled: "sample_rate"
        case .refused: "send_error"
        @unknown default: "internal_sdk_error"
        }
    }

    private static func category(_ category: ReportCategory) -> String {
        switch category {
        case .error: "error"
        case .session: "session"
        case .all: "default"
        @unknown default: "default"
        }
    }
}
