// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TidingsFiles

extension CrashReporter {
    /// The state of a reporter, including all setup problems.
    ///
    /// A program shows it in the place where its user looks for such information:
    ///
    /// ```swift
    /// if let failure = reporter.state.failure { print(failure) }
    /// ```
    public struct State: Sendable {
        /// Whether errors and breadcrumbs are recorded.
        public let isRecording: Bool
        /// Whether crashes are captured, and the reason if they are not.
        public let capture: CaptureStatus
        /// The reason why records end with the process; nil if they outlive it.
        public let failure: DiagnosticsError?
        /// Other problems with the folder, such as files that belong to another user.
        public let problems: [DiagnosticsError]
        /// Why the last delivery failed; nil after a successful delivery or before the first one.
        ///
        /// A refusal remains until another delivery fails or ``CrashReporter/deleteUnsent()`` is
        /// called, because the refused report is lost.
        public let sendingFailure: SendingFailure?
    }

    /// The current state of this reporter.
    ///
    /// Reading it accesses the files in the folder.
    public var state: State {
        State(
            isRecording: isRecording,
            capture: capture?.status ?? CaptureStatus(reason: obstacle ?? .refused),
            failure: run?.failure.map { failure in
                DiagnosticsError(
                    .notWritten,
                    "Records are lost when the process ends, and crashes leave no report "
                        + "(\(failure)). \(remedy(for: failure)) and restart the program.",
                    cause: failure
                )
            },
            problems: ForeignFiles(in: configuration.directory).problems,
            sendingFailure: store.state.sendingFailure
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
    /// afterwards. Call this method on a thread that was created before: without a signal stack, its
    /// stack overflow ends the process without notice. The signal stack is released when its thread
    /// ends.
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
