// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsTesting

@testable import TidingsDiagnostics

// The thread sanitizer has its own handlers and stops the process before these handlers run.
#if !THREAD_SANITIZER
private struct LessonOpened: Message {
    static var tracing: MessageTracing { .described }
    let number: Int
}

/// A process that ends, and the next one.
@Suite(.timeLimit(.minutes(5)))
struct CrashReporterProcessTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func start(
        _ path: String,
        _ change: (inout CrashReporter.Configuration) -> Void = { _ in }
    ) throws -> CrashReporter {
        var configuration = CrashReporter.Configuration(test: path, .on)
        change(&configuration)
        var environment = CrashReporter.Environment()
        environment.crashTimeLimit = CrashFixture.timeLimit
        return try CrashReporter.start(configuration, environment)
    }

    /// The next run, without signal handlers in the test process.
    private func next() throws -> CrashReporter {
        try Self.start(folder.path) {
            $0.capture = .errorsOnly
            $0.release = "test@2"
            $0.environment = "next"
        }
    }

    @Test(arguments: CrashWay.allCases)
    func r21_theNextRunHasTheReportOfACrash(_ way: CrashWay) async throws {
        await #expect(processExitsWith: .signal(way.signal)) {
            [path = folder.path as String, way = way as CrashWay] in
            let reporter = try Self.start(path) { $0.capturesStandardError = true }
            let center = MessageCenter()
            reporter.follow(center)
            reporter.setValue(7, forKey: "queue")
            reporter.setUser("42")
            center.post(LessonOpened(number: 3))
            reporter.log("before the end")
            _ = callCrash(way)
            // The system delivers a signal with some delay.
            await waitForEnd()
            withExtendedLifetime(reporter) {}
        }
        let reporter = try next()
        #expect(reporter.previousRun == .crashed)
        let reports = await reporter.unsentReports()
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.level == .fatal)
        // R10
        #expect(report.release == "test@1" && report.environment == "production")
        #expect(report.user == "42" && report.values == ["queue": 7])
        #expect(
            report.breadcrumbs.map(\.text) == [
                "LessonOpened LessonOpened(number: 3)", "before the end",
            ]
        )
        #expect(report.crash?.number == way.signal && report.crash?.isTruncated == false)
        if way == .kill { return }
        let frame = report.frames.first { $0.function?.hasPrefix("crashOnPurpose") == true }
        #expect(frame?.file?.hasSuffix("CrashWay.swift") == true)
        #expect(way.lines.contains(frame?.line ?? 0))
        if way == .fatalError {
            #expect(report.crash?.reason?.contains("The text of the error.") == true)
        }
    }

    @Test func r19_recordsBeforeAKillAreReported() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            // The queue never runs, so the event is only in the run's file.
            reporter.capture?.waitForImages()
            reporter.queue.suspend()
            reporter.setUser("42")
            reporter.log("one")
            reporter.record(PlainFailure.refused(port: 1), context: ["attempt": 2])
            reporter.log("two")
            kill(getpid(), SIGKILL)
        }
        let reporter = try next()
        #expect(reporter.previousRun == .endedWithoutNotice)
        let reports = await reporter.unsentReports()
        let report = try #require(reports.first { $0.level == .error })
        #expect(reports.count == 2)
        #expect(report.errors.map(\.message) == ["refused(port: 1)"])
        #expect(report.context == ["attempt": 2] && report.user == "42")
        #expect(report.breadcrumbs.map(\.text) == ["one"])
        #expect(report.release == "test@1")
        let functions = report.frames.compactMap(\.function)
        #expect(functions.contains { $0.contains("r19_recordsBeforeAKillAreReported") })
    }

    /// A way to end that leaves no crash report.
    enum UnnoticedWay: String, Codable, CaseIterable, Sendable {
        case kill, brokenPipe, overflow

        var signal: Int32 {
            switch self {
            case .kill: SIGKILL
            case .brokenPipe: SIGPIPE
            case .overflow: SIGSEGV
            }
        }

        var code: String { self == .brokenPipe ? "SIGPIPE" : "killed" }

        func happen() {
            switch self {
            case .kill: Glibc.kill(getpid(), SIGKILL)
            case .brokenPipe:
                var none = sigset_t()
                pthread_sigmask(SIG_SETMASK, &none, nil)
                raise(SIGPIPE)
            case .overflow: Thread.detachNewThread { _ = TidingsDiagnosticsTests.overflow(1) }
            }
        }
    }

    @Test(arguments: UnnoticedWay.allCases)
    func r7_aRunThatEndsWithoutNoticeLeavesItsLastState(_ way: UnnoticedWay) async throws {
        await #expect(processExitsWith: .signal(way.signal)) {
            [path = folder.path as String, way = way as UnnoticedWay] in
            signal(SIGPIPE, SIG_DFL)
            let reporter = try Self.start(path)
            reporter.setValue(7, forKey: "queue")
            reporter.setUser("42")
            reporter.log("before the end")
            way.happen()
            await waitForEnd()
            withExtendedLifetime(reporter) {}
        }
        let reporter = try next()
        #expect(reporter.previousRun == .endedWithoutNotice)
        let reports = await reporter.unsentReports()
        let report = try #require(reports.first)
        #expect(reports.count == 1 && report.level == .fatal && report.crash == nil)
        #expect(report.errors.first?.code == way.code)
        #expect(report.release == "test@1" && report.environment == "production")
        #expect(report.user == "42" && report.values == ["queue": 7])
        #expect(report.breadcrumbs.map(\.text) == ["before the end"])
    }

    @Test func r7_aNormalEndIsClean() async throws {
        for isClosed in [true, false] {
            await #expect(processExitsWith: .exitCode(3)) {
                [path = folder.path as String, isClosed = isClosed as Bool] in
                let reporter = try Self.start(path)
                if isClosed { await reporter.close(timeout: .seconds(200)) }
                exit(3)
            }
            #expect(try next().previousRun == .clean)
        }
    }

    @Test func r7_anEndByASignalIsRecorded() async throws {
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            kill(getpid(), SIGTERM)
            await waitForEnd()
            withExtendedLifetime(reporter) {}
        }
        #expect(try next().previousRun == .terminated(signal: SIGTERM))
    }

    @Test func r9_twoCrashesInARowGiveTwoReports() async throws {
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
                [path = folder.path as String] in
                let reporter = try Self.start(path)
                _ = callCrash(.badPointer)
                withExtendedLifetime(reporter) {}
            }
        }
        let reports = await (try next()).unsentReports()
        #expect(reports.count == 2 && Set(reports.map(\.id)).count == 2)
    }

    @Test func r11_aRunThatEndsEachStartIsMovedToTheQuarantine() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            let reporter = try Self.start(path)
            _ = callCrash(.badPointer)
            withExtendedLifetime(reporter) {}
        }
        for _ in 0..<3 {
            // As if reading it had ended the process.
            let run = try #require(RunFolder.acquireEnded(in: folder.path).first)
            _ = run.beginAttempt()
            run.release()
        }
        let after = try next()
        #expect(await after.unsentReports().isEmpty)
        await after.close(timeout: .seconds(200))
        let aside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/quarantine")
        #expect(aside.count == 1)
        let end = try next().previousRun
        #expect(end == .clean)
    }

    @Test func r12_afterTwoFailedStartsTheThirdCapturesNothing() async throws {
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                var environment = CrashReporter.Environment()
                environment.symbolicator = DeadlySymbolicator()
                var configuration = CrashReporter.Configuration(test: path, .on)
                configuration.now = {
                    _ = kill(getpid(), SIGKILL)
                    return Date()
                }
                _ = try CrashReporter.start(configuration, environment)
            }
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            #expect(reporter.state.capture.reason == .failedStarts)
            #expect(reporter.state.isRecording)
            await reporter.close(timeout: .seconds(200))
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            #expect(reporter.state.capture.isOn)
            await reporter.close(timeout: .seconds(200))
        }
    }

    @Test func aStartupCrashIsSentBeforeTheNextStartReturns() async throws {
        let sent = folder.path + "/sent"
        let first = try Self.start(folder.path) { $0.capture = .errorsOnly }
        first.consent = .given
        await first.close(timeout: .seconds(200))
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            // Later than the crash, also on a busy machine.
            let started = Date() + 200
            let reporter = try Self.start(path) { $0.now = { started } }
            _ = callCrash(.badPointer)
            withExtendedLifetime(reporter) {}
        }
        let reporter = try Self.start(folder.path) {
            $0.capture = .errorsOnly
            $0.sink = FileSink(path: sent)
            $0.startCrashLimit = .seconds(200)
        }
        // The start has waited until the report was sent.
        #expect(try String(contentsOfFile: sent, encoding: .utf8).contains("SIGSEGV"))
        #expect(reporter.previousRun == .crashed)
    }

    @Test func runFiguresAreCounted() async throws {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            let reporter = try Self.start(path)
            await reporter.flush(timeout: .seconds(200))
            _ = callCrash(.badPointer)
        }
        let reporter = try next()
        await reporter.flush(timeout: .seconds(200))
        let figures = reporter.figures
        let crashed = figures.first { $0.release == "test@1" }
        #expect(crashed?.runs == 1 && crashed?.crashed == 1 && crashed?.crashFree == 0)
        #expect(figures.first { $0.release == "test@2" }?.crashFree == 1)
    }
}

/// A symbolicator that kills the process.
private struct DeadlySymbolicator: Symbolicator {
    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        kill(getpid(), SIGKILL)
        return []
    }
}
#endif
