// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// A crash during a stop has a complete report, or is handled as if there were no capture.
@Suite(.timeLimit(.minutes(15)))
struct CrashDisarmTests {
    private static let calls = Atomic(0)
    private static let isReady = Atomic(false)

    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test func afterAStopALaterHandlerCanStillCallThisOne() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in Self.calls.add(1, ordering: .relaxed) }
            let sut = try CrashFixture.start(path)
            var action = sigaction()
            // The action saves the earlier handler and calls it.
            action.__sigaction_handler.sa_sigaction = { signal, info, context in
                let earlier = SavedHandler.earlier.load(ordering: .relaxed)
                unsafeBitCast(earlier, to: SavedHandler.Handler.self)(signal, info, context)
            }
            action.sa_flags = SA_SIGINFO
            var earlier = sigaction()
            sigaction(SIGSEGV, &action, &earlier)
            let handler = unsafeBitCast(earlier.__sigaction_handler.sa_handler, to: Int.self)
            SavedHandler.earlier.store(handler, ordering: .relaxed)
            sut.stop()
            for _ in 0..<200 { raise(SIGSEGV) }
            _exit(Self.calls.load(ordering: .relaxed) == 200 ? 0 : 1)
        }
        #expect(try fixture.capture() == nil)
    }

    /// Files that are opened after a stop reuse the closed descriptors.
    @Test(arguments: 1...CrashRounds.many)
    func aCrashDuringAStopIsCompleteOrMissing(_ round: Int) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String, round = round as Int] in
            let sut = try CrashFixture.start(path)
            sut.waitForImages()
            Thread.detachNewThread {
                while !Self.isReady.load(ordering: .relaxed) {}
                for _ in 0..<round * 50 { _ = Self.calls.load(ordering: .relaxed) }
                _ = crashOnPurpose(.badPointer, 1)
            }
            Self.isReady.store(true, ordering: .relaxed)
            sut.stop()
            for number in 0..<32 { _ = open("\(path)/later\(number)", O_RDWR | O_CREAT, 0o600) }
            await waitForEnd()
        }
        let capture = try fixture.capture()
        #expect(capture.map { $0.isComplete && !$0.isTruncated } ?? true)
        for name in fixture.folder.names where name.hasPrefix("later") {
            #expect(try fixture.folder.text(of: name).isEmpty)
        }
    }

    /// A stop during a report, because listing the mappings takes long.
    @Test func aStopWaitsForACrashThatHasBegun() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            let sut = try CrashFixture.start(path)
            sut.waitForImages()
            try StrangeMemory.mapOften(10_000, in: path)
            Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) }
            let report = open("\(path)/0", O_RDONLY)
            var byte: UInt8 = 0
            while pread(report, &byte, 1, 0) == 1, byte == 0 {}
            sut.stop()
            close(open("\(path)/stopped", O_RDWR | O_CREAT, 0o600))
            await waitForEnd()
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isRecovered)
        #expect(!fixture.folder.names.contains("stopped"))
    }

    /// The standard error has no reader, so a stop takes its maximum time.
    @Test func aCrashDuringAStopIsPassedToTheEarlierHandler() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            dup2(open("\(path)/earlier", O_RDWR | O_CREAT, 0o600), 200)
            signal(SIGSEGV) { _ in
                _ = write(200, "called", 6)
                signal(SIGSEGV, SIG_DFL)
            }
            let full = try SystemPipe()
            _ = fcntl(full.input, F_SETFL, O_NONBLOCK)
            while write(full.input, "full", 4) > 0 {}
            dup2(full.input, STDERR_FILENO)
            let sut = try CrashFixture.start(path, capturesStandardError: true)
            for _ in 0..<100 { CrashFixture.writeError(String(repeating: "text ", count: 100)) }
            Thread.detachNewThread {
                // The standard error is restored before the rest of the text is forwarded.
                while !Self.isSame(STDERR_FILENO, full.input) {}
                _ = crashOnPurpose(.badPointer, 1)
            }
            sut.stop()
            await waitForEnd()
        }
        #expect(try fixture.capture() == nil)
        #expect(try fixture.folder.text(of: "earlier") == "called")
    }

    private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_ino == second.st_ino
    }

    @Test func aStartAfterAStopInstallsTheHandlersAgain() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.start(path).stop()
            _ = try CrashFixture.start(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try fixture.capture()?.isComplete == true)
    }
}

private enum SavedHandler {
    typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    static let earlier = Atomic<Int>(0)
}
#endif
