// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// A crash beside a stop has a whole report, or goes where it would have gone without a capture.
@Suite(.timeLimit(.minutes(5)))
struct CrashDisarmTests {
    private static let calls = Atomic(0)
    private static let isReady = Atomic(false)

    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test func afterAStopAHandlerThatStillCallsThisOneGoesOnAsBefore() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in Self.calls.add(1, ordering: .relaxed) }
            let sut = try CrashPlace.start(path)
            var action = sigaction()
            // Keeps the one before, and calls it.
            action.__sigaction_handler.sa_sigaction = { signal, info, context in
                let earlier = Later.earlier.load(ordering: .relaxed)
                unsafeBitCast(earlier, to: Later.Handler.self)(signal, info, context)
            }
            action.sa_flags = SA_SIGINFO
            var earlier = sigaction()
            sigaction(SIGSEGV, &action, &earlier)
            let handler = unsafeBitCast(earlier.__sigaction_handler.sa_handler, to: Int.self)
            Later.earlier.store(handler, ordering: .relaxed)
            sut.stop()
            for _ in 0..<200 { raise(SIGSEGV) }
            _exit(Self.calls.load(ordering: .relaxed) == 200 ? 0 : 1)
        }
        #expect(try place.capture() == nil)
    }

    /// Files that are opened after a stop have the numbers of those that were closed.
    @Test(arguments: 1...CrashRounds.few)
    func aCrashBesideAStopIsWholeOrNone(_ round: Int) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = place.folder.path as String, round = round as Int] in
            let sut = try CrashPlace.start(path)
            sut.waitForImages()
            Thread.detachNewThread {
                while !Self.isReady.load(ordering: .relaxed) {}
                for _ in 0..<round * 50 { _ = Self.calls.load(ordering: .relaxed) }
                _ = crashOnPurpose(.badPointer, 1)
            }
            Self.isReady.store(true, ordering: .relaxed)
            sut.stop()
            for number in 0..<32 { _ = open("\(path)/later\(number)", O_RDWR | O_CREAT, 0o600) }
            await theEnd()
        }
        let capture = try place.capture()
        #expect(capture.map { $0.isComplete && !$0.isTruncated } ?? true)
        for name in place.folder.names where name.hasPrefix("later") {
            #expect(try place.folder.text(of: name).isEmpty)
        }
    }

    /// What is mapped makes the report take so long that the stop comes in the middle of it.
    @Test func aStopWaitsForACrashThatHasBegun() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            let sut = try CrashPlace.start(path)
            sut.waitForImages()
            try StrangeMemory.mapOften(10_000, in: path)
            Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) }
            let report = open("\(path)/0", O_RDONLY)
            var byte: UInt8 = 0
            while pread(report, &byte, 1, 0) == 1, byte == 0 {}
            sut.stop()
            close(open("\(path)/stopped", O_RDWR | O_CREAT, 0o600))
            await theEnd()
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isRecovered)
        #expect(!place.folder.names.contains("stopped"))
    }

    /// Nobody reads where the standard error leads, so a stop takes as long as it may.
    @Test func aCrashDuringAStopGoesWhereItWouldHaveGone() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            dup2(open("\(path)/earlier", O_RDWR | O_CREAT, 0o600), 200)
            signal(SIGSEGV) { _ in
                _ = write(200, "called", 6)
                signal(SIGSEGV, SIG_DFL)
            }
            let full = try SystemPipe()
            _ = fcntl(full.input, F_SETFL, O_NONBLOCK)
            while write(full.input, "full", 4) > 0 {}
            dup2(full.input, STDERR_FILENO)
            let sut = try CrashPlace.start(path, capturesStandardError: true)
            for _ in 0..<100 { CrashPlace.say(String(repeating: "text ", count: 100)) }
            Thread.detachNewThread {
                // The standard error is back before the rest of the text is waited for.
                while !Self.isSame(STDERR_FILENO, full.input) {}
                _ = crashOnPurpose(.badPointer, 1)
            }
            sut.stop()
            await theEnd()
        }
        #expect(try place.capture() == nil)
        #expect(try place.folder.text(of: "earlier") == "called")
    }

    private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_ino == second.st_ino
    }

    @Test func aStartAfterAStopTakesTheSignalsAgain() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            try CrashPlace.start(path).stop()
            _ = try CrashPlace.start(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        #expect(try place.capture()?.isComplete == true)
    }
}

private enum Later {
    typealias Handler =
        @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    static let earlier = Atomic<Int>(0)
}
#endif
