// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics

/// A report in the form of an event.
struct SentryEvent {
    let report: Report
    let limits: SentryLimits
    let now: Date

    /// The event as JSON, with as much of the report as servers take.
    ///
    /// - Parameters:
    ///   - report: What is sent.
    ///   - now: When it is sent: servers believe no date that is too far from it.
    /// - Returns: One line.
    static func bytes(_ report: Report, now: Date) -> [UInt8] {
        var bytes: [UInt8] = []
        for limits in SentryLimits.attempts {
            bytes = SentryEvent(report: report, limits: limits, now: now).json.bytes
            if bytes.count <= SentryLimits.eventBytes { break }
        }
        return bytes
    }

    /// All members; what is empty is left out.
    var json: JSONValue {
        let sorted = sorted
        return [
            "event_id": .text(SentryNames.event(report.id)),
            "timestamp": SentryDate.event(report.date, now: now).seconds,
            "platform": "native",
            "level": .text(level),
            "release": SentryNames.release(report.release).map(JSONValue.text),
            "environment": SentryNames.environment(report.environment).map(JSONValue.text),
            "sdk": SentryEnvelope.sdk,
            "user": user,
            "logentry": message,
            "exception": exceptions.map { ["values": $0] },
            "threads": thread.map { ["values": [$0]] },
            "debug_meta": images.map { ["images": $0] },
            "breadcrumbs": breadcrumbs.map { ["values": $0] },
            "tags": .members(sorted.tags),
            "extra": .members(sorted.extra),
            "contexts": .members(contexts),
            "fingerprint": fingerprint,
        ]
    }

    private var level: String {
        switch report.level {
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        case .fatal: "fatal"
        @unknown default: "error"
        }
    }

    private var user: JSONValue? {
        let id = JSONValue.words(SentryText.line(report.user ?? "", limit: limits.short))
        return id.map { ["id": $0] }
    }

    /// For a report without an error, which servers would take for an empty event.
    private var message: JSONValue? {
        guard report.errors.isEmpty, report.crash == nil else { return nil }
        return ["formatted": "A report without an error"]
    }

    private var breadcrumbs: JSONValue? {
        .all(
            report.breadcrumbs.suffix(limits.breadcrumbs).map { breadcrumb in
                let location = breadcrumb.location
                    .flatMap { JSONValue.words(SentryText.end($0, limit: limits.location)) }
                return [
                    "timestamp": SentryDate.seconds(breadcrumb.date),
                    "type": "default",
                    "category": .text(breadcrumb.origin.rawValue),
                    "level": "info",
                    "message": .text(SentryText.lines(breadcrumb.text, limit: limits.breadcrumb)),
                    "data": location.map { ["location": $0] },
                ]
            }
        )
    }

    private var fingerprint: JSONValue? {
        .all(
            report.grouping.prefix(limits.fingerprint)
                .compactMap { .words(SentryText.line($0, limit: limits.contextText)) }
        )
    }
}
