// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Why a delivery did not arrive, and what becomes of it.
///
/// The processes that share a folder share it too: one can show what another one has tried.
///
/// ```swift
/// if let failure = reporter.state.sendingFailure {
///     print(failure.message, failure.retry.map { "Next attempt: \($0)" } ?? "")
/// }
/// ```
public struct SendingFailure: Hashable, Sendable, Codable {
    /// What has happened to the delivery.
    @nonexhaustive public enum Kind: String, Hashable, Sendable, Codable {
        /// It may not have arrived: nobody answered, or not in time, or with an error.
        case failed
        /// The server takes no more for a while.
        case limited
        /// The server will never take it; it is deleted and counted.
        case refused
    }

    /// What has happened.
    public var kind: Kind
    /// When it happened.
    public var date: Date
    /// Why, and what to do about it, in one or two sentences for a person; redacted.
    public var message: String
    /// When it is tried again, in the past if it is as soon as possible; nil when it is not.
    public var retry: Date?

    /// Creates one, for a program's own tests.
    public init(kind: Kind, date: Date, message: String, retry: Date?) {
        self.kind = kind
        self.date = date
        self.message = message
        self.retry = retry
    }
}

extension SendingFailure {
    /// What a sink has said; nil when it has taken the delivery.
    init?(_ outcome: ReportReceipt.Outcome, at date: Date, scribe: Scribe) {
        switch outcome {
        case .accepted: return nil
        case .failed(let reason):
            self.init(kind: .failed, date: date, message: scribe.text(reason), retry: date)
        case .limited:
            self.init(
                kind: .limited,
                date: date,
                message: "The server takes no more reports for now. They wait here until it does; "
                    + "nothing has to be done.",
                retry: date
            )
        case .refused(let reason):
            self.init(kind: .refused, date: date, message: scribe.text(reason), retry: nil)
        }
    }
}
