// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsLock
import TidingsTesting

@testable import TidingsDiagnostics

/// The handling of many ended runs by one start.
@Suite(.timeLimit(.minutes(15)))
struct CrashReporterRunsTests {
    private var folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start() throws -> CrashReporter {
        try CrashReporter.start(.init(test: folder.path, .errorsOnly))
    }

    /// Creates a run that has ended, normally or without notice.
    private func makeEnded(_ second: TimeInterval, isClean: Bool) throws {
        let metadata = RunMetadata.current(
            application: "test",
            release: "test@0",
            started: Date(timeIntervalSince1970: second)
        )
        let run = try RunFolder.create(in: folder.path, metadata: metadata)
        if isClean { RunFile(at: run.livePath).markClean() }
        run.release()
    }

    @Test func r14_deletingAReportCancelsItsDelivery() async throws {
        let clock = ManualClock()
        let ends = Lock<[Bool]>([])
        var configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        configuration.sink = InMemorySink { delivery in
            guard delivery.report != nil else { return ReportReceipt(.accepted) }
            let isCanceled = (try? await clock.sleep(for: .seconds(1))) == nil
            ends.withLock { $0.append(isCanceled) }
            return ReportReceipt(isCanceled ? .failed("Canceled.") : .accepted)
        }
        let reporter = try CrashReporter.start(configuration)
        reporter.consent = .given
        let id = try #require(reporter.record(CancellationError()))
        try await clock.waitForSleepers()
        #expect(try await reporter.deleteUnsent(id))
        // A delivery that was not canceled would be accepted now.
        clock.advance(by: .seconds(1))
        await reporter.flush(timeout: .seconds(200))
        #expect(ends.withLock { $0 } == [true])
        #expect(await reporter.unsentReports().isEmpty)
        await reporter.close(timeout: .seconds(200))
    }

    @Test func aRelativeFolderIsResolvedAtTheStart() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            chdir(path)
            let reporter = try CrashReporter.start(.init(test: "reports", .errorsOnly))
            chdir("/")
            reporter.record(CancellationError())
            #expect(await reporter.unsentReports().count == 1)
            #expect(SystemFile.names(in: path + "/reports/spool").count == 1)
            #expect(reporter.state.lostReports == 0)
        }
    }

    @Test mutating func r12_afterTwoFailedStartsTheNewestRunIsReadLater() async throws {
        folder = try TemporaryFolder(isInMemory: true)
        try makeEnded(1, isClean: true)
        try makeEnded(2, isClean: false)
        let store = ReporterStore(directory: folder.path)
        store.update { $0.failedStarts = 2 }
        // The lock simulates a stopped process that holds the lock of the state.
        let lock = try #require(try FileLock.tryAcquire("\(folder.path)/state.lock"))
        var started: CrashReporter?
        let time = try timeAsleep { started = try start() }
        // The time is less than the limit for which other changes wait.
        #expect(time < ReporterStore.lockLimit)
        lock.release()
        let reporter = try #require(started)
        #expect(reporter.previousRun == .unknown)
        await reporter.close(timeout: .seconds(200))
        #expect(store.state.failedStarts == 0 && store.state.losses.isEmpty)
        #expect(SystemFile.names(in: folder.path + "/runs").count == 3)
        let next = try start()
        #expect(next.previousRun == .clean)
        #expect(await next.unsentReports().count == 1)
        await next.close(timeout: .seconds(200))
    }

    @Test func r7_theNewestOfManyRunsDeterminesThePreviousRun() async throws {
        for second in 1...70 { try makeEnded(TimeInterval(second), isClean: false) }
        try makeEnded(100, isClean: true)
        let first = try start()
        #expect(first.previousRun == .clean)
        await first.close(timeout: .seconds(200))
        // This start and later starts count the 70 runs, and none is lost.
        let second = try start()
        await second.close(timeout: .seconds(200))
        #expect(second.state.figures.filter { $0.release == "test@0" }.map(\.vanished) == [70])
        #expect(SystemFile.names(in: folder.path + "/runs").count == 1)
    }
}
