// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How the previous run ended.
///
/// ```swift
/// if reporter.state.previousRun == .crashed { offerToSendTheReport() }
/// ```
@nonexhaustive public enum PreviousRun: Hashable, Sendable {
    /// There was no previous run, or no reporter recorded it.
    case unknown
    /// Normally: the reporter was closed, `exit` was called, or main returned.
    case clean
    /// By a signal that asked it to end.
    case terminated(signal: Int32)
    /// By a crash.
    case crashed
    /// Without notice: the run was killed, memory or power ran out, or SIGPIPE ended it.
    ///
    /// A report of the run contains its breadcrumbs, keys and user, and the likely reason.
    case endedWithoutNotice

    /// The signals that are not sent to ask a program to end.
    private static let fatal = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// Determines how a run ended.
    ///
    /// - Parameters:
    ///   - crashes: The captures of its signal handler.
    ///   - end: The end recorded in its file; nil without a file.
    init(_ crashes: RunCrashes, end: RunRecord.End?) {
        if let last = crashes.crashes.last, !last.isRecovered {
            self = .crashed
            return
        }
        self =
            switch end {
            case .clean: .clean
            // The report did not fit, but the handler recorded the signal.
            case .terminated(let signal) where Self.fatal.contains(signal): .crashed
            // Nobody asked the program to end.
            case .terminated(SIGPIPE): .endedWithoutNotice
            case .terminated(let signal): .terminated(signal: signal)
            case .running, nil: .endedWithoutNotice
            }
    }
}
