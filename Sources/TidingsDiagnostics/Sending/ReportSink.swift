// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Where reports are sent.
///
/// A reporter calls it from one task at a time, and only with the user's consent. The same report
/// may come again when it was not certain that it had arrived; its identifier stays the same.
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
    /// Sends what is to be sent and says what became of it.
    ///
    /// Returns soon when its task is cancelled, with `.failed`.
    func send(_ delivery: ReportDelivery) async -> ReportReceipt
}

/// What is sent at once: a report, or numbers, or both.
public struct ReportDelivery: Hashable, Sendable {
    /// The report, after `beforeSend`.
    public var report: Report?
    /// What is new of sessions, the oldest first.
    public var sessions: [ReportedSession]
    /// What was not sent, and why.
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

/// A kind of what is sent, as servers limit it.
@nonexhaustive public enum ReportCategory: String, Hashable, Sendable, Codable, CaseIterable {
    /// Errors that were recorded, and crashes.
    case error
    /// Sessions.
    case session
    /// Everything.
    case all
}

/// What became of a delivery.
public struct ReportReceipt: Hashable, Sendable {
    /// What became of it.
    @nonexhaustive public enum Outcome: Hashable, Sendable {
        /// It has arrived.
        case accepted
        /// It will never be taken; the text says why. It is not sent again.
        case refused(String)
        /// It is not to be sent now, because there was too much; it is sent again later.
        case limited
        /// It may not have arrived; the text says why. It is sent again later.
        case failed(String)
    }

    /// What became of it.
    public var outcome: Outcome
    /// For how long nothing of a category may be sent, from now on; a day at most.
    ///
    /// What was `limited` without one waits a minute.
    public var pauses: [ReportCategory: Duration]

    /// Creates a receipt.
    public init(_ outcome: Outcome, pauses: [ReportCategory: Duration] = [:]) {
        self.outcome = outcome
        self.pauses = pauses
    }
}

/// What is new of one run of a program.
public struct ReportedSession: Hashable, Sendable, Codable {
    /// How a run stands.
    @nonexhaustive public enum Status: String, Hashable, Sendable, Codable {
        /// It goes on.
        case running
        /// It has ended by itself, or was told to end.
        case ended
        /// It has crashed.
        case crashed
        /// It has ended without notice, as by kill -9 or a power cut.
        case vanished
    }

    /// The name of the run, a UUID in lower case.
    public var id: String
    /// The user that was set, if any.
    public var user: String?
    /// Whether nothing was sent of this run before.
    public var isFirst: Bool
    /// Grows with each word about this run.
    public var sequence: Int
    /// How the run stands.
    public var status: Status
    /// When the run began.
    public var started: Date
    /// When this was so.
    public var date: Date
    /// How many errors were recorded, a crash included.
    public var errors: Int
    /// The program's version.
    public var release: String
    /// Where the program runs, such as `production`.
    public var environment: String?
}

/// A number of reports or sessions that were not sent.
public struct ReportLoss: Hashable, Sendable, Codable {
    /// Why something is not sent.
    @nonexhaustive public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// There were too many, too large ones or too old ones.
        case spoolFull
        /// Errors came faster than they could be kept.
        case queueFull
        /// There was no room on the disk, or it failed.
        case diskFailed
        /// `beforeSend` returned nothing.
        case beforeSend
        /// It was not among those that are kept by chance.
        case sampled
        /// The server refused it.
        case refused
        /// It could not be read.
        case unreadable
    }

    /// Why.
    public var reason: Reason
    /// What.
    public var category: ReportCategory
    /// How many.
    public var quantity: Int
}
