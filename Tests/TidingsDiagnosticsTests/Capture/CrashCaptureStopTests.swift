// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// What a capture took from a process it gives back.
@Suite(.timeLimit(.minutes(5)))
struct CrashCaptureStopTests {
    private static let signals = [SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGTERM, SIGINT, SIGHUP]

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
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

    /// Joined, so that everything that goes with the thread is gone.
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

    @Test func aStopGivesEverythingBackAndAnotherStartWorks() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            Self.setStack(size: nil)
            for round in 0..<3 {
                let before = (Self.handlers, Self.standardError, Self.stackSize)
                let files = Self.openFiles
                let sut = try CrashPlace.start(path)
                try #require(Self.handlers != before.0 && Self.stackSize == SignalStack.size)
                sut.waitForImages()
                sut.stop()
                sut.stop()
                try #require(sut.status.reason == .asked)
                try #require(before == (Self.handlers, Self.standardError, Self.stackSize))
                // The mark is the test's own, and the first time others open what they need.
                try #require(round == 0 || Self.openFiles == files + 1)
            }
            let sut = try CrashPlace.start(path, capturesStandardError: true)
            let before = Self.standardError
            sut.stop()
            try #require(Self.standardError != before)
            _ = try CrashPlace.start(path, capturesStandardError: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture()?.isComplete == true)
    }

    @Test func afterAStopACrashLeavesNothing() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.start(path).stop()
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture() == nil)
    }

    @Test func onlyOneCaptureRunsAtATime() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            let first = try CrashPlace.start(path)
            let second = try CrashPlace.start(path)
            try #require(second.status.reason == .alreadyCapturing)
            second.stop()
            try #require(first.status.isOn)
            first.stop()
            try #require(try CrashPlace.start(path).status.isOn)
            exit(0)
        }
    }

    @Test func aThreadsStackForSignalsGoesWithIt() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            let before = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            for _ in 0..<50 { Self.onThread { try? SignalStack.giveToThread() } }
            let after = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
            let lines = [before, after].map { $0.split(separator: "\n").count }
            try #require(lines[1] - lines[0] < 10, "\(lines)")
            exit(0)
        }
    }

    @Test func aStackThatIsLargeEnoughStaysAndASmallOneComesBack() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            Self.setStack(size: SignalStack.enough)
            try SignalStack.giveToThread()
            try #require(Self.stackSize == SignalStack.enough)
            SignalStack.takeFromThread()
            try #require(Self.stackSize == SignalStack.enough)
            Self.setStack(size: 8_192)
            try SignalStack.giveToThread()
            try SignalStack.giveToThread()
            try #require(Self.stackSize == SignalStack.size)
            SignalStack.takeFromThread()
            try #require(Self.stackSize == 8_192)
            exit(0)
        }
    }
}
#endif
