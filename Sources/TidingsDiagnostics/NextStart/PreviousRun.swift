// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How the run before this one ended.
///
/// ```swift
/// if reporter.previousRun == .crashed { offerToSendTheReport() }
/// ```
@nonexhaustive public enum PreviousRun: Hashable, Sendable {
    /// There was none, or nobody was watching it.
    case unknown
    /// By itself: the reporter was closed, `exit` was called, or main returned.
    case clean
    /// By a signal that asked it to end.
    case terminated(signal: Int32)
    /// By a crash.
    case crashed
    /// Without a word: it was killed, memory or power ran out.
    case endedWithoutNotice

    /// The signals that nobody sends to ask for an end.
    private static let fatal = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

    /// Judges a run that has ended.
    ///
    /// - Parameters:
    ///   - crashes: What its signal handler has left.
    ///   - end: What its file says; nil when there is none.
    init(_ crashes: RunCrashes, end: RunRecord.End?) {
        if let last = crashes.crashes.last, !last.isRecovered {
            self = .crashed
            return
        }
        self =
            switch end {
            case .clean: .clean
            // The report had no room, but the signal was marked.
            case .terminated(let signal) where Self.fatal.contains(signal): .crashed
            case .terminated(let signal): .terminated(signal: signal)
            case .running, nil: .endedWithoutNotice
            }
    }
}
