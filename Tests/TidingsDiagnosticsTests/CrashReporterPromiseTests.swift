// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Synchronization
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsFiles
import TidingsTesting

@testable import TidingsDiagnostics

/// The promises of a reporter as a whole.
@Suite(.timeLimit(.minutes(15)))
struct CrashReporterPromiseTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func start(
        _ path: String,
        _ capture: CaptureMode = .errorsOnly,
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: path, capture)
        change(&configuration)
        var environment = CrashReporter.Environment()
        environment.symbolicator = nil
        #if os(Linux)
        if capture == .on { environment.symbolicator = DebugSymbolicator() }
        #endif
        return try CrashReporter.start(configuration, environment)
    }

    @Test func r15_deletedReportsAreCountedAndSentAsLosses() async throws {
        let sink = InMemorySink()
        let reporter = try Self.start(folder.path) {
            $0.countLimit = 2
            $0.sink = sink
        }
        for port in 1...5 { reporter.record(PlainFailure.refused(port: port)) }
        let kept = await reporter.unsentReports().flatMap(\.errors).map(\.message)
        #expect(kept == ["refused(port: 5)", "refused(port: 4)"])
        #expect(reporter.state.removedReports == 3)
        reporter.consent = .given
        #expect(await reporter.flush(timeout: .seconds(200)))
        let losses = sink.deliveries.flatMap(\.losses)
        #expect(losses == [ReportLoss(reason: .spoolFull, category: .error, quantity: 3)])
    }

    @Test func r19_recordingNeverWaits() async throws {
        let gate = Gate()
        defer { gate.open() }
        let sink = InMemorySink { _ in
            await Task.detached { try? await gate.wait() }.value
            return ReportReceipt(.accepted)
        }
        let reporter = try Self.start(folder.path) { $0.sink = sink }
        reporter.consent = .given
        reporter.record(PlainFailure.refused(port: 0))
        _ = try await sink.deliveries(1)
        // From this point the server does not answer, no report is assembled, and another owner
        // holds the lock of the state.
        reporter.queue.suspend()
        let claim = try FileLock.acquire(folder.path + "/state.lock", within: .seconds(200))
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for port in 1...200 {
                        let id = reporter.record(
                            PlainFailure.refused(port: port),
                            context: ["text": .text(String(repeating: "a ", count: 500))]
                        )
                        #expect(id != nil)
                        reporter.log("step")
                        reporter.setValue(.integer(port), forKey: "port")
                    }
                }
            }
        }
        // The log has space for 1 MiB, and evicted events are counted.
        #expect(reporter.state.lostReports > 300)
        withExtendedLifetime(claim) {}
        claim.release()
        reporter.isClosed.store(true, ordering: .sequentiallyConsistent)
        reporter.queue.resume()
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isPossible))
    func r16_onAFullDiskRecordingContinuesAndLossesAreCounted() async throws {
        let disk = try SmallDisk(kibibytes: 8_192)
        let reporter = try Self.start(disk.path)
        _ = await reporter.unsentReports()
        try disk.fill(leaving: 0)
        let id = reporter.record(PlainFailure.refused(port: 1))
        #expect(id != nil)
        #expect(await reporter.unsentReports().isEmpty)
        #expect(reporter.state.lostReports == 1)
        #expect(reporter.state.lastLoss?.message.contains("Free some space") == true)
        try disk.empty()
        reporter.record(PlainFailure.refused(port: 2))
        #expect(await reporter.unsentReports().count == 1)
        await reporter.close(timeout: .seconds(200))
    }
    #endif
}

#if !THREAD_SANITIZER
extension CrashReporterPromiseTests {
    private func crash() async {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            let reporter = try Self.start(path, .on) {
                $0.release = "films@1"
                $0.environment = "test"
            }
            reporter.setUser("42")
            reporter.setValue(7, forKey: "queue")
            _ = callCrash(.badPointer)
            withExtendedLifetime(reporter) {}
        }
    }

    @Test func r10_aCrashIsReportedWithTheKeysOfItsOwnRun() async throws {
        await crash()
        let next = try Self.start(folder.path) {
            $0.release = "films@2"
            $0.environment = "production"
        }
        next.setUser("another")
        next.setValue(8, forKey: "queue")
        let report = try #require(await next.unsentReports().first)
        #expect(report.release == "films@1" && report.environment == "test")
        #expect(report.user == "42" && report.values == ["queue": 7])
    }

    @Test func r20_theRawCaptureIsPrivateAndDeletedAfterItsReport() async throws {
        await crash()
        let run = try #require(SystemFile.names(in: folder.path + "/runs").first)
        let files = "\(folder.path)/runs/\(run)"
        #expect(SystemFile.names(in: files).contains("crash-0.raw"))
        for name in SystemFile.names(in: files) {
            let facts = try FileManager.default.attributesOfItem(atPath: "\(files)/\(name)")
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
        let sink = InMemorySink()
        let next = try Self.start(folder.path) { $0.sink = sink }
        #expect(await next.unsentReports().count == 1)
        #expect(!FileManager.default.fileExists(atPath: files))
        next.consent = .given
        #expect(await next.flush(timeout: .seconds(200)))
        #expect(sink.deliveries.compactMap(\.report).count == 1)
    }

    @Test func r12_aStartThatEndsWhileItSendsReportsHasNotFailed() async throws {
        let first = try Self.start(folder.path)
        first.consent = .given
        await first.close(timeout: .seconds(200))
        await crash()
        // Each process crashes right after a start, while waiting for the sink.
        for _ in 0..<3 {
            await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
                [path = folder.path as String] in
                let reporter = try Self.start(path, .on) {
                    $0.sink = InMemorySink { delivery in
                        if delivery.report != nil { _ = callCrash(.badPointer) }
                        return ReportReceipt(.failed("Not yet."))
                    }
                    $0.startCrashLimit = .seconds(200)
                }
                await waitForEnd()
                withExtendedLifetime(reporter) {}
            }
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path, .on)
            #expect(reporter.state.obstacle == nil && reporter.store.state.failedStarts == 0)
            await reporter.close(timeout: .seconds(200))
        }
    }
}
#endif
