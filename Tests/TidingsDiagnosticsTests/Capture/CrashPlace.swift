// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

/// A folder in which a process crashes and another one looks at what it left.
struct CrashPlace: Sendable {
    // All of these processes are one program, and looking into it takes a second.
    private static let symbolicator = CachedSymbolicator(RuntimeSymbolicator())

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Takes the signals of this process, as the program itself does at its start.
    static func arm(
        _ path: String,
        refusing readers: UInt32 = 0,
        text: UnsafeMutableRawPointer? = nil,
        leadsStandardError: Bool = false,
        marksEnd: Bool = false
    ) throws {
        var setup = try setup(path)
        setup.refused_readers = readers
        setup.text = text?.assumingMemoryBound(to: tidings_crash_text.self)
        if leadsStandardError { leadStandardError(&setup) }
        if marksEnd { setup.end_mark = try mark(path) }
        try #require(tidings_crash_arm(&setup) == 0)
    }

    static func setup(_ path: String) throws -> tidings_crash_setup {
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
        return setup
    }

    /// Takes them as a reporter does.
    static func start(
        _ path: String,
        capturesStandardError: Bool = false,
        symbolicator: any Symbolicator = RuntimeSymbolicator()
    ) throws -> CrashCapture {
        CrashCapture.start(
            in: .init(reports: ["\(path)/0", "\(path)/1"], images: "\(path)/images"),
            endMark: try mark(path),
            capturesStandardError: capturesStandardError,
            symbolicator: symbolicator
        )
    }

    /// Puts a pipe in the place of the standard error and forwards what comes.
    private static func leadStandardError(_ setup: inout tidings_crash_setup) {
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

    /// Writes to the standard error, with nothing in between.
    static func say(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    static func giveThreadAStackForSignals() {
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

    /// What the word says that tells how the run ended.
    var end: [UInt8] {
        get throws {
            Array(try Data(contentsOf: URL(filePath: "\(folder.path)/mark")).prefix(4))
        }
    }

    /// The report that the next start would make; nothing was written about images before.
    func report(_ capture: RawCapture) -> Report {
        CrashAssembly(
            symbolicator: Self.symbolicator,
            scribe: Scribe(redactor: Redactor(homes: []))
        ).report(
            capture,
            known: nil,
            isRecovered: false,
            facts: CrashFacts(id: "1", application: "films", release: "1", started: Date())
        )
    }
}
