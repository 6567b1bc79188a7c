// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// A stop restores everything that a capture has changed in the process.
@Suite(.timeLimit(.minutes(15)))
struct CrashCaptureStopTests {
    private static let signals = [SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGTERM, SIGINT, SIGHUP]

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    private static var handlers: [UInt] {
        signals.map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
        }
    }

    private static var openFiles: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
    }

    private static var standardError: UInt {
        var facts = stat()
        fstat(STDERR_FILENO, &facts)
        return facts.st_ino
    }

    private static var stackSize: Int? {
        var stack = stack_t()
        sigaltstack(nil, &stack)
        return stack.ss_flags & Int32(SS_DISABLE) == 0 ? stack.ss_size : nil
    }

    private static func setStack(size: Int?) {
        var stack = stack_t()
        stack.ss_flags = Int32(SS_DISABLE)
        if let size {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
        }
        sigaltstack(&stack, nil)
    }

    /// Runs `body` on a thread and joins the thread, so that its resources are released.
    private static func onThread(_ body: @escaping @convention(c) () -> Void) {
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            { body in
                guard let body else { return nil }
                unsafeBitCast(body, to: (@convention(c) () -> Void).self)()
                return nil
            },
            unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
        )
        pthread_join(thread, nil)
    }

    @Test func aStopRestoresEverythingAndAnotherStartWorks() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            Self.setStack(size: nil)
            for round in 0..<3 {
                let before = (Self.handlers, Self.standardError, Self.stackSize)
                let files = Self.openFiles
                let sut = try CrashFixture.start(path)
                try #require(Self.handlers != before.0 && Self.stackSize == SignalStack.size)
                sut.waitForImages()
                sut.stop()
                sut.stop()
                try #require(sut.status.reason == .asked)
                try #require(before == (Self.handlers, Self.standardError, Self.stackSize))
                // The mark is a file of the test. The first round also opens files for the system
                // libraries.
                try #require(round == 0 || Self.openFiles == files + 1)
            }
            let sut = try CrashFixture.start(path, capturesStandardError: true)
            let before = Self.standardError
            sut.stop()
            try #require(Self.standardError != before)
            _ = try CrashFixture.start(path, capturesStandardError: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.capture()?.isComplete == true)
    }

    @Test func afterAStopACrashLeavesNothing() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.start(path).stop()
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.capture() == nil)
    }

    @Test func onlyOneCaptureRunsAtATime() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            let first = try CrashFixture.start(path)
            let second = try CrashFixture.start(path)
            try #require(second.status.reason == .alreadyCapturing)
            second.stop()
            try #require(first.status.isOn)
            first.stop()
            try #require(try CrashFixture.start(path).status.isOn)
            exit(0)
        }
    }

    @Test func aSignalStackIsReleasedWithItsThread() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            let before = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            for _ in 0..<50 { Self.onThread { try? SignalStack.install() } }
            let after = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            let lines = [before, after].map { $0.split(separator: "\n").count }
            try #require(lines[1] - lines[0] < 10, "\(lines)")
            exit(0)
        }
    }

    @Test func aLargeSignalStackStaysAndASmallOneIsRestored() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            Self.setStack(size: SignalStack.sufficientSize)
            try SignalStack.install()
            try #require(Self.stackSize == SignalStack.sufficientSize)
            SignalStack.uninstall()
            try #require(Self.stackSize == SignalStack.sufficientSize)
            Self.setStack(size: 8_192)
            try SignalStack.install()
            try SignalStack.install()
            try #require(Self.stackSize == SignalStack.size)
            SignalStack.uninstall()
            try #require(Self.stackSize == 8_192)
            exit(0)
        }
    }
}
#endif
