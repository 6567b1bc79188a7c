// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TidingsFiles
import TidingsLock

extension CrashReporter {
    /// The state of a reporter.
    ///
    /// The state has the end of the previous run, all problems of the setup, the losses, and the
    /// figures of all runs.
    ///
    /// A program shows the state in the place where users look for such information:
    ///
    /// ```swift
    /// let state = reporter.state
    /// for problem in state.problems + state.losses { print(problem) }
    /// ```
    public struct State: Sendable {
        /// Whether errors and breadcrumbs are recorded.
        public let isRecording: Bool
        /// The reason why crashes are not captured, with the remedy, or nil if crashes are
        /// captured.
        ///
        /// The reason and the remedy are two sentences that a user can read.
        public var captureObstacle: String? { obstacle?.text }
        /// The reason why crashes are not captured, or nil if crashes are captured.
        public let obstacle: CaptureObstacle?
        /// How the previous run ended.
        ///
        /// If several processes share the folder, the ended run that started last counts.
        public let previousRun: PreviousRun
        /// The reason why records end with the process, or nil if records outlive the process.
        let failure: DiagnosticsError?
        /// The faults because of which records end with the process, or reports are incomplete or
        /// unread.
        ///
        /// Each fault has a remedy, in a few sentences that a user can read.
        public let problems: [String]
        /// The reason why the last delivery failed, or nil after a success or before the first
        /// delivery.
        ///
        /// A refusal remains until another delivery fails or ``CrashReporter/deleteUnsent()`` is
        /// called, because the refused report is lost.
        public let sendingFailure: SendingFailure?
        /// The number of reports lost since the start for lack of space or because of unreadable
        /// files.
        package let lostReports: Int
        /// All losses since the start, with the numbers and the reasons.
        ///
        /// The list has lost reports, reports removed by the limits or the sampling, and refused
        /// keys, in sentences that a user can read.
        public var losses: [String] {
            let counts: [(Int, String)] = [
                (lostReports, "lost: \(lastLoss?.message ?? "there was no space.")"),
                (removedReports, "deleted because of the limits on their count, size and age."),
                (sampledErrors, "dropped by the sampling."),
            ]
            let refused = (refusedValues, "refused: there are too many. Set fewer keys.")
            return counts.compactMap { Self.loss("report", $0) }
                + [Self.loss("key", refused)].compactMap(\.self)
        }
        let removedReports: Int
        let refusedValues: Int
        let sampledErrors: Int
        /// The reason for the last lost report, or nil if no report was lost.
        let lastLoss: DiagnosticsError?
        /// The number of runs per release and day, with the number of abnormal ends, oldest day
        /// first.
        ///
        /// The runs are counted on this machine, even if no reports are sent. The end of a run is
        /// counted when the next run starts.
        public let figures: [RunFigures]

        private static func loss(_ noun: String, _ loss: (count: Int, text: String)) -> String? {
            switch loss.count {
            case 0: nil
            case 1: "1 \(noun) was \(loss.text)"
            default: "\(loss.count) \(noun)s were \(loss.text)"
            }
        }
    }

    /// The current state of this reporter.
    ///
    /// Reading the state accesses the files in the folder.
    public var state: State {
        let stored = store.state
        let losses = spool.losses
        let status = capture?.status ?? CaptureStatus(reason: obstacle ?? .refused)
        let failure = run?.failure.map { failure in
            DiagnosticsError(
                .notWritten,
                "Records are lost when the process ends, and crashes leave no report "
                    + "(\(failure)). \(remedy(for: failure)) and restart the program.",
                cause: failure
            )
        }
        return State(
            isRecording: isRecording,
            obstacle: status.reason,
            previousRun: previousRun,
            failure: failure,
            problems: status.problems
                + ForeignFiles(in: configuration.directory).problems.map(\.message)
                + [failure?.message].compactMap(\.self),
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

    /// Installs a signal stack on the calling thread.
    ///
    /// With a signal stack, the handler can report a stack overflow.
    ///
    /// The thread that starts the reporter has a signal stack, and so has each thread that is
    /// created afterwards. Call this method on a thread that was created before. Without a signal
    /// stack, a stack overflow of that thread ends the process without notice. The signal stack is
    /// released when the thread ends.
    public func registerThread() {
        capture?.registerThread()
    }

    /// The registration of the exit handler, which happens once per process.
    ///
    /// The exit handler also forwards text that was written to the standard error right before the
    /// exit.
    private static let exitHandler: Void = CrashCapture.registerExitHandler()

    static func capture(
        _ run: CurrentRun,
        with configuration: Configuration,
        in environment: Environment
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
