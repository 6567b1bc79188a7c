// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings
import TidingsLock

@testable import TidingsDiagnostics

/// A symbolicator that counts its calls and returns one function.
private final class CountingSymbolicator: Symbolicator {
    private let calls = Lock(0)

    var count: Int { calls.withLock { $0 } }

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        calls.withLock { $0 += 1 }
        let symbol = Symbol(
            name: "take()",
            image: "films",
            file: nil,
            line: nil,
            isInlined: false,
            isRuntimeFailure: false,
            isSystem: false
        )
        return frames.map { _ in [symbol] }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct EndedRunReporterTests {
    private let place: TemporaryFolder
    private let symbolicator = CountingSymbolicator()
    private let sut: EndedRunReporter

    init() throws {
        place = try TemporaryFolder()
        let limits = ReportFolder(path: place.path, countLimit: 10, byteLimit: 1 << 20)
        let writer = RedactingWriter(redactor: Redactor())
        sut = EndedRunReporter(
            crashBuilder: CrashReportBuilder(symbolicator: symbolicator, writer: writer),
            eventBuilder: EventReportBuilder(symbolicator: symbolicator, writer: writer),
            spool: try ReportSpool(folder: limits),
            store: ReporterStore(directory: place.path)
        )
    }

    /// Creates a crashed run that has ended a number of reading processes.
    private func crashed(failedAttempts: Int) throws -> RunFolder {
        let metadata = RunMetadata.current(application: "films", release: "films@1")
        let folder = try RunFolder.create(in: place.path, metadata: metadata)
        try Data(CaptureBytes().bytes).write(to: URL(filePath: folder.capturePaths[0]))
        let marks = Data(repeating: 0x2B, count: 8 * failedAttempts)
        try marks.write(to: URL(filePath: folder.attemptsPath))
        folder.release()
        return try #require(RunFolder.acquireEnded(in: place.path).first)
    }

    private func makeReports(of folder: RunFolder) {
        let attempt = ReadingAttempt(folder, isWatched: false)
        sut.makeReports(of: folder, attempt)
        attempt.end()
    }

    @Test(arguments: [0, 1])
    func aCrashIsReportedWithItsFunctions(_ attempts: Int) async throws {
        makeReports(of: try crashed(failedAttempts: attempts))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.frames.first?.function == "take()" && symbolicator.count > 0)
    }

    @Test func r11_theLastAttemptIsMadeWithoutSymbols() async throws {
        makeReports(of: try crashed(failedAttempts: 2))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.crash?.signal == "SIGSEGV" && !report.frames.isEmpty)
        #expect(report.frames.allSatisfy { $0.function == nil } && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.isEmpty)
    }

    @Test func r11_afterTheLastAttemptItIsQuarantinedAndCounted() async throws {
        makeReports(of: try crashed(failedAttempts: 3))
        #expect(await sut.spool.reports().isEmpty && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.count == 1)
        let lost = ReportLoss(reason: .unreadable, category: .error, quantity: 1)
        #expect(sut.store.state.losses == [lost])
        #expect(sut.store.state.figures.map(\.crashed) == [1])
        #expect(RunFolder.acquireEnded(in: place.path).isEmpty)
    }

    @Test func r9_aCrashOfARunWithoutReadableMetadataIsReported() async throws {
        let folder = try crashed(failedAttempts: 0)
        try Data("{".utf8).write(to: URL(filePath: "\(folder.path)/run.json"))
        makeReports(of: folder)
        let report = try #require(await sut.spool.reports().first)
        #expect(report.crash?.signal == "SIGSEGV" && report.release == RunMetadata.unknownName)
        #expect(sut.spool.folder.quarantine.names.isEmpty)
    }

    @Test func r9_aRunThatIsReadTwiceIsCountedOnce() throws {
        let folder = try crashed(failedAttempts: 0)
        let run = EndedRun(folder)
        // Reading twice simulates a process that ended between counting and deleting the run.
        for _ in 0..<2 {
            sut.makeReports(of: folder, known: run, ReadingAttempt(folder, isWatched: false))
        }
        let figures = sut.store.state.figures
        #expect(figures.map(\.runs) == [1] && figures.map(\.crashed) == [1])
        #expect(sut.store.state.sessions.map(\.isFirst) == [true])
    }
}
