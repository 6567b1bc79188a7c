// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

/// What a start makes of what many runs have left.
@Suite(.timeLimit(.minutes(5)))
struct CrashReporterRunsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start() throws -> CrashReporter {
        try CrashReporter.start(.init(test: folder.path, .errorsOnly))
    }

    /// A run that has ended, by itself or without a word.
    private func makeEnded(_ second: TimeInterval, isClean: Bool) throws {
        let facts = RunFacts.current(
            application: "test",
            release: "test@0",
            started: Date(timeIntervalSince1970: second)
        )
        let run = try RunFolder.create(in: folder.path, facts: facts)
        if isClean { RunFile(at: run.livePath).markClean() }
        run.release()
    }

    @Test func promise14_oneReportThatIsDeletedIsCalledOff() async throws {
        let clock = ManualClock()
        let ends = Lock<[Bool]>([])
        var configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        configuration.sink = InMemorySink { delivery in
            guard delivery.report != nil else { return ReportReceipt(.accepted) }
            let isCalledOff = (try? await clock.sleep(for: .seconds(1))) == nil
            ends.withLock { $0.append(isCalledOff) }
            return ReportReceipt(isCalledOff ? .failed("Called off.") : .accepted)
        }
        let reporter = try CrashReporter.start(configuration)
        reporter.consent = .given
        let id = try #require(reporter.record(CancellationError()))
        try await clock.waitForSleepers()
        #expect(try await reporter.deleteUnsent(id))
        // One that was not called off is accepted now.
        clock.advance(by: .seconds(1))
        await reporter.flush(timeout: .seconds(200))
        #expect(ends.withLock { $0 } == [true])
        #expect(await reporter.unsentReports().isEmpty)
        await reporter.close(timeout: .seconds(200))
    }

    @Test func aFolderWithoutItsWholePathStaysWhereItWas() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            chdir(path)
            let reporter = try CrashReporter.start(.init(test: "reports", .errorsOnly))
            chdir("/")
            reporter.record(CancellationError())
            #expect(await reporter.unsentReports().count == 1)
            #expect(SystemFile.names(in: path + "/reports/spool").count == 1)
            #expect(reporter.statistics.lostReports == 0)
        }
    }

    @Test func promise12_nothingIsSaidOfARunThatWasPutAside() async throws {
        try makeEnded(1, isClean: true)
        try makeEnded(2, isClean: false)
        let store = ReporterStore(directory: folder.path)
        store.update { $0.failedStarts = 2 }
        // A process that is stopped has the state.
        let lock = try #require(try FileClaim("\(folder.path)/state.lock"))
        let begin = ContinuousClock.now
        let reporter = try start()
        #expect(ContinuousClock.now - begin < .seconds(2))
        lock.release()
        #expect(reporter.previousRun == .unknown)
        await reporter.close(timeout: .seconds(200))
        #expect(store.state.failedStarts == 0)
        let lost = ReportLoss(reason: .unreadable, category: .error, quantity: 1)
        #expect(store.state.losses == [lost])
    }

    @Test func promise7_ofMoreRunsThanAStartTakesTheNewestTellsHowItEnded() async throws {
        for second in 1...70 { try makeEnded(TimeInterval(second), isClean: false) }
        try makeEnded(100, isClean: true)
        let first = try start()
        #expect(first.previousRun == .clean)
        await first.close(timeout: .seconds(200))
        // The others are counted by it and by later ones, and none is lost.
        let second = try start()
        await second.close(timeout: .seconds(200))
        #expect(second.figures.filter { $0.release == "test@0" }.map(\.vanished) == [70])
        #expect(SystemFile.names(in: folder.path + "/runs").count == 1)
    }
}
