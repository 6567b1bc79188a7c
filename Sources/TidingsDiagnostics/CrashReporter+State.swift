// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

extension CrashReporter {
    /// What a reporter does, and what of it could not be set up.
    ///
    /// A program shows it where its user looks for such things:
    ///
    /// ```swift
    /// if let failure = reporter.state.failure { print(failure) }
    /// ```
    public struct State: Sendable {
        /// Whether errors and breadcrumbs are recorded.
        public let isRecording: Bool
        /// Whether crashes are captured, and why not.
        public let capture: CaptureStatus
        /// Why what is recorded does not outlive the process; nil when it does.
        public let failure: DiagnosticsError?
        /// What else is wrong with the folder, such as files that belong to another user.
        public let problems: [DiagnosticsError]
        /// Why the last delivery did not arrive; nil once one has, or when none was tried.
        ///
        /// A refusal stays until something else fails or ``CrashReporter/deleteUnsent()`` is called,
        /// as what was refused is gone.
        public let sendingFailure: SendingFailure?
    }

    /// What this reporter does now, and what of it could not be set up.
    ///
    /// Looks at the files in the folder.
    public var state: State {
        State(
            isRecording: isRecording,
            capture: capture?.status ?? CaptureStatus(reason: obstacle ?? .refused),
            failure: run?.failure.map { failure in
                DiagnosticsError(
                    .notWritten,
                    "What is recorded ends with the process, and crashes leave nothing "
                        + "(\(failure)). \(remedy(for: failure)), and start again.",
                    cause: failure
                )
            },
            problems: ForeignFiles(in: configuration.directory).problems,
            sendingFailure: store.state.sendingFailure
        )
    }

    private func remedy(for failure: SystemError) -> String {
        switch failure.number {
        case ENOSPC, EDQUOT, EFBIG: "Free 3 MiB where \(configuration.directory) is"
        default: "Make \(configuration.directory) a folder that this user can write"
        }
    }

    var isRecording: Bool { run != nil && !isClosed.load(ordering: .sequentiallyConsistent) }

    /// Gives the calling thread a stack on which it can say that its own is full.
    ///
    /// The thread that starts the reporter has one. Without one, a thread that runs out of stack
    /// ends the process and leaves no report, and the next start calls that
    /// ``PreviousRun/endedWithoutNotice``. It goes with its thread.
    public func registerThread() {
        capture?.registerThread()
    }

    /// What was written to the standard error right before an exit arrives, too.
    private static let marksAtExit: Void = CrashCapture.marksCleanAtExit()

    static func capture(
        _ parts: Parts,
        _ configuration: Configuration,
        _ surroundings: Surroundings
    ) -> CrashCapture? {
        guard parts.obstacle == nil, let run = parts.run, let places = run.places else {
            return nil
        }
        _ = marksAtExit
        return CrashCapture.start(
            in: .init(reports: places.reports, images: places.images),
            endMark: run.file.endMark,
            text: run.file.text,
            capturesStandardError: configuration.capturesStandardError,
            symbolicator: surroundings.symbolicator ?? RuntimeSymbolicator()
        )
    }
}
