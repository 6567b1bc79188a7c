// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TidingsDiagnostics

/// Converts a report into an event.
struct SentryEvent {
    let report: Report
    let limits: SentryLimits
    let now: Date

    /// Returns the event as JSON, with as much of the report as servers accept.
    ///
    /// - Parameters:
    ///   - report: The report to convert.
    ///   - now: The time of sending. Servers refuse dates that are too far from this time.
    /// - Returns: One line of JSON.
    static func bytes(_ report: Report, now: Date) -> [UInt8] {
        var bytes: [UInt8] = []
        for limits in SentryLimits.attempts {
            bytes = SentryEvent(report: report, limits: limits, now: now).json.bytes
            if bytes.count <= SentryLimits.eventBytes { break }
        }
        return bytes
    }

    /// The event without empty members.
    var json: JSONValue {
        let values = tagsAndExtra
        return [
            "event_id": .text(SentryNames.event(report.id)),
            "timestamp": SentryDate.event(report.date, now: now).seconds,
            "platform": "native",
            "level": .text(Self.name(of: report.level)),
            "release": SentryNames.release(report.release).map(JSONValue.text),
            "dist": SentryNames.dist(report.dist).map(JSONValue.text),
            "server_name": .nonEmptyText(
                SentryText.line(report.serverName ?? "", limit: limits.short)
            ),
            "environment": SentryNames.environment(report.environment).map(JSONValue.text),
            "sdk": SentryEnvelope.sdk,
            "user": user,
            "logentry": message,
            "exception": exceptions.map { ["values": $0] },
            "threads": threads,
            "debug_meta": images.map { ["images": $0] },
            "breadcrumbs": breadcrumbs.map { ["values": $0] },
            "tags": .nonEmptyObject(values.tags),
            "extra": .nonEmptyObject(values.extra),
            "contexts": .nonEmptyObject(contexts),
            "fingerprint": fingerprint,
        ]
    }

    private static func name(of level: ReportLevel) -> String {
        switch level {
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        case .fatal: "fatal"
        @unknown default: "error"
        }
    }

    private var user: JSONValue? {
        let id = JSONValue.nonEmptyText(SentryText.line(report.user ?? "", limit: limits.short))
        return id.map { ["id": $0] }
    }

    /// A message for a report without an error, which servers would treat as an empty event.
    private var message: JSONValue? {
        guard report.errors.isEmpty, report.crash == nil else { return nil }
        return ["formatted": "A report without an error"]
    }

    private var breadcrumbs: JSONValue? {
        .nonEmptyList(
            report.breadcrumbs.suffix(limits.breadcrumbs).map { breadcrumb in
                [
                    "timestamp": SentryDate.seconds(breadcrumb.date),
                    "type": "default",
                    "category": .text(SentryText.line(breadcrumb.category, limit: limits.short)),
                    "level": .text(Self.name(of: breadcrumb.level)),
                    "message": .text(SentryText.lines(breadcrumb.text, limit: limits.breadcrumb)),
                    "data": .nonEmptyObject(data(of: breadcrumb)),
                ]
            }
        )
    }

    private func data(of breadcrumb: Breadcrumb) -> [JSONValue.Member] {
        let location = breadcrumb.location.map { SentryText.end($0, limit: limits.location) } ?? ""
        let values = breadcrumb.data.sorted { $0.key < $1.key }.map { name, value in
            JSONValue.Member(
                name: SentryText.line(name, limit: limits.short),
                value: extra(value)
            )
        }
        return location.isEmpty
            ? values : values + [JSONValue.Member(name: "location", value: .text(location))]
    }

    private var fingerprint: JSONValue? {
        .nonEmptyList(
            report.grouping.prefix(limits.fingerprint)
                .compactMap { .nonEmptyText(SentryText.line($0, limit: limits.contextText)) }
        )
    }
}
