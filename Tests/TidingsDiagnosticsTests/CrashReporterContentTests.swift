// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

/// The additions of a program to reports: breadcrumbs with values, tags, files and comments.
@Suite(.timeLimit(.minutes(15)))
struct CrashReporterContentTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func start(
        _ path: String,
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: path, .errorsOnly)
        change(&configuration)
        return try CrashReporter.start(configuration)
    }

    private func start(
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        try Self.start(folder.path, change)
    }

    @Test func aBreadcrumbHasItsLevelCategoryAndRedactedValues() async throws {
        let reporter = try start()
        reporter.log(
            "muxing",
            level: .warning,
            category: "mux",
            data: ["segments": 12, "token": "hunter2", "url": "https://h/?hunter2"]
        )
        reporter.log("plain")
        reporter.record(PlainFailure.refused(port: 1))
        let crumbs = try #require(await reporter.unsentReports().first).breadcrumbs
        #expect(crumbs[0].level == .warning && crumbs[0].category == "mux")
        #expect(
            crumbs[0].data == [
                "segments": 12, "token": "[redacted]", "url": "https://h/?[redacted]",
            ]
        )
        #expect(crumbs[1].level == .info && crumbs[1].category == "log" && crumbs[1].data.isEmpty)
    }

    @Test func tagsBelongToOneReportAndOverrideKeys() async throws {
        let reporter = try start {
            $0.dist = "417"
            $0.serverName = "web-1"
        }
        reporter.setValue("old", forKey: "queue")
        await reporter.withValues(["queue": "local", "lesson": 3]) {
            _ = reporter.record(PlainFailure.refused(port: 1), tags: ["queue": "mux", "retry": 2])
        }
        reporter.record(PlainFailure.refused(port: 2))
        let reports = await reporter.unsentReports()
        #expect(
            reports.map(\.values) == [["queue": "old"], ["queue": "mux", "lesson": 3, "retry": 2]]
        )
        #expect(reports.allSatisfy { $0.dist == "417" && $0.serverName == "web-1" })
        #expect(try start().state.problems.isEmpty)
    }

    @Test func attachmentsAreFewShortAndRedacted() async throws {
        let reporter = try start()
        let line = "GET https://h/?hunter2\n"
        let log = String(repeating: line, count: 4_000)
        let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0xFF])
        reporter.record(
            PlainFailure.refused(port: 1),
            attachments: [
                "/srv/people/ada/a.log": Data(log.utf8), "b.png": picture,
                "c.env": Data("hunter2".utf8), "d token.txt": Data("hunter2".utf8),
                "e.log": Data("one too many".utf8),
            ]
        )
        let files = try #require(await reporter.unsentReports().first).attachments
        #expect(files.keys.sorted() == ["a.log", "b.png", "c.env", "d token.txt"])
        let kept = String(decoding: files["a.log"] ?? Data(), as: UTF8.self)
        #expect(kept.utf8.count > 15_000 && kept.utf8.count <= 16 << 10)
        #expect(kept.hasPrefix("GET ") && kept.hasSuffix("GET https://h/?[redacted]\n"))
        #expect(files["b.png"] == picture)
        #expect(
            files.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("hunter2") }
        )
    }

    @Test func r7_aKilledRunsReportHasTheEndsOfItsFiles() async throws {
        let log = folder.path + "/films.log"
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, log = log as String] in
            let reporter = try Self.start(path + "/reports") {
                $0.crashAttachments = [log, path + "/missing", path, path + "/.netrc"]
                $0.dist = "417"
            }
            _ = await reporter.unsentReports()
            try Data("hunter2".utf8).write(to: URL(filePath: path + "/.netrc"))
            try (Data([0xFF, 0]) + Data("opened\ntoken=hunter2\n".utf8)).write(
                to: URL(filePath: log)
            )
            kill(getpid(), SIGKILL)
        }
        let reports = await (try Self.start(folder.path + "/reports")).unsentReports()
        let report = try #require(reports.first)
        #expect(
            report.attachments.mapValues { String(decoding: $0, as: UTF8.self) } == [
                "films.log": "\u{FFFD}\nopened\ntoken=[redacted]\n", ".netrc": "[redacted]",
            ]
        )
        #expect(report.dist == "417")
    }

    @Test func aCommentIsSentOnceAfterItsReport() async throws {
        let sink = InMemorySink()
        let reporter = try start { $0.sink = sink }
        reporter.consent = .given
        let id = try #require(reporter.record(PlainFailure.refused(port: 1)))
        #expect(await reporter.flush(timeout: .seconds(200)))
        reporter.comment("My password=hunter2 did not work.", on: id)
        #expect(await reporter.flush(timeout: .seconds(200)))
        reporter.sendUnsent()
        #expect(await reporter.flush(timeout: .seconds(200)))
        let comments = sink.deliveries.map(\.comments).filter { !$0.isEmpty }
        #expect(comments == [[id: "My password=[redacted] did not work."]])
        #expect(sink.deliveries.compactMap(\.report?.id) == [id])
    }

    @Test func r13_aCommentWaitsForConsentAndIsDeletedWithTheRest() async throws {
        let sink = InMemorySink()
        let reporter = try start { $0.sink = sink }
        reporter.comment("first", on: "a")
        for number in 0..<30 { reporter.comment("\(number)", on: "\(number)") }
        #expect(reporter.store.state.comments.map(\.text) == (10..<30).map { "\($0)" })
        #expect(await !reporter.flush(timeout: .seconds(200)) && sink.deliveries.isEmpty)
        _ = try await reporter.deleteUnsent("29")
        #expect(reporter.store.state.comments.last?.report == "28")
        try await reporter.deleteUnsent()
        #expect(reporter.store.state.comments.isEmpty)
    }

    @Test func allLossesAreToldToAPerson() async throws {
        let reporter = try start {
            $0.countLimit = 1
            $0.sampleRate = 0
        }
        reporter.record(PlainFailure.refused(port: 1))
        for number in 0..<66 { reporter.setValue(1, forKey: "key \(number)") }
        _ = await reporter.unsentReports()
        #expect(
            reporter.state.losses == [
                "1 report was dropped by the sampling.",
                "2 keys were refused: there are too many. Set fewer keys.",
            ]
        )
        let other = try start { $0.countLimit = 1 }
        for port in 0..<3 { other.record(PlainFailure.refused(port: port)) }
        _ = await other.unsentReports()
        #expect(
            other.state.losses == [
                "2 reports were deleted because of the limits on their count, size and age."
            ]
        )
    }
}
