// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import TidingsDiagnostics

// The thread sanitizer has its own handlers.
#if !THREAD_SANITIZER
@inline(never)
@_optimize(none)
private func waitBesideTheCrash(_ begun: DispatchSemaphore, for end: DispatchSemaphore) {
    begun.signal()
    end.wait()
    end.signal()
}

@inline(never)
@_optimize(none)
private func spinBesideTheCrash(_ begun: DispatchSemaphore) {
    begun.signal()
    let isOver = Atomic(false)
    while !isOver.load(ordering: .relaxed) {}
}

/// Names the calling thread immediately.
///
/// Foundation cannot name a thread while the thread is being started.
private func nameThread(_ name: String) {
    try? Data(name.utf8).write(to: URL(filePath: "/proc/thread-self/comm"))
}

/// Blocks the signal with which the crashed thread asks for a stack.
private func refuseQuestions() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPROF)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// The threads beside the crashed thread, in the report of another process.
@Suite(.timeLimit(.minutes(15)))
struct CrashThreadsTests {
    private let fixture: CrashFixture

    init() throws {
        fixture = try CrashFixture()
    }

    @Test func theFunctionsOfTheOtherThreadsAreReported() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                nameThread("waiting")
                waitBesideTheCrash(begun, for: end)
            }
            Thread.detachNewThread {
                nameThread("spinning")
                spinBesideTheCrash(begun)
            }
            Thread.detachNewThread {
                nameThread("deaf")
                refuseQuestions()
                waitBesideTheCrash(begun, for: end)
            }
            await waitOnThread { for _ in 0..<3 { begun.wait() } }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        let report = fixture.report(capture)
        #expect(report.has("crashOnPurpose"))
        func functions(of name: String) throws -> [String] {
            let thread = report.threads.first { $0.name == name }
            return try #require(thread, "\(report.threads)").frames.compactMap(\.function)
        }
        let waiting = try functions(of: "waiting")
        #expect(waiting.contains { $0.hasPrefix("waitBesideTheCrash") }, "\(waiting)")
        let spinning = try functions(of: "spinning")
        #expect(spinning.contains { $0.hasPrefix("spinBesideTheCrash") }, "\(spinning)")
        // The deaf thread costs its two neighbors nothing.
        #expect(!report.threads.contains { $0.name == "deaf" })
        #expect(!report.threads.contains { $0.number == report.crash?.thread })
        #expect(Set(report.threads.map(\.number)).count == report.threads.count)
        for frame in report.threads.flatMap(\.frames) where frame.function != nil {
            #expect(report.images.contains { $0.contains(frame.address) } || frame.isGap)
        }
    }

    @Test func ofManyThreadsSixtyFourAreReported() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for _ in 0..<100 { Thread.detachNewThread { waitBesideTheCrash(begun, for: end) } }
            await waitOnThread { for _ in 0..<100 { begun.wait() } }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let capture = try #require(try fixture.capture())
        #expect(capture.isComplete && !capture.isTruncated && !capture.isLate)
        #expect(capture.others.count == 64)
        #expect(fixture.report(capture).has("crashOnPurpose"))
    }

    @Test func aDamagedThreadLeavesTheOthersAndTheCrash() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = fixture.folder.path as String] in
            try CrashFixture.arm(path)
            let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for _ in 0..<4 { Thread.detachNewThread { waitBesideTheCrash(begun, for: end) } }
            await waitOnThread { for _ in 0..<4 { begun.wait() } }
            _ = crashOnPurpose(.badPointer, 1)
        }
        let bytes = try Data(contentsOf: URL(filePath: "\(fixture.folder.path)/0"))
        let whole = try #require(RawCapture(bytes))
        #expect(whole.others.count >= 4 && whole.frames.count > 2)
        var changed = bytes
        // A damaged thread number does not move the thread's calls to another thread.
        let marks = try #require(bytes.range(of: Data([12, 0, 0, 0, 4, 0, 0, 0])))
        changed[marks.upperBound] ^= 0xFF
        let damaged = try #require(RawCapture(changed))
        #expect(damaged.frames == whole.frames && damaged.isComplete)
        #expect(damaged.others.count == whole.others.count - 1)
        for (number, other) in damaged.others { #expect(other == whole.others[number]) }
    }
}

/// Blocks a separate thread, because the threads for tasks are few.
private func waitOnThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}
#endif
