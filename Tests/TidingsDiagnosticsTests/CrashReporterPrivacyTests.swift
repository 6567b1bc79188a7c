// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing
import TidingsFiles

@testable import TidingsDiagnostics

/// The promises about privacy: no report is sent, kept or shown against the user's decision.
@Suite(.timeLimit(.minutes(15)))
struct CrashReporterPrivacyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start(
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        change(&configuration)
        return try CrashReporter.start(configuration)
    }

    @Test func r13_aRevocationThatCannotBeWrittenAppliesToTheNextRun() async throws {
        let reporter = try start()
        reporter.consent = .given
        // The start has been recorded after this call.
        _ = await reporter.unsentReports()
        // No file can be written after this point, as on a full disk.
        let part = folder.path + "/state.json.part"
        try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
        reporter.consent = .revoked
        #expect(reporter.consent == .revoked)
        #expect(try start().consent != .given)
    }

    @Test func r13_aReporterThatIsOffRecordsNothing() async throws {
        let reporter = try start { $0.capture = .off }
        reporter.log("one")
        reporter.setValue(1, forKey: "a")
        #expect(reporter.record(PlainFailure.refused(port: 1)) == nil)
        #expect(!reporter.state.isRecording && reporter.state.obstacle == .asked)
        #expect(await reporter.unsentReports().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/runs"))
    }

    @Test func r20_aSessionContainsNoUser() async throws {
        let first = try start()
        first.setUser("alice")
        await first.close(timeout: .seconds(200))
        let sink = InMemorySink()
        let next = try start {
            $0.sink = sink
            $0.beforeSend = { report in
                var report = report
                report.user = nil
                return report
            }
        }
        next.setUser("alice")
        next.record(PlainFailure.refused(port: 1))
        next.consent = .given
        #expect(await next.flush(timeout: .seconds(200)))
        #expect(sink.deliveries.contains { !$0.sessions.isEmpty })
        let sessions = try JSONEncoder().encode(sink.deliveries.flatMap(\.sessions))
        #expect(!String(decoding: sessions, as: UTF8.self).contains("alice"))
        #expect(sink.deliveries.allSatisfy { $0.report?.user == nil })
    }

    @Test func r20_theNamesOfTheProgramAreRedactedToo() async throws {
        let reporter = try start {
            $0.application = "films /home/ada/x"
            $0.release = "films@1 token=hunter2"
            $0.environment = "https://u:hunter2@h/"
        }
        reporter.record(PlainFailure.refused(port: 1))
        let report = try #require(await reporter.unsentReports().first)
        #expect(report.release == "films@1 token=[redacted]")
        await reporter.close(timeout: .seconds(200))
        let left = try folder.allBytes()
        #expect(!left.contains("hunter2") && !left.contains("/home/ada"))
    }

    @Test func droppedSamplesAreCounted() async throws {
        let reporter = try start { $0.sampleRate = 0 }
        for port in 1...3 { #expect(reporter.record(PlainFailure.refused(port: port)) == nil) }
        await reporter.flush(timeout: .seconds(200))
        #expect(reporter.state.sampledErrors == 3)
        #expect(
            reporter.store.state.losses == [
                ReportLoss(reason: .sampled, category: .error, quantity: 3)
            ]
        )
    }

    @Test func r6_aRunWithoutAFolderReportsThatNothingIsCaptured() throws {
        try Data().write(to: URL(filePath: folder.path + "/runs"))
        let reporter = try start { $0.capture = .on }
        #expect(reporter.state.isRecording)
        #expect(reporter.state.obstacle == .refused)
        #expect(reporter.state.failure?.message.contains("writable for this user") == true)
    }

    @Test func r19_aFatalErrorIsNotEvictedForOthers() throws {
        let configuration = CrashReporter.Configuration(test: folder.path, .errorsOnly)
        let run = CurrentRun(configuration)
        let snapshot = CurrentRun.Snapshot(
            scope: ScopeRecord(user: nil, values: [:]),
            breadcrumbs: BreadcrumbRing()
        )
        let text = String(repeating: "a", count: 60_000)
        for level in [ReportLevel.fatal] + Array(repeating: .error, count: 40) {
            let event = EventRecord(
                id: UUID(),
                date: Date(),
                level: level,
                errors: [ReportedError(domain: "", code: nil, message: text, location: nil)],
                context: [:],
                grouping: [],
                frames: [],
                user: nil,
                values: [:],
                lastBreadcrumb: 0
            )
            #expect(run.keep(event, with: snapshot))
        }
        #expect(run.file.lostEvents > 10)
        #expect(run.first()?.event?.level == .fatal)
    }
}

#if !THREAD_SANITIZER
extension CrashReporterPrivacyTests {
    private func crash() async {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            let configuration = CrashReporter.Configuration(test: path, .on)
            let reporter = try CrashReporter.start(configuration)
            _ = callCrash(.badPointer)
            withExtendedLifetime(reporter) {}
        }
    }

    @Test func r14_aCrashOfAnotherProcessIsListedAndDeleted() async throws {
        let reporter = try start()
        await crash()
        #expect(await reporter.unsentReports().count == 1)
        await crash()
        try await reporter.deleteUnsent()
        await reporter.close(timeout: .seconds(200))
        #expect(await (try start()).unsentReports().isEmpty)
    }

    @Test(arguments: [CrashWay.badPointer, .fatalError])
    func r14_aCrashAfterADeletionIsReportedWithoutEarlierRecords(
        _ way: CrashWay
    ) async throws {
        await #expect(processExitsWith: .signal(way.signal)) {
            [path = folder.path as String, way = way as CrashWay] in
            var configuration = CrashReporter.Configuration(test: path, .on)
            configuration.capturesStandardError = true
            let reporter = try CrashReporter.start(configuration)
            reporter.setValue(7, forKey: "queue")
            reporter.log("an earlier step")
            reporter.record(PlainFailure.refused(port: 1), context: ["a": "earlier"])
            FileHandle.standardError.write(Data("an earlier line\n".utf8))
            try await reporter.deleteUnsent()
            FileHandle.standardError.write(Data("a later line\n".utf8))
            reporter.log("a later step")
            _ = callCrash(way)
            withExtendedLifetime(reporter) {}
        }
        let left = try folder.allBytes()
        #expect(!left.contains("earlier"))
        let reports = await (try start()).unsentReports()
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.breadcrumbs.map(\.text) == ["a later step"])
        #expect(report.values == ["queue": 7])
        #expect(report.crash?.text?.hasPrefix("a later line") == true)
    }

    @Test func r14_aKillAfterADeletionLeavesNoEarlierRecords() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let reporter = try CrashReporter.start(.init(test: path, .errorsOnly))
            reporter.queue.suspend()
            reporter.log("an earlier step")
            reporter.record(PlainFailure.refused(port: 1), context: ["a": "earlier"])
            let deletion = Task { try await reporter.deleteUnsent() }
            reporter.queue.resume()
            try await deletion.value
            reporter.queue.suspend()
            reporter.record(PlainFailure.refused(port: 2))
            kill(getpid(), SIGKILL)
        }
        let left = try folder.allBytes()
        #expect(!left.contains("earlier"))
        let reports = await (try start()).unsentReports()
        let recorded = reports.filter { $0.level == .error }
        #expect(reports.count == 2)
        #expect(recorded.flatMap(\.errors).map(\.message) == ["refused(port: 2)"])
        #expect(reports.flatMap(\.breadcrumbs).isEmpty)
    }

    @Test func r14_theRecordsOfManyRunsAreDeleted() async throws {
        for second in 1...140 {
            let metadata = RunMetadata.current(
                application: "test",
                release: "test@0",
                started: Date(timeIntervalSince1970: TimeInterval(second))
            )
            try RunFolder.create(in: folder.path, metadata: metadata).release()
        }
        let reporter = try start()
        try await reporter.deleteUnsent()
        #expect(SystemFile.names(in: folder.path + "/runs").count == 1)
        #expect(reporter.state.figures.filter { $0.release == "test@0" }.map(\.vanished) == [140])
    }

    @Test func r6_aCrashWaitsUntilTheSpoolHasSpace() async throws {
        await crash()
        let limits = ReportFolder(path: folder.path, countLimit: 10, byteLimit: 1 << 20)
        let spool = try ReportSpool(folder: limits)
        let spoolPath = folder.path + "/spool"
        try FileManager.default.removeItem(atPath: spoolPath)
        let writer = RedactingWriter(redactor: Redactor())
        let store = ReporterStore(directory: folder.path)
        let endedRunReporter = EndedRunReporter(
            crashBuilder: CrashReportBuilder(symbolicator: nil, writer: writer),
            eventBuilder: EventReportBuilder(symbolicator: nil, writer: writer),
            spool: spool,
            store: store
        )
        for _ in 0..<5 {
            let run = try #require(RunFolder.acquireEnded(in: folder.path).first)
            endedRunReporter.makeReports(of: run, ReadingAttempt(run, isWatched: false))
        }
        try FileManager.default.createDirectory(
            atPath: spoolPath,
            withIntermediateDirectories: false
        )
        #expect(await (try start()).unsentReports().first?.crash?.signal == "SIGSEGV")
    }
}
#endif
