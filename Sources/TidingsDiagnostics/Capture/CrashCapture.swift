// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Dispatch
import Foundation
import Tidings

/// The Swift side of the signal handler: gives it what it works with, and takes it back.
///
/// One at a time in a process. Nothing here throws: what could not be set up is in the status, and
/// crashes leave what they can without it.
final class CrashCapture: Sendable {
    /// Where the files of a run are.
    struct Places: Sendable {
        /// Two, the second for a crash after one that was survived.
        var reports: [String]
        /// The list of what is loaded.
        var images: String
    }

    private struct State {
        var isRunning = false
        var files: [Int32] = []
        var problems: [CaptureStatus.Problem] = []
        var reason: CaptureStatus.Reason?
        var capturesStandardError = false
    }

    /// The process whose capture is running; a child that was forked has inherited the number.
    private static let owner = Lock<pid_t>(0)

    private let process = getpid()
    private let state = Lock(State())
    private let imagesAreWritten = DispatchGroup()

    /// Whether crashes are captured now, and what could not be set up.
    var status: CaptureStatus {
        state.withLock { state in
            CaptureStatus(
                reason: state.reason,
                capturesStandardError: state.capturesStandardError,
                problems: state.problems
            )
        }
    }

    private init() {}

    /// Takes the signals of this process.
    ///
    /// Call it on the main thread, so that it can say that its stack is full; another thread can
    /// be registered. The two pointers must be valid as long as the process lives.
    ///
    /// - Parameters:
    ///   - places: Where the files of this run are.
    ///   - endMark: The word that says how the run ended.
    ///   - text: Room for a `tidings_crash_text`; own room when nil.
    ///   - capturesStandardError: Whether the standard error leads through a pipe, so that its
    ///     end can be reported.
    ///   - symbolicator: Who knows what is loaded.
    /// - Returns: The capture; its status tells whether it is one.
    static func start(
        in places: Places,
        endMark: UnsafeMutablePointer<UInt32>? = nil,
        text: UnsafeMutableRawPointer? = nil,
        capturesStandardError: Bool = false,
        symbolicator: any Symbolicator = RuntimeSymbolicator()
    ) -> CrashCapture {
        let capture = CrashCapture()
        let isFree = owner.withLock { owner in
            defer { owner = capture.process }
            return owner != capture.process
        }
        guard isFree else {
            capture.state.withLock { $0.reason = .alreadyCapturing }
            return capture
        }
        var setup = tidings_crash_setup()
        setup.end_mark = endMark
        setup.text_pipe = -1
        setup.text_output = -1
        capture.prepareFiles(&setup, places)
        capture.prepareMemory(&setup)
        capture.registerThread()
        if capturesStandardError { capture.leadStandardError(&setup, text) }
        capture.arm(&setup)
        capture.writeImages(to: places.images, symbolicator)
        return capture
    }

    private func arm(_ setup: inout tidings_crash_setup) {
        let error = tidings_crash_arm(&setup)
        guard error != 0 else { return state.withLock { $0.isRunning = true } }
        errno = error
        report(.signals, SystemError("sigaction"), "Allow the program to handle its signals.")
        state.withLock { $0.isRunning = true }
        stop()
        state.withLock { $0.reason = .refused }
    }

    /// Gives the calling thread a stack for signals, so that it can say that its own is full.
    ///
    /// It goes with its thread; a thread that has one that is large enough keeps it.
    func registerThread() {
        do throws(SystemError) {
            try SignalStack.giveToThread()
        } catch {
            report(
                .signalStack,
                error,
                "A thread that runs out of stack leaves no report. Raise the limit of memory."
            )
        }
    }

    /// Marks that the run ends by itself; nothing in a child that was forked.
    func markClean() {
        guard state.withLock({ $0.isRunning }) else { return }
        tidings_crash_end_cleanly()
    }

    /// Marks the end by itself whenever the process exits: by `exit`, or by a return from main.
    ///
    /// Once in a process is enough; without a running capture the exit marks nothing.
    static func marksCleanAtExit() {
        atexit { tidings_crash_end_cleanly() }
    }

    /// Gives the signals, the standard error and the calling thread's stack back.
    ///
    /// Waits for a crash that has begun on another thread. In a child that was forked it does
    /// nothing: there the signals are as if nobody had taken them.
    func stop() {
        guard process == getpid() else { return }
        let files = state.withLock { state -> [Int32]? in
            guard state.isRunning else { return nil }
            state.isRunning = false
            state.reason = .asked
            state.capturesStandardError = false
            defer { state.files = [] }
            return state.files
        }
        guard let files else { return }
        // A crash that does not come to its end still has everything.
        guard tidings_crash_disarm() == 0 else { return }
        for file in files { close(file) }
        SignalStack.takeFromThread()
        Self.owner.withLock { $0 = 0 }
    }

    /// Forgets what was kept of the standard error.
    func forgetText() {
        guard state.withLock({ $0.isRunning }) else { return }
        tidings_crash_forget_text()
    }

    /// Waits for the list of what is loaded.
    func waitForImages() {
        imagesAreWritten.wait()
    }
}

extension CrashCapture {
    private func report(
        _ part: CaptureStatus.Problem.Part,
        _ error: some Error,
        _ remedy: String
    ) {
        let problem = CaptureStatus.Problem(part: part, message: "\(error). \(remedy)")
        state.withLock { state in
            if !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    private func keep(_ file: Int32) {
        guard file >= 0 else { return }
        state.withLock { $0.files.append(file) }
    }

    private func prepareFiles(_ setup: inout tidings_crash_setup, _ places: Places) {
        var files: [Int32] = [-1, -1]
        for (index, path) in places.reports.prefix(2).enumerated() {
            files[index] = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            keep(files[index])
            guard files[index] >= 0 else {
                report(.reportFile, SystemError("open"), "Make \(path) a file to write.")
                continue
            }
            do throws(SystemError) {
                try FileSpace.allocate(Int(TIDINGS_CRASH_REPORT_SIZE), for: files[index])
            } catch {
                report(
                    .reportFile,
                    error,
                    "Crashes may leave no report. Free 512 KiB where \(path) is, and start again."
                )
            }
        }
        setup.report_files = (files[0], files[1])
    }

    private func prepareMemory(_ setup: inout tidings_crash_setup) {
        setup.memory_file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        keep(setup.memory_file)
        setup.memory_pipe = (-1, -1)
        // Only where the system allows neither of the better ways.
        guard let pipe = try? SystemPipe() else { return }
        for end in [pipe.output, pipe.input] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            keep(end)
        }
        setup.memory_pipe = (pipe.output, pipe.input)
    }

    private func leadStandardError(
        _ setup: inout tidings_crash_setup,
        _ text: UnsafeMutableRawPointer?
    ) {
        do throws(SystemError) {
            let tee = try StandardErrorTee()
            setup.text_pipe = tee.pipe
            setup.text_output = tee.output
            let room = text?.assumingMemoryBound(to: tidings_crash_text.self)
            setup.text = room ?? Self.ownText()
            state.withLock { $0.capturesStandardError = true }
            tee.start()
        } catch {
            report(
                .standardError,
                error,
                "Crashes have no text. Raise the limit of open files."
            )
        }
    }

    /// Never given back: a handler may work with it at any time.
    private static func ownText() -> UnsafeMutablePointer<tidings_crash_text> {
        let text = UnsafeMutablePointer<tidings_crash_text>.allocate(capacity: 1)
        text.initialize(to: tidings_crash_text())
        return text
    }

    /// Looking at what is loaded takes longer than a start may; a crash before that is done tells
    /// itself what is loaded.
    private func writeImages(to path: String, _ symbolicator: any Symbolicator) {
        DispatchQueue.global(qos: .utility).async(group: imagesAreWritten) {
            do {
                let images = try JSONEncoder().encode(symbolicator.captureImages())
                try SystemFile.write(images, to: path)
            } catch {
                self.report(.images, error, "Errors of a killed run have no functions.")
            }
        }
    }
}
#endif
