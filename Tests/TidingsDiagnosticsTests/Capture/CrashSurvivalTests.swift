// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Foundation
import Testing

@testable import TidingsDiagnostics

#if !THREAD_SANITIZER
/// The events after a report: other handlers, and the end or the survival of the process.
@Suite(.timeLimit(.minutes(15)))
struct CrashSurvivalTests {
    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test func r9_aCrashAfterOneThatWasSurvivedHasAReportOfItsOwn() async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in RawCalls.jump { _ = crashOnPurpose(.abort, 1) } }
            try CrashFixture.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = fixture.crashes.crashes
        #expect(crashes.map(\.capture.signal?.number) == [SIGSEGV, SIGABRT])
        #expect(crashes.map(\.capture.isRecovered) == [true, false])
        #expect(crashes.allSatisfy { $0.capture.isComplete && !$0.capture.isTruncated })
        #expect(fixture.report(crashes[1].capture).has("crashOnPurpose"))
    }

    @Test(arguments: [false, true])
    func r5_aCrashThatWasSurvivedIsMarkedAndTheRunEndsCleanly(
        _ hasStack: Bool
    ) async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            [path = fixture.folder.path as String, hasStack = hasStack as Bool] in
            CrashCapture.registerExitHandler()
            signal(SIGSEGV) { _ in RawCalls.jump { exit(0) } }
            try CrashFixture.arm(path, marksEnd: true)
            if hasStack { CrashFixture.installSignalStack() }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.isRecovered)
        #expect(try fixture.end == [1, 0, 0, 0])
    }

    @Test func r5_anExitInAHandlerIsNotASurvivedCrash() async throws {
        await #expect(processExitsWith: .exitCode(3)) { [path = fixture.folder.path as String] in
            CrashCapture.registerExitHandler()
            signal(SIGSEGV) { _ in exit(3) }
            try CrashFixture.arm(path, marksEnd: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = fixture.crashes
        #expect(crashes.crashes.map(\.isRecovered) == [false])
        #expect(PreviousRun(crashes, end: .clean) == .crashed)
    }

    @Test func r5_anEarlierHandlerThatCrashesEndsTheProcessAndTheReportIsWhole() async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in _ = crashOnPurpose(.abort, 1) }
            try CrashFixture.arm(path)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isRecovered)
        #expect(capture.signal?.number == SIGSEGV)
        #expect(try fixture.capture(1) == nil)
    }

    /// A test that takes as long as the handler waits for other threads, two seconds.
    @Test func r3_aThreadThatCrashesBesideASlowHandlerEndsTheProcess() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGSEGV)) {
            [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in
                Thread.detachNewThread { _ = crashOnPurpose(.badPointer, 1) }
                while true { pause() }
            }
            try CrashFixture.arm(path, timeLimit: .zero)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let crashes = fixture.crashes.crashes
        #expect(crashes.map(\.capture.isComplete) == [true])
        #expect(crashes.map(\.isRecovered) == [false])
    }

    /// A test that takes longer than the limit for earlier handlers, two seconds.
    @Test func r5_aSlowHandlerIsNotTakenForASurvivedCrash() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = fixture.folder.path as String] in
            signal(SIGSEGV) { _ in
                poll(nil, 0, 2_100)
                let isSeen = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    tidings_crash_survived()
                    isSeen.signal()
                }
                isSeen.wait()
            }
            try CrashFixture.arm(path, marksEnd: true)
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isRecovered)
        #expect(try fixture.end == [2, UInt8(SIGSEGV), 0, 0])
    }

    @Test func aForkedChildThatCrashesLeavesItsParentsFileAlone() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            try CrashFixture.arm(path, marksEnd: true)
            let child = RawCalls.fork()
            if child == 0 {
                _ = crashOnPurpose(.badPointer, 1)
                _exit(1)
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status & 0x7F == SIGSEGV ? 0 : 1)
        }
        #expect(try fixture.capture() == nil)
        #expect(try fixture.end == [0, 0, 0, 0])
    }

    @Test func aForkedChildThatExitsDoesNotMarkTheEndOfItsParent() async throws {
        await #expect(processExitsWith: .exitCode(0)) { [path = fixture.folder.path as String] in
            CrashCapture.registerExitHandler()
            try CrashFixture.arm(path, marksEnd: true)
            let child = RawCalls.fork()
            if child == 0 { exit(7) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            _exit(status == 7 << 8 ? 0 : 1)
        }
        #expect(try fixture.end == [0, 0, 0, 0])
    }

    @Test func r5_theFirstProcessOfAContainerEndsToo() async throws {
        await #expect(processExitsWith: .exitCode(128 + SIGSEGV)) {
            [path = fixture.folder.path as String] in
            var setup = try CrashFixture.setup(path)
            let (fork, unshare) = (RawCalls.fork, RawCalls.unshare)
            // The flags are CLONE_NEWPID, and CLONE_NEWUSER for a user without that permission.
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
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && capture.signal?.process == 1)
        #expect(fixture.report(capture).has("crashOnPurpose"))
    }

    private static func exitCode(of child: Int32) -> Int32 {
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 93
    }
}
#endif
