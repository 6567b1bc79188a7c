// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsFiles

@testable import TidingsDiagnostics

private struct Hidden: Message {
    static var tracing: MessageTracing { .hidden }
}

private struct Named: Message {
    let secret: String
}

private struct Described: Message {
    static var tracing: MessageTracing { .described }
    let url: String
}

@Suite(.timeLimit(.minutes(15)))
struct CrashReporterTests {
    private let folder: TemporaryFolder
    private let reporter: CrashReporter

    init() throws {
        folder = try TemporaryFolder()
        reporter = try Self.start(folder.path)
    }

    private static func start(
        _ path: String,
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: path, .errorsOnly)
        change(&configuration)
        var environment = CrashReporter.Environment()
        environment.redactor = Redactor(homes: ["/srv/people/ada"])
        // Reading the debug information of all tests takes longer than the tests themselves.
        environment.symbolicator = nil
        return try CrashReporter.start(configuration, environment)
    }

    @Test func r12_theEndOfFailuresIsWrittenAtTheLatestByTheClose() async throws {
        // The queue has recorded the start.
        _ = await reporter.unsentReports()
        reporter.store.update { $0.failedStarts = 2 }
        let lock = try #require(try FileLock.tryAcquire("\(folder.path)/state.lock"))
        reporter.store.update(within: .zero) { $0.failedStarts = 0 }
        lock.release()
        await reporter.close(timeout: .seconds(200))
        #expect(ReporterStore(directory: folder.path).state.failedStarts == 0)
    }

    @Test func aReportContainsAllRecordedValues() async throws {
        reporter.setUser("42")
        reporter.setValue(7, forKey: "queue")
        reporter.log("muxing")
        let begin = Date.now
        let id = reporter.record(
            PlainFailure.refused(port: 1),
            context: ["attempt": 2],
            level: .warning
        )
        let end = Date.now
        let report = try #require(await reporter.unsentReports().first)
        #expect(report.id == id)
        #expect(report.level == .warning)
        #expect(report.application == "test" && report.release == "test@1")
        #expect(report.user == "42")
        #expect(report.values == ["queue": 7])
        #expect(report.context == ["attempt": 2])
        #expect(report.errors.map(\.message) == ["refused(port: 1)"])
        #expect(report.breadcrumbs.map(\.text) == ["muxing"])
        // A report stores whole milliseconds.
        let moments = begin.addingTimeInterval(-1)...end.addingTimeInterval(1)
        #expect(moments.contains(report.date))
    }

    @Test func laterChangesDoNotReachAnEarlierReport() async {
        reporter.setUser("a")
        reporter.record(PlainFailure.refused(port: 1))
        reporter.setUser(nil)
        reporter.log("after")
        let report = await reporter.unsentReports().first
        #expect(report?.user == "a")
        #expect(report?.breadcrumbs == [])
    }

    @Test func messagesBecomeBreadcrumbsAsTheirTypesAllow() async throws {
        let center = MessageCenter()
        reporter.follow(center)
        reporter.follow(center)
        center.post(Hidden())
        center.post(Named(secret: "hunter2"))
        center.post(Described(url: "https://h/a?token=hunter2"))
        reporter.record(PlainFailure.refused(port: 1))
        let breadcrumbs = try #require(await reporter.unsentReports().first).breadcrumbs
        #expect(
            breadcrumbs.map(\.text) == [
                "Named", "Described Described(url: \"https://h/a?[redacted]\")",
            ]
        )
        #expect(breadcrumbs.allSatisfy { $0.category == "message" })
        #expect(
            breadcrumbs.first?.location?.hasPrefix(
                "TidingsDiagnosticsTests/CrashReporterTests.swift:"
            ) == true
        )
    }

    @Test func theMessageWhoseHandlerFailsIsAmongTheBreadcrumbs() async throws {
        let center = MessageCenter()
        reporter.follow(center)
        let token = center.observe(Named.self) { [reporter] _ in
            reporter.record(PlainFailure.refused(port: 1))
        }
        center.post(Named(secret: ""))
        token.cancel()
        let report = try #require(await reporter.unsentReports().first)
        #expect(report.breadcrumbs.map(\.text) == ["Named"])
    }

    @Test func severalCentersCanBeFollowedAndNoneIsRetained() async {
        let second = MessageCenter()
        weak var gone: MessageCenter?
        do {
            let first = MessageCenter()
            gone = first
            reporter.follow(first)
            first.post(Named(secret: ""))
        }
        #expect(gone == nil)
        reporter.follow(second)
        second.post(Named(secret: ""))
        reporter.record(PlainFailure.refused(port: 1))
        #expect(await reporter.unsentReports().first?.breadcrumbs.count == 2)
    }

    @Test func nothingSecretReachesTheDisk() async throws {
        struct Leak: ReportableError {
            var reported: ReportedError {
                ReportedError(
                    domain: String(reflecting: Self.self),
                    code: "token=hunter2",
                    message: "https://user:hunter2@h/a?hunter2 for /srv/people/ada/x"
                )
            }
            var reportCause: (any Error)? { PlainText(text: "Cookie: hunter2") }
        }
        struct PlainText: Error {
            let text: String
        }
        reporter.setUser("password=hunter2")
        reporter.setValue("Bearer hunter2", forKey: "header")
        reporter.setValue("hunter2", forKey: "token")
        reporter.setValue("x", forKey: "token=hunter2")
        reporter.log("https://h/?hunter2")
        reporter.record(
            Leak(),
            context: ["url": "https://h/?hunter2", "password": "hunter2", "a?hunter2": "x"]
        )
        await reporter.flush(timeout: .seconds(200))
        let spool = folder.path + "/spool"
        let name = try #require(SystemFile.names(in: spool).first)
        let text = try folder.text(of: "spool/" + name)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("people"))
        #expect(text.contains("[redacted]"))
    }

    @Test func reportsOfEarlierRunsAreListedTheNewestFirst() async throws {
        for port in 1...3 { reporter.record(PlainFailure.refused(port: port)) }
        await reporter.flush(timeout: .seconds(200))
        let next = try Self.start(folder.path)
        next.record(PlainFailure.refused(port: 4))
        #expect(
            await next.unsentReports().flatMap(\.errors).map(\.message)
                == [4, 3, 2, 1].map { "refused(port: \($0))" }
        )
    }

    @Test func deletingRemovesEverythingRecordedBefore() async throws {
        for port in 1...5 { reporter.record(PlainFailure.refused(port: port)) }
        try await reporter.deleteUnsent()
        #expect(await reporter.unsentReports().isEmpty)
        #expect(SystemFile.names(in: folder.path + "/spool").isEmpty)
        reporter.record(PlainFailure.refused(port: 6))
        #expect(await reporter.unsentReports().count == 1)
    }

    @Test func aContextIsBounded() async throws {
        var context: [String: ReportValue] = ["nan": .number(.nan)]
        for number in 100..<200 {
            context["\(number)"] = .text(String(repeating: "é", count: 9_999))
        }
        reporter.record(PlainFailure.refused(port: 1), context: context)
        let report = try #require(await reporter.unsentReports().first)
        #expect(report.context.keys.sorted() == (100..<132).map { "\($0)" })
        #expect(
            report.context.values.allSatisfy {
                $0.description.utf8.count <= RedactingWriter.textLimit
            }
        )
    }

    @Test func aNumberThatJSONCannotRepresentIsKeptAsText() async throws {
        reporter.record(PlainFailure.refused(port: 1), context: ["rate": .number(.infinity)])
        #expect(await reporter.unsentReports().first?.context == ["rate": "inf"])
    }

    @Test func aFolderThatCannotBeCreatedFailsTheStart() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        #expect(throws: DiagnosticsError.self) { try Self.start(folder.path + "/file/reports") }
        _ = try Self.start(folder.path + "/a/b/c")
    }

    @Test func afterTheFolderIsGoneRecordingCountsAndDoesNotThrow() async throws {
        await reporter.flush(timeout: .seconds(200))
        try FileManager.default.removeItem(atPath: folder.path)
        reporter.record(PlainFailure.refused(port: 1))
        await reporter.flush(timeout: .seconds(200))
        #expect(reporter.state.lostReports == 1)
        #expect(reporter.state.lastLoss?.code == .notWritten)
        #expect(await reporter.unsentReports().isEmpty)
    }

    @Test func manyThreadsRecordAtOnce() async throws {
        let center = MessageCenter()
        reporter.follow(center)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { [reporter] in
                    for step in 0..<8 {
                        reporter.log("step \(step)")
                        reporter.setValue(.integer(step), forKey: "\(number)")
                        reporter.setUser("\(number)")
                        center.post(Named(secret: ""))
                        reporter.record(PlainFailure.refused(port: step))
                        _ = reporter.state
                    }
                }
            }
        }
        #expect(await reporter.unsentReports().count + reporter.state.lostReports == 64)
    }
}
