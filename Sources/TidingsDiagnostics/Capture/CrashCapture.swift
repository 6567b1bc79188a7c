// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import CTidingsCrash
import Dispatch
import Foundation
import Tidings
import TidingsFiles
import TidingsLock

/// Installs and removes the signal handlers of this process.
///
/// A process has at most one capture. No method throws: setup problems are part of the status, and
/// a crash is reported without the missing parts.
final class CrashCapture: Sendable {
    /// The paths of a run's files.
    struct Paths: Sendable {
        /// The paths of two report files.
        ///
        /// The second file is for a crash after a crash that the process survived.
        var reports: [String]
        /// The path of the list of loaded images.
        var images: String
    }

    private struct State {
        var isRunning = false
        var files: [Int32] = []
        var problems: [String] = []
        var reason: CaptureObstacle?
        var capturesStandardError = false
    }

    /// The process of the active capture.
    ///
    /// A forked child inherits the parent's number.
    private static let owner = Lock<pid_t>(0)

    private let process = getpid()
    private let state = Lock(State())
    private let imagesAreWritten = DispatchGroup()

    /// Whether crashes are captured now, and all problems of the setup.
    var status: CaptureStatus {
        state.withLock { state in
            CaptureStatus(
                reason: state.reason,
                capturesStandardError: state.capturesStandardError,
                problems: state.problems
            )
        }
    }

    /// Whether the signal handler is installed.
    var isArmed: Bool { state.withLock { $0.isRunning } }

    private init() {}

    /// Installs the signal handlers of this process.
    ///
    /// The calling thread, and each thread that is created afterwards, gets a signal stack. All
    /// pointers must remain valid until the process ends.
    ///
    /// - Parameters:
    ///   - paths: The paths of the run's files.
    ///   - endMark: The word that records how the run ended.
    ///   - runMemory: The mapped file of the run, whose truncation the handler repairs.
    ///   - text: A buffer for a `tidings_crash_text`, or nil to allocate the buffer.
    ///   - capturesStandardError: Whether to replace the standard error by a pipe, so that a report
    ///     contains its newest lines.
    ///   - symbolicator: Lists the loaded images.
    ///   - timeLimit: The maximum elapsed time of a crash report. Zero means the handler's default.
    /// - Returns: The capture, whose status indicates whether capturing is active.
    static func start(
        in paths: Paths,
        endMark: UnsafeMutablePointer<UInt32>? = nil,
        runMemory: UnsafeMutableRawBufferPointer? = nil,
        text: UnsafeMutableRawPointer? = nil,
        capturesStandardError: Bool = false,
        symbolicator: any Symbolicator = DebugSymbolicator(),
        timeLimit: Duration = .zero
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
        setup.run_memory = runMemory?.baseAddress
        setup.run_memory_size = UInt64(runMemory?.count ?? 0)
        setup.page_size = UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
        // This symbol is private, but the C library keeps its layout stable for debuggers.
        setup.abort_message = UnsafeRawPointer(dlsym(nil, "__abort_msg"))
        setup.text_pipe = -1
        setup.text_output = -1
        setup.time_limit = UInt64(timeLimit / .nanoseconds(1))
        capture.prepareFiles(&setup, paths)
        capture.prepareMemory(&setup)
        capture.registerThread()
        // On a thread without a signal stack, a stack overflow ends the process without a report.
        tidings_crash_observe_threads { try? SignalStack.install() }
        if capturesStandardError { capture.redirectStandardError(&setup, text) }
        capture.arm(&setup)
        capture.writeImages(to: paths.images, symbolicator)
        return capture
    }

    private func arm(_ setup: inout tidings_crash_setup) {
        let error = tidings_crash_arm(&setup)
        guard error != 0 else { return state.withLock { $0.isRunning = true } }
        errno = error
        report(SystemError("sigaction"), "Allow the program to install signal handlers.")
        state.withLock { $0.isRunning = true }
        stop()
        state.withLock { $0.reason = .refused }
    }

    /// Installs a signal stack on the calling thread, so that the handler can report a stack
    /// overflow.
    ///
    /// The stack is released when the thread ends. A thread keeps an earlier signal stack that is
    /// large enough.
    func registerThread() {
        do throws(SystemError) {
            try SignalStack.install()
        } catch {
            report(
                error,
                "A stack overflow leaves no report. Raise the memory limit."
            )
        }
    }

    /// Marks the run as ended normally.
    ///
    /// This method has no effect in a forked child.
    func markClean() {
        guard state.withLock({ $0.isRunning }) else { return }
        tidings_crash_end_cleanly()
    }

    /// Registers an exit handler that marks the run as ended normally when `exit` is called or main
    /// returns.
    ///
    /// One call per process is enough. The handler has no effect without an active capture.
    static func registerExitHandler() {
        atexit { tidings_crash_end_cleanly() }
    }

    /// Restores the signal handlers, the standard error and the calling thread's signal stack.
    ///
    /// This method waits for a crash that is being reported on another thread. A call in a forked
    /// child has no effect, because the handlers pass signals on there.
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
        // A crash that does not finish still needs all resources.
        guard tidings_crash_disarm() == 0 else { return }
        for file in files { close(file) }
        tidings_crash_observe_threads(nil)
        SignalStack.uninstall()
        Self.owner.withLock { $0 = 0 }
    }

    /// Overwrites the captured text of the standard error.
    func discardText() {
        guard state.withLock({ $0.isRunning }) else { return }
        tidings_crash_forget_text()
    }

    /// Waits until the list of loaded images is written.
    func waitForImages() {
        imagesAreWritten.wait()
    }
}

extension CrashCapture {
    private func report(_ error: some Error, _ remedy: String) {
        let problem = "\(error). \(remedy)"
        state.withLock { state in
            if !state.problems.contains(problem) { state.problems.append(problem) }
        }
    }

    private func keep(_ file: Int32) {
        guard file >= 0 else { return }
        state.withLock { $0.files.append(file) }
    }

    private func prepareFiles(_ setup: inout tidings_crash_setup, _ paths: Paths) {
        var files: [Int32] = [-1, -1]
        for (index, path) in paths.reports.prefix(2).enumerated() {
            files[index] = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            keep(files[index])
            guard files[index] >= 0 else {
                report(SystemError("open"), "Make \(path) writable.")
                continue
            }
            do throws(SystemError) {
                try FileSpace.allocate(Int(TIDINGS_CRASH_REPORT_SIZE), for: files[index])
            } catch {
                report(
                    error,
                    "Crashes may leave no report. Free 512 KiB on the disk of \(path) and restart "
                        + "the program."
                )
            }
        }
        setup.report_files = (files[0], files[1])
    }

    private func prepareMemory(_ setup: inout tidings_crash_setup) {
        setup.memory_file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        keep(setup.memory_file)
        setup.memory_pipe = (-1, -1)
        // The pipe is needed only if the system allows neither of the better methods.
        guard let pipe = try? SystemPipe() else { return }
        for end in [pipe.output, pipe.input] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            keep(end)
        }
        setup.memory_pipe = (pipe.output, pipe.input)
    }

    private func redirectStandardError(
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
                error,
                "Crash reports contain no text. Raise the limit of open files."
            )
        }
    }

    /// Returns a buffer that is never freed, because a handler may use the buffer at any time.
    private static func ownText() -> UnsafeMutablePointer<tidings_crash_text> {
        let text = UnsafeMutablePointer<tidings_crash_text>.allocate(capacity: 1)
        text.initialize(to: tidings_crash_text())
        return text
    }

    /// Writes the list of loaded images in the background.
    ///
    /// Listing the images takes too long for a start. The report of an earlier crash contains its
    /// own list.
    private func writeImages(to path: String, _ symbolicator: any Symbolicator) {
        DispatchQueue.global(qos: .utility).async(group: imagesAreWritten) {
            do {
                let images = try JSONEncoder().encode(symbolicator.captureImages())
                try SystemFile.create(path, content: images)
            } catch {
                self.report(error, "Errors of a killed run have no function names.")
            }
        }
    }
}
#endif
