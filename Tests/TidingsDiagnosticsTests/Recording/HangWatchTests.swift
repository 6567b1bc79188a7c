// SPDX-License-Identifier: Apache-2.0
import CTidingsCrash
import Dispatch
import Foundation
import Synchronization
import Testing
import TidingsLock

@testable import TidingsDiagnostics

// The thread sanitizer has its own handlers.
#if !THREAD_SANITIZER
/// An executor with one thread, which a test can stop.
private final class OneThread: SerialExecutor {
    private let queue = DispatchQueue(label: "one-thread")

    func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor Watched {
    private let executor = OneThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    @inline(never)
    @_optimize(none)
    func hangOnPurpose(until end: DispatchSemaphore, begun: @Sendable () -> Void = {}) {
        begun()
        end.wait()
        end.signal()
    }
}

@MainActor
@inline(never)
@_optimize(none)
private func spinOnPurpose(until end: borrowing Atomic<Bool>) {
    while !end.load(ordering: .relaxed) {}
}

private final class End: Sendable {
    let isOver = Atomic(false)
}

@Suite(.timeLimit(.minutes(15)))
struct HangWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func start(
        _ path: String,
        sink: InMemorySink? = nil
    ) throws -> CrashReporter {
        var environment = CrashReporter.Environment()
        environment.crashTimeLimit = CrashFixture.timeLimit
        environment.stackTimeLimit = .seconds(200)
        var configuration = CrashReporter.Configuration(test: path, .on)
        configuration.sink = sink
        let reporter = try CrashReporter.start(configuration, environment)
        if sink != nil { reporter.consent = .given }
        return reporter
    }

    /// Waits for a report that the reporter sends.
    ///
    /// On a busy machine, a report may also concern an actor that was about to run.
    private static func report(
        to sink: InMemorySink,
        where isWanted: (Report) -> Bool = { _ in true }
    ) async throws -> Report {
        var count = 1
        while true {
            let reports = try await sink.deliveries(count).compactMap(\.report)
            if let report = reports.first(where: isWanted) { return report }
            count += 1
        }
    }

    /// Waits for a state of the watches, which have no event for such a state.
    private static func wait(
        _ reporter: CrashReporter,
        until isReached: @Sendable ([HangWatch]) -> Bool
    ) async throws {
        while !reporter.watches.withLock({ isReached($0) }) {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test func watchdogReportsTheStackOfAHangingExecutor() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let sink = InMemorySink()
            let reporter = try Self.start(path, sink: sink)
            let (actor, end) = (Watched(), DispatchSemaphore(value: 0))
            reporter.setValue(7, forKey: "queue")
            reporter.watchHangs(of: actor, longerThan: .milliseconds(200))
            // The watch knows the thread once the actor has answered.
            try await Self.wait(reporter) { $0.first?.thread != nil }
            let hanging = Task { await actor.hangOnPurpose(until: end) }
            let report = try await Self.report(to: sink) { $0.has(part: "hangOnPurpose") }
            end.signal()
            await hanging.value
            try #require(report.errors.map(\.domain) == ["TidingsDiagnostics.Hang"])
            try #require(report.level == .error && report.crash == nil)
            try #require(report.values == ["queue": 7])
            exit(0)
        }
    }

    @Test func watchdogReportsAHangOnceAndItsEnd() async throws {
        enum Event { case hang, end }
        let (actor, end) = (Watched(), DispatchSemaphore(value: 0))
        var hanging: Task<Void, Never>?
        await withCheckedContinuation { begun in
            hanging = Task { await actor.hangOnPurpose(until: end) { begun.resume() } }
        }
        let (events, sink) = AsyncStream.makeStream(of: Event.self)
        let watch = HangWatch(limit: .milliseconds(1), pause: .milliseconds(1))
        watch.start(actor) { _ in
            sink.yield(.hang)
        } onEnd: { _ in
            sink.yield(.end)
        }
        var seen = events.makeAsyncIterator()
        #expect(await seen.next() == .hang)
        // Each of these hangs takes as long as a second report of the same hang would take.
        for _ in 1...20 {
            let other = HangWatch(limit: .milliseconds(1), pause: .milliseconds(1))
            await withCheckedContinuation { reported in
                other.start(actor) { _ in
                    reported.resume()
                } onEnd: { _ in
                }
            }
            other.stop()
        }
        end.signal()
        #expect(await seen.next() == .end)
        watch.stop()
        await hanging?.value
    }

    @Test func watchdogEndsWithItsActor() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            var actor: Watched? = Watched()
            if let actor { reporter.watchHangs(of: actor, longerThan: .milliseconds(2)) }
            try await Self.wait(reporter) { $0.first?.thread != nil }
            actor = nil
            try await Self.wait(reporter) { $0.isEmpty }
            exit(0)
        }
    }

    @Test func watchdogKeepsNoFileOfAThreadThatDoesNotAnswer() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let capture = try CrashFixture.start(path)
            capture.waitForImages()
            let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            // No thread has this number.
            for _ in 1...50 { try #require(capture.stack(of: .max, within: .seconds(9)) == nil) }
            signal(SIGPROF) { _ in }
            for _ in 1...50 { try #require(capture.stack(of: getpid(), within: .zero) == nil) }
            let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            exit(after.count < before.count + 50 ? 0 : 1)
        }
    }

    @Test func anAbortFromOutsideDuringAnAnswerIsReported() async throws {
        let fixture = try CrashFixture()
        await #expect(processExitsWith: .signal(SIGABRT)) {
            [path = fixture.folder.path as String] in
            let capture = try CrashFixture.start(path)
            let (numbers, found) = AsyncStream.makeStream(of: (pthread_t, Int32).self)
            Thread.detachNewThread {
                // The thread inherits the mask of the pool, whose threads block the signal.
                var aborts = sigset_t()
                sigemptyset(&aborts)
                sigaddset(&aborts, SIGABRT)
                pthread_sigmask(SIG_UNBLOCK, &aborts, nil)
                found.yield((pthread_self(), tidings_crash_thread()))
                while true { pause() }
            }
            var iterator = numbers.makeAsyncIterator()
            let (thread, number) = try #require(await iterator.next())
            Thread.detachNewThread {
                while true { _ = capture.stack(of: number, within: .seconds(200)) }
            }
            Thread.detachNewThread {
                // The question's signal is blocked while the thread answers.
                while !Self.blocksQuestions(number) {}
                pthread_kill(thread, SIGABRT)
            }
            await waitForEnd()
        }
        let crash = try #require(try fixture.capture())
        #expect(crash.isComplete && crash.signal?.number == SIGABRT)
    }

    private static func blocksQuestions(_ thread: Int32) -> Bool {
        let path = "/proc/self/task/\(thread)/status"
        let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:\t") }
        let blocked = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
        return blocked & 1 << UInt64(SIGPROF - 1) != 0
    }

    @Test func watchdogReportsTheMainActorAndGoesOn() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let sink = InMemorySink()
            let reporter = try Self.start(path, sink: sink)
            let end = End()
            reporter.watchHangs(of: MainActor.shared, longerThan: .milliseconds(200))
            let spinning = Task { @MainActor in spinOnPurpose(until: end.isOver) }
            let report = try await Self.report(to: sink)
            end.isOver.store(true, ordering: .relaxed)
            await spinning.value
            try #require(report.errors.first?.code == "mainActor")
            exit(0)
        }
    }

    @Test func watchdogAsksNothingOfAThreadThatMeasuresItself() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            signal(SIGPROF) { _ in }
            let capture = try CrashFixture.start(path)
            try #require(capture.stack(of: getpid(), within: .seconds(9)) == nil)
            capture.stop()
            signal(SIGPROF, SIG_DFL)
            let next = try CrashFixture.start(path)
            exit(next.isArmed ? 0 : 1)
        }
    }

    @Test func watchdogSurvivesACrashMeanwhile() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            // This sink keeps the report for the next start.
            let sink = InMemorySink { _ in .failed("not now") }
            let reporter = try Self.start(path, sink: sink)
            let (actor, end) = (Watched(), DispatchSemaphore(value: 0))
            reporter.watchHangs(of: actor, longerThan: .milliseconds(100))
            let hanging = Task { await actor.hangOnPurpose(until: end) }
            _ = try await Self.report(to: sink)
            _ = callCrash(.badPointer)
            withExtendedLifetime((hanging, reporter)) {}
        }
        var configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        configuration.release = "test@2"
        let reports = await (try CrashReporter.start(configuration)).unsentReports()
        let crash = try #require(reports.first { $0.crash != nil })
        #expect(crash.crash?.number == SIGSEGV && crash.crash?.isTruncated == false)
        #expect(crash.crash?.isRecovered == false)
        #expect(crash.frames.contains { $0.function?.hasPrefix("crashOnPurpose") == true })
        #expect(reports.count(where: { $0.crash != nil }) == 1)
        #expect(reports.contains { $0.errors.first?.domain == "TidingsDiagnostics.Hang" })
    }
}
#endif
