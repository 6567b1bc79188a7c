// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsFiles
import TidingsTesting

@testable import TidingsDiagnostics

// The thread sanitizer has its own handlers and stops the process before these handlers run.
#if !THREAD_SANITIZER
private struct LessonOpened: Message {
    static var tracing: MessageTracing { .described }
    let number: Int
}

/// A process that ends, and the next one.
@Suite(.timeLimit(.minutes(15)))
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

    /// Starts the next run, without signal handlers in the test process.
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
        case kill, brokenPipe

        var signal: Int32 { self == .kill ? SIGKILL : SIGPIPE }

        var code: String { self == .brokenPipe ? "SIGPIPE" : "killed" }

        func happen() {
            switch self {
            case .kill: Glibc.kill(getpid(), SIGKILL)
            case .brokenPipe:
                var none = sigset_t()
                pthread_sigmask(SIG_SETMASK, &none, nil)
                raise(SIGPIPE)
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
        #expect(report.breadcrumbs.allSatisfy { $0.date <= report.date })
        #expect(report.release == "test@1" && report.environment == "production")
        #expect(report.user == "42" && report.values == ["queue": 7])
        #expect(report.breadcrumbs.map(\.text) == ["before the end"])
    }

    @Test func r23_theSuspendedCallersStandInTheReport() async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            _ = await AsyncLevels.first()
            withExtendedLifetime(reporter) {}
        }
        let report = try #require(await (try next()).unsentReports().first)
        let functions = report.frames.compactMap(\.function)
        let levels = functions.filter { function in
            AsyncLevels.names.contains { function.contains($0) }
        }
        #expect(levels.count == 5, "\(functions)")
        for (level, name) in zip(levels, AsyncLevels.names) { #expect(level.contains(name)) }
        #expect(report.frames.allSatisfy { $0.kind != .scanned })
    }

    @Test(arguments: [CrashWay.ThreadKind.thread, .dispatch, .task])
    func r24_aStackOverflowIsReportedOnEveryThread(_ kind: CrashWay.ThreadKind) async throws {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            [path = folder.path as String, kind = kind as CrashWay.ThreadKind] in
            let reporter = try Self.start(path)
            switch kind {
            case .main: break
            case .thread: Thread.detachNewThread { _ = overflow(1) }
            case .dispatch:
                // These blocks keep all threads busy that were created before the start.
                for _ in 0..<8 { DispatchQueue(label: "busy").async { while true { pause() } } }
                DispatchQueue(label: "overflow").async { _ = overflow(1) }
            case .task:
                Task.detached {
                    // The pool may still have a thread from before the start.
                    var stack = stack_t()
                    sigaltstack(nil, &stack)
                    if Int(stack.ss_flags) & Int(SS_DISABLE) != 0 { reporter.registerThread() }
                    _ = overflow(1)
                }
            }
            await waitForEnd()
            withExtendedLifetime(reporter) {}
        }
        let report = try #require(await (try next()).unsentReports().first)
        #expect(report.crash?.signal == "SIGSEGV" && report.has("overflow(_:)"))
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

    @Test func r21_theCLibrarysOwnWordsAreTheReason() async throws {
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            var none = sigset_t()
            pthread_sigmask(SIG_SETMASK, &none, nil)
            // No block starts here. With zeros, the library finds no other fault first.
            free(calloc(1, 64).map { $0 + 8 })
            withExtendedLifetime(reporter) {}
        }
        let report = try #require(await (try next()).unsentReports().first)
        #expect(report.crash?.signal == "SIGABRT")
        #expect(report.crash?.reason == "free(): invalid pointer")
    }

    @Test func r7_aTruncatedRunFileDoesNotEndTheProgram() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            let live = try #require(reporter.run?.ownFolder).livePath
            reporter.setUser("42")
            #expect(reporter.state.failure == nil)
            #expect(truncate(live, 8_192) == 0)
            for number in 1...200 { reporter.log("\(number)") }
            reporter.setValue(7, forKey: "queue")
            reporter.record(PlainFailure.refused(port: 1))
            #expect(reporter.state.failure?.code == .notWritten)
            let report = try #require(await reporter.unsentReports().first)
            #expect(report.values == ["queue": 7] && report.breadcrumbs.last?.text == "200")
            await reporter.close(timeout: .seconds(200))
            exit(EXIT_SUCCESS)
        }
        #expect(try next().previousRun == .clean)
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

    private func crashInAnotherProcess() async {
        await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
            [path = folder.path as String] in
            let reporter = try Self.start(path)
            _ = callCrash(.badPointer)
            withExtendedLifetime(reporter) {}
        }
    }

    @Test func r11_aRunThatEndsTheReadingProcessIsFinallyReadWithoutSymbols() async throws {
        await crashInAnotherProcess()
        for _ in 0..<2 {
            await #expect(processExitsWith: .signal(SIGSEGV)) { [path = folder.path as String] in
                var environment = CrashReporter.Environment()
                environment.symbolicator = DeadlySymbolicator(signal: SIGSEGV)
                let configuration = CrashReporter.Configuration(test: path, .on)
                let reporter = try CrashReporter.start(configuration, environment)
                await waitForEnd()
                withExtendedLifetime(reporter) {}
            }
        }
        let reports = await (try next()).unsentReports()
        // Crashes during reading are reported as any crash.
        #expect(reports.count == 3)
        #expect(reports.last?.frames.allSatisfy { $0.function == nil } == true)
        #expect(reports.first?.frames.contains { $0.function != nil } == true)
    }

    @Test func r9_aCrashLoopLosesNothing() async throws {
        await crashInAnotherProcess()
        let count = 6
        for _ in 1..<count {
            // This process crashes elsewhere while the oldest run is being read.
            await #expect(processExitsWith: .signal(CrashWay.badPointer.signal)) {
                [path = folder.path as String] in
                let symbolicator = WaitingSymbolicator()
                var environment = CrashReporter.Environment()
                environment.symbolicator = symbolicator
                environment.crashTimeLimit = CrashFixture.timeLimit
                let configuration = CrashReporter.Configuration(test: path, .on)
                let reporter = try CrashReporter.start(configuration, environment)
                try await symbolicator.isCalled.wait()
                _ = callCrash(.badPointer)
                withExtendedLifetime(reporter) {}
            }
        }
        let reporter = try next()
        let reports = await reporter.unsentReports()
        #expect(reports.count == count)
        #expect(reports.allSatisfy { $0.has("crashOnPurpose") })
        let figures = reporter.state.figures.first { $0.release == "test@1" }
        #expect(figures?.runs == count && figures?.crashed == count)
        #expect(SystemFile.names(in: folder.path + "/quarantine").isEmpty)
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
            #expect(reporter.state.obstacle == .failedStarts)
            #expect(reporter.state.isRecording)
            await reporter.close(timeout: .seconds(200))
        }
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let reporter = try Self.start(path)
            #expect(reporter.state.obstacle == nil)
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
            // The time is later than the crash, also on a busy machine.
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
        let figures = reporter.state.figures
        let crashed = figures.first { $0.release == "test@1" }
        #expect(crashed?.runs == 1 && crashed?.crashed == 1 && crashed?.crashFree == 0)
        #expect(figures.first { $0.release == "test@2" }?.crashFree == 1)
    }
}

/// A symbolicator that never returns.
private final class WaitingSymbolicator: Symbolicator {
    let isCalled = Gate()

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        isCalled.open()
        while true { pause() }
    }
}

/// A symbolicator that ends the process.
private struct DeadlySymbolicator: Symbolicator {
    var signal = SIGKILL

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        raise(signal)
        return []
    }
}
#endif
