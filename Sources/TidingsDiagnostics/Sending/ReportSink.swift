// SPDX-License-Identifier: Apache-2.0

/// A destination for reports.
///
/// A reporter calls the sink from one task at a time, and only with the user's consent. A report
/// that may or may not have arrived is sent again with the same identifier.
///
/// ```swift
/// struct ConsoleSink: ReportSink {
///     func send(_ delivery: ReportDelivery) async -> ReportReceipt {
///         if let report = delivery.report { print(report.id, report.errors) }
///         return .accepted
///     }
/// }
/// ```
public protocol ReportSink: Sendable {
    /// Sends a delivery and returns the outcome.
    ///
    /// If the task is canceled, return soon with ``ReportReceipt/failed(_:)``. Accept a delivery
    /// without a report and comments, because such a delivery contains nothing for a sink of your
    /// own.
    func send(_ delivery: ReportDelivery) async -> ReportReceipt
}

/// A unit of sending.
public struct ReportDelivery: Hashable, Sendable {
    /// The report after `beforeSend`, or nil for a delivery of comments or of counts.
    ///
    /// Only the sinks of this package send counts.
    public var report: Report?
    /// The comments of a user by the identifier of the report, which may already have been sent.
    ///
    /// See ``CrashReporter/comment(_:on:)``.
    public var comments: [Report.ID: String] = [:]
    /// The session updates, oldest first.
    package var sessions: [ReportedSession]
    /// The numbers of unsent reports and sessions, with the reasons.
    package var losses: [ReportLoss]

    /// Creates a delivery for the tests of a sink.
    ///
    /// - Parameter report: The report to send.
    public init(report: Report) {
        self.init(report: report, sessions: [])
    }

    /// Creates a delivery.
    package init(
        report: Report? = nil,
        sessions: [ReportedSession] = [],
        losses: [ReportLoss] = [],
        comments: [Report.ID: String] = [:]
    ) {
        self.comments = comments
        self.report = report
        self.sessions = sessions
        self.losses = losses
    }
}

/// A category of content to which a server applies its limits.
///
/// A new category also needs a case in `SentrySink.swift` and in `RateLimits.swift` of
/// TidingsSentry. A user agrees only to the content in `SentrySink+Preview.swift`, so the preview
/// shows the content of each category.
package enum ReportCategory: String, Hashable, Sendable, Codable, CaseIterable {
    /// Recorded errors and crashes.
    case error
    /// Sessions.
    case session
    /// All categories.
    case all
}

/// The outcome of a delivery.
///
/// ```swift
/// return status == 200 ? .accepted : .failed("The server answered \(status).")
/// ```
public struct ReportReceipt: Hashable, Sendable {
    /// The delivery has arrived.
    public static let accepted = ReportReceipt(.accepted)
    /// The rate limit is exceeded, and the delivery is sent again later.
    public static let limited = ReportReceipt(.limited)

    /// The outcome of a delivery.
    package enum Outcome: Hashable, Sendable {
        /// The delivery has arrived.
        case accepted
        /// The server will never accept the delivery, which is not sent again, for the given
        /// reason.
        case refused(String)
        /// The rate limit is exceeded, and the delivery is sent again later.
        case limited
        /// The delivery may not have arrived, for the given reason, and is sent again later.
        case failed(String)
    }

    /// The outcome of the delivery.
    package var outcome: Outcome
    /// The durations, starting now, during which nothing of a category may be sent.
    ///
    /// A duration is at most one day.
    ///
    /// A `limited` delivery without a pause is sent again after one minute.
    package var pauses: [ReportCategory: Duration]

    /// Creates a receipt.
    package init(_ outcome: Outcome, pauses: [ReportCategory: Duration] = [:]) {
        self.outcome = outcome
        self.pauses = pauses
    }

    /// The reason why the delivery was not accepted, readable by a user, or nil if it was
    /// accepted.
    public var reason: String? {
        switch outcome {
        case .accepted: nil
        case .limited: "The destination accepts no more reports for now."
        case .refused(let reason), .failed(let reason): reason
        }
    }

    /// Returns a receipt for a delivery that the destination will never accept.
    ///
    /// The delivery is not sent again.
    ///
    /// - Parameter reason: The reason, readable by a user.
    /// - Returns: The receipt.
    public static func refused(_ reason: String) -> ReportReceipt { Self(.refused(reason)) }

    /// Returns a receipt for a delivery that may not have arrived.
    ///
    /// The delivery is sent again later.
    ///
    /// - Parameter reason: The reason, readable by a user.
    /// - Returns: The receipt.
    public static func failed(_ reason: String) -> ReportReceipt { Self(.failed(reason)) }
}
