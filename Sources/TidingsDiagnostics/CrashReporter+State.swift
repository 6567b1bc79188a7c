// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TidingsFiles
import TidingsLock

extension CrashReporter {
    /// The state of a reporter: all setup problems, the losses, and the figures of all runs.
    ///
    /// A program shows it in the place where its user looks for such information:
    ///
    /// ```swift
    /// if let failure = reporter.state.failure { print(failure) }
    /// ```
    public struct State: Sendable {
        /// Whether errors and breadcrumbs are recorded.
        public let isRecording: Bool
        /// The reason why crashes are not captured; nil if they are.
        public let obstacle: CaptureObstacle?
        /// The reason why records end with the process; nil if they outlive it.
        public let failure: DiagnosticsError?
        /// Other faults, because of which reports contain less or are not read, each with its
        /// remedy, in a few sentences for a person.
        public let problems: [String]
        /// Why the last delivery failed; nil after a successful delivery or before the first one.
        ///
        /// A refusal remains until another delivery fails or ``CrashReporter/deleteUnsent()`` is
        /// called, because the refused report is lost.
        public let sendingFailure: SendingFailure?
        /// The number of reports that were lost since the start because there was no space or they
        /// could not be read.
        public let lostReports: Int
        /// The number of reports that were deleted since the start because of the limits on count,
        /// size and age.
        public let removedReports: Int
        /// The number of keys that were refused since the start because there were too many.
        public let refusedValues: Int
        /// The number of errors that were dropped by sampling since the start; see
        /// ``CrashReporter/Configuration/sampleRate``.
        public let sampledErrors: Int
        /// The reason for the last lost report; nil if none was lost.
        public let lastLoss: DiagnosticsError?
        /// The number of runs per release and day, and how many of them ended abnormally; oldest
        /// day first.
        ///
        /// Counted on this machine, even if no reports are sent. The end of a run is counted when
        /// the next run starts.
        public let figures: [RunFigures]
    }

    /// The current state of this reporter.
    ///
    /// Reading it accesses the files in the folder.
    public var state: State {
        let stored = store.state
        let losses = spool.losses
        let status = capture?.status ?? CaptureStatus(reason: obstacle ?? .refused)
        return State(
            isRecording: isRecording,
            obstacle: status.reason,
            failure: run?.failure.map { failure in
                DiagnosticsError(
                    .notWritten,
                    "Records are lost when the process ends, and crashes leave no report "
                        + "(\(failure)). \(remedy(for: failure)) and restart the program.",
                    cause: failure
                )
            },
            problems: status.problems
                + ForeignFiles(in: configuration.directory).problems.map(\.message),
            sendingFailure: stored.sendingFailure,
            lostReports: losses.lost + (run?.file.lostEvents ?? 0),
            removedReports: losses.removed,
            refusedValues: scope.withLock { $0.refusedValues },
            sampledErrors: sampled.load(ordering: .relaxed),
            lastLoss: losses.lastFailure,
            figures: stored.figures
        )
    }

    private func remedy(for failure: SystemError) -> String {
        switch failure.number {
        case ENOSPC, EDQUOT, EFBIG: "Free 3 MiB on the disk of \(configuration.directory)"
        default: "Make \(configuration.directory) writable for this user"
        }
    }

    var isRecording: Bool { run != nil && !isClosed.load(ordering: .sequentiallyConsistent) }

    /// Installs a signal stack on the calling thread, so that the handler can report a stack
    /// overflow.
    ///
    /// The thread that starts the reporter has one, and so has each thread that is created
    /// afterwards. Call this method on a thread that was created before: without a signal stack,
    /// its stack overflow ends the process without notice. The signal stack is released when its
    /// thread ends.
    public func registerThread() {
        capture?.registerThread()
    }

    /// Registered once per process.
    ///
    /// The exit handler also forwards text that was written to the standard error right before the
    /// exit.
    private static let exitHandler: Void = CrashCapture.registerExitHandler()

    static func capture(
        _ run: CurrentRun,
        _ configuration: Configuration,
        _ environment: Environment
    ) -> CrashCapture? {
        guard let paths = run.paths else { return nil }
        _ = exitHandler
        return CrashCapture.start(
            in: .init(reports: paths.reports, images: paths.images),
            endMark: run.file.endMark,
            runMemory: run.file.mappedMemory,
            text: run.file.text,
            capturesStandardError: configuration.capturesStandardError,
            symbolicator: environment.symbolicator ?? DebugSymbolicator(),
            timeLimit: environment.crashTimeLimit
        )
    }
}
