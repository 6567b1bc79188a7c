// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

/// Looks for symbols until it is let go.
private final class HangingSymbolicator: Symbolicator {
    let isAsked = Gate()
    private let gate = DispatchSemaphore(value: 0)

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        isAsked.open()
        gate.wait()
        gate.signal()
        return frames.map { _ in [] }
    }

    func letGo() { gate.signal() }
}

/// What takes for ever holds nobody up who said how long to wait.
@Suite(.timeLimit(.minutes(5)))
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
        var surroundings = CrashReporter.Surroundings()
        surroundings.symbolicator = symbolicator
        surroundings.clock = clock
        return try CrashReporter.start(configuration, surroundings)
    }

    /// A sink that does not even listen to its cancellation.
    private func hangingSink(_ gate: Gate) -> InMemorySink {
        InMemorySink { _ in
            await Task.detached { try? await gate.wait() }.value
            return ReportReceipt(.accepted)
        }
    }

    @Test func aFlushDoesNotWaitLongerForAReportThatIsBeingMade() async throws {
        let symbolicator = HangingSymbolicator()
        defer { symbolicator.letGo() }
        let reporter = try start(symbolicator)
        reporter.record(PlainFailure.refused(port: 1))
        let flush = Task { await reporter.flush(timeout: .seconds(2)) }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(await !flush.value)
    }

    @Test func anEndDoesNotWaitLongerForAReportAndTheNextRunMakesIt() async throws {
        let symbolicator = HangingSymbolicator()
        defer { symbolicator.letGo() }
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
        symbolicator.letGo()
        // The old run makes no second report of what is not its own any more.
        _ = await reporter.unsentReports()
        #expect(await next.unsentReports().count == 2)
    }

    @Test func promise11_whoEndsByThemselvesWhileReportsAreMadeLosesNoReport() async throws {
        // With a list of what is loaded, without which nobody would be asked.
        let first = try start(HangingSymbolicator())
        _ = await first.unsentReports()
        first.queue.suspend()
        first.record(PlainFailure.refused(port: 1))
        let end = Task { await first.close(timeout: .seconds(2)) }
        try await clock.waitForSleepers(2)
        clock.advance(by: .seconds(2))
        await end.value
        first.queue.resume()
        // More often than something that ends the process is tried.
        for _ in 0..<6 {
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                let symbolicator = HangingSymbolicator()
                let clock = ManualClock()
                var surroundings = CrashReporter.Surroundings()
                surroundings.symbolicator = symbolicator
                surroundings.clock = clock
                let reporter = try CrashReporter.start(.init(test: path, .errorsOnly), surroundings)
                try await symbolicator.isAsked.wait()
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
            return ReportReceipt(.failed("Called off."))
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
