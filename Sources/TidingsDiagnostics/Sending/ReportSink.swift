// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A destination for reports.
///
/// A reporter calls the sink from one task at a time, and only with the user's consent. A report
/// whose arrival was uncertain is sent again with the same identifier.
///
/// ```swift
/// struct ConsoleSink: ReportSink {
///     func send(_ delivery: ReportDelivery) async -> ReportReceipt {
///         if let report = delivery.report { print(report.id, report.errors) }
///         return ReportReceipt(.accepted)
///     }
/// }
/// ```
public protocol ReportSink: Sendable {
    /// Sends a delivery and returns its outcome.
    ///
    /// If the task is canceled, return soon with `.failed`.
    func send(_ delivery: ReportDelivery) async -> ReportReceipt
}

/// A unit of sending: a report, session and loss counts, or both.
public struct ReportDelivery: Hashable, Sendable {
    /// The report, after `beforeSend`.
    public var report: Report?
    /// The session updates, oldest first.
    public var sessions: [ReportedSession]
    /// The numbers of unsent reports and sessions, with the reasons.
    public var losses: [ReportLoss]

    /// Creates a delivery.
    public init(
        report: Report? = nil,
        sessions: [ReportedSession] = [],
        losses: [ReportLoss] = []
    ) {
        self.report = report
        self.sessions = sessions
        self.losses = losses
    }
}

/// A category of content, as servers limit it.
@nonexhaustive public enum ReportCategory: String, Hashable, Sendable, Codable, CaseIterable {
    /// Recorded errors and crashes.
    case error
    /// Sessions.
    case session
    /// All categories.
    case all
}

/// The outcome of a delivery, with pauses requested by the server.
public struct ReportReceipt: Hashable, Sendable {
    /// The outcome of a delivery.
    @nonexhaustive public enum Outcome: Hashable, Sendable {
        /// The delivery has arrived.
        case accepted
        /// The server will never accept it; the text gives the reason. It is not sent again.
        case refused(String)
        /// The rate limit is exceeded. It is sent again later.
        case limited
        /// It may not have arrived; the text gives the reason. It is sent again later.
        case failed(String)
    }

    /// The outcome of the delivery.
    public var outcome: Outcome
    /// How long nothing of a category may be sent, starting now; at most one day.
    ///
    /// A `limited` delivery without a pause is sent again after one minute.
    public var pauses: [ReportCategory: Duration]

    /// Creates a receipt.
    public init(_ outcome: Outcome, pauses: [ReportCategory: Duration] = [:]) {
        self.outcome = outcome
        self.pauses = pauses
    }
}

/// An update on one run of a program.
public struct ReportedSession: Hashable, Sendable, Codable {
    /// The state of a run.
    @nonexhaustive public enum Status: String, Hashable, Sendable, Codable {
        /// The run continues.
        case running
        /// The run ended normally or by a signal that asked it to end.
        case ended
        /// The run crashed.
        case crashed
        /// The run ended without notice, for example by `kill -9` or a power failure.
        case vanished
    }

    /// The identifier of the run, a lowercase UUID.
    public var id: String
    /// Whether this is the first update on the run.
    public var isFirst: Bool
    /// Increases with each update on the run.
    public var sequence: Int
    /// The state of the run.
    public var status: Status
    /// The start of the run.
    public var started: Date
    /// The date of this update.
    public var date: Date
    /// The number of recorded errors, including a crash.
    public var errors: Int
    /// The version of the program.
    public var release: String
    /// The environment of the program, such as `production`.
    public var environment: String?
}

/// A number of reports or sessions that were not sent.
public struct ReportLoss: Hashable, Sendable, Codable {
    /// The reason for a loss.
    @nonexhaustive public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The limit on count, size or age was exceeded.
        case spoolFull
        /// Errors were recorded faster than they could be stored.
        case queueFull
        /// The disk was full or failed.
        case diskFailed
        /// `beforeSend` returned nil.
        case beforeSend
        /// The error was dropped by sampling.
        case sampled
        /// The server refused it.
        case refused
        /// It could not be read.
        case unreadable
    }

    /// The reason.
    public var reason: Reason
    /// The category of the lost content.
    public var category: ReportCategory
    /// The number of losses.
    public var quantity: Int
}
