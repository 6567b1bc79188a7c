// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// What comes after a report: other handlers, the end, or that there is none.
@Suite(.timeLimit(.minutes(5)))
struct CrashSurvivalTests {
    private let place: CrashPlace

    init() throws {
        place = try CrashPlace()
    }

    @Test func promise9_aCrashAfterOneThatWasSurvivedHasAReportOfItsOwn() async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in RawCalls.jump { _ = crashOnPurpose(.abort, 1) } }
            try CrashPlace.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = place.crashes.crashes
        #expect(crashes.map(\.capture.signal?.number) == [SIGSEGV, SIGABRT])
        #expect(crashes.map(\.capture.isRecovered) == [true, false])
        #expect(crashes.allSatisfy { $0.capture.isComplete && !$0.capture.isTruncated })
        #expect(place.report(crashes[1].capture).has("crashOnPurpose"))
    }

    @Test(arguments: [false, true])
    func promise5_aCrashThatWasSurvivedIsMarkedAndTheRunEndsCleanly(
        _ hasStack: Bool
    ) async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = place.folder.path as String, hasStack = hasStack as Bool] in
            CrashCapture.marksCleanAtExit()
            signal(SIGSEGV) { _ in RawCalls.jump { exit(0) } }
            try CrashPlace.arm(path, marksEnd: true)
            if hasStack { CrashPlace.giveThreadAStackForSignals() }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.isRecovered)
        #expect(try place.end == [1, 0, 0, 0])
    }

    @Test func promise5_aHandlerThatExitsHasNotSurvived() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = place.folder.path as String] in
            CrashCapture.marksCleanAtExit()
            signal(SIGSEGV) { _ in exit(3) }
            try CrashPlace.arm(path, marksEnd: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = place.crashes
        #expect(crashes.crashes.map(\.isRecovered) == [false])
        #expect(PreviousRun(crashes, end: .clean) == .crashed)
    }

    @Test func promise5_anEarlierHandlerThatCrashesEndsTheProcessAndTheReportIsWhole() async throws
    {
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in _ = crashOnPurpose(.abort, 1) }
            try CrashPlace.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isRecovered)
        #expect(capture.signal?.number == SIGSEGV)
        #expect(try place.capture(1) == nil)
    }

    /// As long as the handler waits for others, which is two seconds.
    @Test func promise3_aThreadThatCrashesBesideASlowHandlerEndsTheProcess() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGSEGV)) {
            [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in
                Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) }
                while true { pause() }
            }
            try CrashPlace.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = place.crashes.crashes
        #expect(crashes.map(\.capture.isComplete) == [true])
        #expect(crashes.map(\.isRecovered) == [false])
    }

    /// As long as nobody thinks that a handler takes, which is two seconds.
    @Test func promise5_aSlowHandlerAfterWhichTheProcessEndsHasNotSurvived() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = place.folder.path as String] in
            signal(SIGSEGV) { _ in
                poll(nil, 0, 2_100)
                let isSeen = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    tidings_crash_survived()
                    isSeen.signal()
                }
                isSeen.wait()
            }
            try CrashPlace.arm(path, marksEnd: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && !capture.isRecovered)
        #expect(try place.end == [2, UInt8(SIGSEGV), 0, 0])
    }

    @Test func aForkedChildThatCrashesLeavesItsParentsFileAlone() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            try CrashPlace.arm(path, marksEnd: true)
            let child = RawCalls.fork()
            if child == 0 {
                _ = crashOnPurpose(.badPointer, 1)
                _exit(1)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status & 0x7F == SIGSEGV ? 0 : 1)
        }
        #expect(try place.capture() == nil)
        #expect(try place.end == [0, 0, 0, 0])
    }

    @Test func aForkedChildThatExitsDoesNotMarkTheEndOfItsParent() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = place.folder.path as String] in
            CrashCapture.marksCleanAtExit()
            try CrashPlace.arm(path, marksEnd: true)
            let child = RawCalls.fork()
            if child == 0 { exit(7) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status == 7 << 8 ? 0 : 1)
        }
        #expect(try place.end == [0, 0, 0, 0])
    }

    @Test func promise5_theFirstProcessOfAContainerEndsToo() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGSEGV)) {
            [path = place.folder.path as String] in
            var setup = try CrashPlace.setup(path)
            let (fork, unshare) = (RawCalls.fork, RawCalls.unshare)
            // CLONE_NEWPID, and CLONE_NEWUSER for those who may not do that.
            let spaces: Int32 = geteuid() == 0 ? 0x2000_0000 : 0x3000_0000
            let child = fork()
            if child == 0 {
                guard unshare(spaces) == 0 else { _exit(90) }
                let first = fork()
                if first == 0 {
                    guard getpid() == 1, tidings_crash_arm(&setup) == 0 else { _exit(91) }
                    _ = crashOnPurpose(.badPointer, 1)
                    _exit(92)
                }
                _exit(Self.exitCode(of: first))
            }
            _exit(Self.exitCode(of: child))
        }
        let capture = try #require(try place.capture())
        #expect(capture.isComplete && capture.signal?.process == 1)
        #expect(place.report(capture).has("crashOnPurpose"))
    }

    private static func exitCode(of child: Int32) -> Int32 {
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 93
    }
}
#endif
