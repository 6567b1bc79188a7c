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

@Suite(.timeLimit(.minutes(5)))
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

    /// Creates a crashed run with the given number of interrupted attempts.
    private func crashed(attempts: Int) throws -> EndedRun {
        let metadata = RunMetadata.current(application: "films", release: "films@1")
        let folder = try RunFolder.create(in: place.path, metadata: metadata)
        try Data(CaptureBytes().bytes).write(to: URL(filePath: folder.capturePaths[0]))
        for _ in 0..<attempts { _ = folder.beginAttempt() }
        folder.release()
        return EndedRun(try #require(RunFolder.acquireEnded(in: place.path).first))
    }

    @Test(arguments: [0, 1])
    func aCrashIsReportedWithItsFunctions(_ attempts: Int) async throws {
        sut.makeReports(of: try crashed(attempts: attempts))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.frames.first?.function == "take()" && symbolicator.count > 0)
    }

    @Test func r11_theLastAttemptIsMadeWithoutSymbols() async throws {
        sut.makeReports(of: try crashed(attempts: 2))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.crash?.signal == "SIGSEGV" && !report.frames.isEmpty)
        #expect(report.frames.allSatisfy { $0.function == nil } && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.isEmpty)
    }

    @Test func r11_afterTheLastAttemptItIsQuarantinedAndCounted() async throws {
        sut.makeReports(of: try crashed(attempts: 3))
        #expect(await sut.spool.reports().isEmpty && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.count == 1)
        let lost = ReportLoss(reason: .unreadable, category: .error, quantity: 1)
        #expect(sut.store.state.losses == [lost])
        #expect(RunFolder.acquireEnded(in: place.path).isEmpty)
    }
}
