// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The reason why a delivery failed, and the date of the next attempt.
///
/// All processes that share a folder share this value, so one process can show the failure of
/// another process.
///
/// ```swift
/// if let failure = reporter.state.sendingFailure {
///     print(failure.message, failure.retry.map { "Next attempt: \($0)" } ?? "")
/// }
/// ```
public struct SendingFailure: Hashable, Sendable, Codable {
    /// The kind of failure.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// The delivery may not have arrived, because the server did not answer, answered too late,
        /// or returned an error.
        case failed
        /// The server accepts no more deliveries for some time.
        case limited
        /// The server will never accept the delivery, and the report is deleted and counted.
        case refused
    }

    /// The kind of failure.
    package var kind: Kind
    /// The date of the failure.
    public var date: Date
    /// The fault and the remedy, redacted, in one or two sentences for a user.
    public var message: String
    /// The date of the next attempt, or nil if the report was refused and deleted.
    ///
    /// The date is in the past if the attempt is due.
    public var retry: Date?

    /// Creates a failure for the tests of a program.
    ///
    /// - Parameters:
    ///   - date: The date of the failure.
    ///   - message: The fault and the remedy.
    ///   - retry: The date of the next attempt, or nil for a report that was refused and deleted.
    package init(date: Date, message: String, retry: Date?) {
        let kind = retry == nil ? Kind.refused : .failed
        self.init(kind: kind, date: date, message: message, retry: retry)
    }

    init(kind: Kind, date: Date, message: String, retry: Date?) {
        self.kind = kind
        self.date = date
        self.message = message
        self.retry = retry
    }
}

extension SendingFailure {
    /// Creates the failure for an outcome, or nil if the sink accepted the delivery.
    init?(_ outcome: ReportReceipt.Outcome, at date: Date, writer: RedactingWriter) {
        switch outcome {
        case .accepted: return nil
        case .failed(let reason):
            self.init(kind: .failed, date: date, message: writer.text(reason), retry: date)
        case .limited:
            self.init(
                kind: .limited,
                date: date,
                message: "The server accepts no more reports for now. They are sent later; "
                    + "you do not have to do anything.",
                retry: date
            )
        case .refused(let reason):
            self.init(kind: .refused, date: date, message: writer.text(reason), retry: nil)
        }
    }
}
