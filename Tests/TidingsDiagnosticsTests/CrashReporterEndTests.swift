// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

/// A symbolicator that blocks until `release()`.
private final class HangingSymbolicator: Symbolicator {
    let isCalled = Gate()
    private let gate = DispatchSemaphore(value: 0)

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        isCalled.open()
        gate.wait()
        gate.signal()
        return frames.map { _ in [] }
    }

    func release() { gate.signal() }
}

/// Work that never finishes, which does not block callers beyond a timeout.
@Suite(.timeLimit(.minutes(15)))
struct CrashReporterEndTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start(
        _ symbolicator: (any Symbolicator)? = nil,
        sink: (any ReportSink)? = nil
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        configuration.sink = sink
        var environment = CrashReporter.Environment()
        environment.symbolicator = symbolicator
        environment.clock = clock
        return try CrashReporter.start(configuration, environment)
    }

    /// Returns a sink that ignores the cancellation.
    private func hangingSink(_ gate: Gate) -> InMemorySink {
        InMemorySink { _ in
            await Task.detached { try? await gate.wait() }.value
            return ReportReceipt(.accepted)
        }
    }

    @Test func aFlushDoesNotWaitLongerForAReportThatIsBeingMade() async throws {
        let symbolicator = HangingSymbolicator()
        defer { symbolicator.release() }
        let reporter = try start(symbolicator)
        reporter.record(PlainFailure.refused(port: 1))
        let flush = Task { await reporter.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(await !flush.value)
    }

    @Test func anEndDoesNotWaitLongerForAReportAndTheNextRunMakesIt() async throws {
        let symbolicator = HangingSymbolicator()
        defer { symbolicator.release() }
        let reporter = try start(symbolicator)
        for port in 1...2 { reporter.record(PlainFailure.refused(port: port)) }
        let end = Task { await reporter.close(timeout: .seconds(2)) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        await end.value
        let next = try start()
        #expect(next.previousRun == .clean)
        let messages = await next.unsentReports().flatMap(\.errors).map(\.message)
        #expect(messages.sorted() == ["refused(port: 1)", "refused(port: 2)"])
        symbolicator.release()
        // The old run assembles no second report of an event that now belongs to the next run.
        _ = await reporter.unsentReports()
        #expect(await next.unsentReports().count == 2)
    }

    @Test func r11_aNormalExitWhileReportsAreAssembledLosesNoReport() async throws {
        // This run has a list of loaded images, without which no symbolicator would be called.
        let first = try start(HangingSymbolicator())
        _ = await first.unsentReports()
        first.queue.suspend()
        first.record(PlainFailure.refused(port: 1))
        let end = Task { await first.close(timeout: .seconds(2)) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        await end.value
        first.queue.resume()
        // There are more rounds than attempts for a run that ends the process.
        for _ in 0..<6 {
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                let symbolicator = HangingSymbolicator()
                let clock = ManualClock()
                var environment = CrashReporter.Environment()
                environment.symbolicator = symbolicator
                environment.clock = clock
                let reporter = try CrashReporter.start(.init(test: path, .errorsOnly), environment)
                try await symbolicator.isCalled.wait()
                let end = Task { await reporter.close(timeout: .seconds(2)) }
                try await clock.waitForSleepers(2)
                clock.advance(by: .seconds(2))
                await end.value
                exit(EXIT_SUCCESS)
            }
        }
        let reports = await (try start()).unsentReports()
        #expect(reports.flatMap(\.errors).map(\.message) == ["refused(port: 1)"])
    }

    @Test func aFlushAndAnEndDoNotWaitLongerForASinkThatNeverReturns() async throws {
        let gate = Gate()
        defer { gate.open() }
        let sink = hangingSink(gate)
        let reporter = try start(sink: sink)
        reporter.consent = .given
        reporter.record(PlainFailure.refused(port: 1))
        let flush = Task { await reporter.flush(timeout: .seconds(2)) }
        _ = try await sink.deliveries(1)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(await !flush.value)
        let end = Task { await reporter.close(timeout: .seconds(2)) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        await end.value
        #expect(await reporter.unsentReports().count == 1)
        #expect(try start().previousRun == .clean)
    }

    @Test func aSinkThatListensHasReturnedWhenTheEndHas() async throws {
        let hasReturned = Lock(false)
        let sink = InMemorySink { _ in
            try? await Gate().wait()
            hasReturned.withLock { $0 = true }
            return ReportReceipt(.failed("Canceled."))
        }
        let reporter = try start(sink: sink)
        reporter.consent = .given
        reporter.record(PlainFailure.refused(port: 1))
        _ = try await sink.deliveries(1)
        let end = Task { await reporter.close(timeout: .seconds(2)) }
        try await clock.waitForSleepers(3)
        clock.advance(by: .seconds(1.9))
        await end.value
        #expect(hasReturned.withLock { $0 })
    }
}
