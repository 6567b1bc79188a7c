// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The way in which the previous run ended.
///
/// ```swift
/// if reporter.state.previousRun == .crashed { offerToSendTheReport() }
/// ```
@nonexhaustive public enum PreviousRun: Hashable, Sendable {
    /// There was no previous run, or no reporter recorded it.
    case unknown
    /// The run ended normally: the reporter was closed, `exit` was called, or main returned.
    case clean
    /// The run ended by a signal that asked the program to end.
    case terminated(signal: Int32)
    /// The run ended by a crash.
    case crashed
    /// The run ended without notice, by a kill, by a lack of memory or power, or by SIGPIPE.
    ///
    /// A report of the run contains its breadcrumbs, keys and user, and the likely reason.
    case endedWithoutNotice

    /// The signals that are not sent to ask a program to end.
    private static let fatal = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// Determines how a run ended.
    ///
    /// - Parameters:
    ///   - crashes: The captures of the run's signal handler.
    ///   - end: The end recorded in the run's file, or nil without a file.
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
            // SIGPIPE does not ask a program to end.
            case .terminated(SIGPIPE): .endedWithoutNotice
            case .terminated(let signal): .terminated(signal: signal)
            case .running, nil: .endedWithoutNotice
            }
    }
}
