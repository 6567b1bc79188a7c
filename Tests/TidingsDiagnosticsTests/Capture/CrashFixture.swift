// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

/// A folder in which one process crashes, and whose contents another process reads.
struct CrashFixture: Sendable {
    // All of these processes run one program, whose debug information takes a second to read.
    private static let symbolicator = CachedSymbolicator(DebugSymbolicator())

    /// The time limit of a child, long enough for a wait for the processor of a busy machine.
    static let timeLimit = Duration.seconds(120)

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Installs the handlers of this process, with the C functions only.
    static func arm(
        _ path: String,
        refusing readers: UInt32 = 0,
        text: UnsafeMutableRawPointer? = nil,
        redirectsStandardError: Bool = false,
        marksEnd: Bool = false,
        timeLimit: Duration = CrashFixture.timeLimit
    ) throws {
        var setup = try setup(path, timeLimit: timeLimit)
        setup.refused_readers = readers
        setup.text = text?.assumingMemoryBound(to: tidings_crash_text.self)
        if redirectsStandardError { redirectStandardError(&setup) }
        if marksEnd { setup.end_mark = try mark(path) }
        try #require(tidings_crash_arm(&setup) == 0)
    }

    static func setup(
        _ path: String,
        timeLimit: Duration = CrashFixture.timeLimit
    ) throws -> tidings_crash_setup {
        let files = ["0", "1"].map { name in
            let file = open("\(path)/\(name)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            posix_fallocate(file, 0, 256 << 10)
            return file
        }
        var pipe: [Int32] = [-1, -1]
        #expect(Foundation.pipe(&pipe) == 0)
        for end in pipe { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var setup = tidings_crash_setup()
        setup.report_files = (files[0], files[1])
        setup.text_pipe = -1
        setup.text_output = -1
        setup.memory_file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        setup.memory_pipe = (pipe[0], pipe[1])
        setup.time_limit = UInt64(timeLimit / .nanoseconds(1))
        return setup
    }

    /// Installs the handlers of this process as a reporter does.
    static func start(
        _ path: String,
        capturesStandardError: Bool = false,
        symbolicator: any Symbolicator = DebugSymbolicator()
    ) throws -> CrashCapture {
        CrashCapture.start(
            in: .init(reports: ["\(path)/0", "\(path)/1"], images: "\(path)/images"),
            endMark: try mark(path),
            capturesStandardError: capturesStandardError,
            symbolicator: symbolicator,
            timeLimit: timeLimit
        )
    }

    /// Replaces the standard error by a pipe and forwards the text.
    private static func redirectStandardError(_ setup: inout tidings_crash_setup) {
        var pipe: [Int32] = [-1, -1]
        #expect(Foundation.pipe(&pipe) == 0)
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
        setup.text_pipe = pipe[0]
        setup.text_output = dup(STDERR_FILENO)
        setup.text = .allocate(capacity: 1)
        setup.text.initialize(to: tidings_crash_text())
        dup2(pipe[1], STDERR_FILENO)
        close(pipe[1])
        let (input, output) = (pipe[0], setup.text_output)
        Thread.detachNewThread {
            var wanted = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            while poll(&wanted, 1, -1) > 0, tidings_crash_forward(input, output) == 0 {}
        }
    }

    static func mark(_ path: String) throws -> UnsafeMutablePointer<UInt32>? {
        let file = open("\(path)/mark", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        try #require(ftruncate(file, 4_096) == 0)
        let memory = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return memory?.assumingMemoryBound(to: UInt32.self)
    }

    /// Writes to the standard error directly, without a buffer.
    static func writeError(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    static func installSignalStack() {
        let size = 64 << 10
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
        #expect(sigaltstack(&stack, nil) == 0)
    }

    func capture(_ number: Int = 0) throws -> RawCapture? {
        RawCapture(try Data(contentsOf: URL(filePath: "\(folder.path)/\(number)")))
    }

    var crashes: RunCrashes {
        RunCrashes.read(["\(folder.path)/0", "\(folder.path)/1"])
    }

    /// The word that records how the run ended.
    var end: [UInt8] {
        get throws {
            Array(try Data(contentsOf: URL(filePath: "\(folder.path)/mark")).prefix(4))
        }
    }

    /// Assembles the report of the next start, without a list of images from the start of the run.
    func report(_ capture: RawCapture) -> Report {
        CrashReportBuilder(
            symbolicator: Self.symbolicator,
            writer: RedactingWriter(redactor: Redactor(homes: []))
        ).report(
            capture,
            known: nil,
            isRecovered: false,
            metadata: CrashMetadata(id: "1", application: "films", release: "1", started: Date())
        )
    }
}
