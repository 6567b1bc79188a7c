// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The program's own handling of SIGINT, SIGTERM and SIGHUP, which remains unchanged.
@Suite(.timeLimit(.minutes(15)))
struct EndSignalTests {
    private static let callCount = Atomic(0)
    private static let blockedSignals = Atomic(0)
    private static let hasRead = Atomic(false)

    private static var calls: Int { callCount.load(ordering: .relaxed) }

    private static func count() { callCount.add(1, ordering: .relaxed) }

    /// Unblocks all signals, because dispatch threads block most signals.
    private static func unblockAll() {
        var none = sigset_t()
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Records which of two signals are blocked.
    private static func recordBlocked(_ first: Int32, _ second: Int32) {
        var set = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &set)
        let blocked = Int(sigismember(&set, first) + 2 * sigismember(&set, second))
        blockedSignals.store(blocked, ordering: .relaxed)
    }

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    /// Installs a handler of the program before a reporter is started.
    private static func handle(
        _ signal: Int32,
        flags: Int32,
        blocking blocked: [Int32] = [],
        _ handler: @escaping @convention(c) (Int32) -> Void
    ) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = flags
        for number in blocked { sigaddset(&action.sa_mask, number) }
        sigaction(signal, &action, nil)
    }

    /// Reads from a pipe while another thread sends signals and finally a byte.
    ///
    /// If `isInterrupted`, the signals continue until a signal has ended the call. On a busy
    /// machine the reader may get no processor time before thousands of signals.
    private static func readAmongSignals(
        isInterrupted: Bool
    ) throws -> (count: Int, error: Int32) {
        let pipe = try SystemPipe()
        let (reader, input) = (RawCalls.thread(), pipe.input)
        Thread.detachNewThread {
            var sent = 0
            while sent < 20_000 || (isInterrupted && !hasRead.load(ordering: .relaxed)) {
                _ = RawCalls.sendToThread(getpid(), reader, SIGTERM)
                sent += 1
            }
            _ = write(input, "!", 1)
        }
        var byte: UInt8 = 0
        let count = read(pipe.output, &byte, 1)
        let error = errno
        hasRead.store(true, ordering: .relaxed)
        return (count, error)
    }

    @Test(arguments: [false, true])
    func aSystemCallIsInterruptedAsTheProgramRequested(_ isRestarted: Bool) async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = fixture.folder.path as String, isRestarted = isRestarted as Bool] in
            Self.handle(SIGTERM, flags: isRestarted ? SA_RESTART : 0) { _ in
                Self.count()
            }
            Self.unblockAll()
            try CrashFixture.arm(path, marksEnd: true)
            let (count, error) = try Self.readAmongSignals(isInterrupted: !isRestarted)
            try #require(Self.calls > 0)
            try #require(isRestarted ? count == 1 : count == -1 && error == EINTR)
            _exit(0)
        }
    }

    @Test(arguments: [false, true])
    func theProgramsSignalMaskIsKept(_ isNested: Bool) async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = fixture.folder.path as String, isNested = isNested as Bool] in
            let nodefer: Int32 = 0x4000_0000
            Self.handle(SIGHUP, flags: isNested ? nodefer : 0, blocking: [SIGUSR1]) { _ in
                Self.recordBlocked(SIGUSR1, SIGHUP)
            }
            Self.unblockAll()
            try CrashFixture.arm(path, marksEnd: true)
            raise(SIGHUP)
            let blocked = Self.blockedSignals.load(ordering: .relaxed)
            try #require(blocked == (isNested ? 1 : 3))
            _exit(0)
        }
        #expect(try fixture.end == [0, 0, 0, 0])
    }

    @Test func aOneShotHandlerIsCalledOnce() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            [path = fixture.folder.path as String] in
            let once = Int32(bitPattern: 0x8000_0000)
            Self.handle(SIGTERM, flags: once) { _ in Self.count() }
            Self.unblockAll()
            try CrashFixture.arm(path, marksEnd: true)
            raise(SIGTERM)
            guard Self.calls == 1 else { _exit(1) }
            raise(SIGTERM)
            _exit(2)
        }
        #expect(try fixture.end == [2, UInt8(SIGTERM), 0, 0])
    }

    @Test func aStopRestoresTheDefaultAfterAOneShotHandler() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            [path = fixture.folder.path as String] in
            let once = Int32(bitPattern: 0x8000_0000)
            Self.handle(SIGTERM, flags: once) { _ in Self.count() }
            Self.unblockAll()
            let sut = try CrashFixture.start(path)
            raise(SIGTERM)
            sut.stop()
            raise(SIGTERM)
            _exit(2)
        }
        #expect(try fixture.end == [0, 0, 0, 0])
    }

    @Test func r7_aHandlerThatExitsHasEndedByItsSignal() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = fixture.folder.path as String] in
            CrashCapture.registerExitHandler()
            signal(SIGTERM) { _ in exit(3) }
            Self.unblockAll()
            try CrashFixture.arm(path, marksEnd: true)
            raise(SIGTERM)
            _exit(1)
        }
        #expect(try fixture.end == [2, UInt8(SIGTERM), 0, 0])
    }

    @Test(arguments: [false, true])
    func r7_aSignalDuringAnExitChangesNothing(_ isHandled: Bool) async throws {
        await #expect(processExitsWith: isHandled ? .exitCode(0) : .signal(SIGTERM)) {
            [path = fixture.folder.path as String, isHandled = isHandled as Bool] in
            if isHandled { signal(SIGTERM) { _ in } }
            // The handler runs after the mark is set, because the handler was registered earlier.
            atexit { raise(SIGTERM) }
            CrashCapture.registerExitHandler()
            Self.unblockAll()
            try CrashFixture.arm(path, marksEnd: true)
            exit(0)
        }
        #expect(try fixture.end == [1, 0, 0, 0])
    }

    /// The system would ignore the signal for the first process of a container without a handler.
    @Test func r7_theFirstProcessOfAContainerEndsBySIGTERM() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            [path = fixture.folder.path as String] in
            var setup = try CrashFixture.setup(path)
            setup.end_mark = try CrashFixture.mark(path)
            let (fork, unshare) = (RawCalls.fork, RawCalls.unshare)
            // The flags are CLONE_NEWPID, and CLONE_NEWUSER for a user without that permission.
            let spaces: Int32 = geteuid() == 0 ? 0x2000_0000 : 0x3000_0000
            guard unshare(spaces) == 0 else { _exit(90) }
            let first = fork()
            if first == 0 {
                Self.unblockAll()
                guard getpid() == 1, tidings_crash_arm(&setup) == 0 else { _exit(91) }
                raise(SIGTERM)
                _exit(92)
            }
            var status: Int32 = 0
            waitpid(first, &status, 0)
            _exit(status & 0x7F == 0 ? status >> 8 & 0xFF : 93)
        }
        #expect(try fixture.end == [2, UInt8(SIGTERM), 0, 0])
    }

    @Test func r7_aClosedRunStaysClosedAndATerminatedOneTerminated() {
        let sut = RunFile(at: nil)
        sut.markClean()
        #expect(sut.endMark?.pointee == 1)
        let other = RunFile(at: nil)
        other.endMark?.pointee = 2 | UInt32(SIGTERM) << 8
        other.markClean()
        #expect(other.endMark?.pointee == 2 | UInt32(SIGTERM) << 8)
    }
}
#endif
