// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import Tidings

@testable import TidingsDiagnostics

/// Counts how often it is asked, and knows one function.
private final class CountingSymbolicator: Symbolicator {
    private let asked = Lock(0)

    var count: Int { asked.withLock { $0 } }

    func captureImages() -> ImageList { ImageList(architecture: "", images: []) }

    func symbols(of frames: [RawCapture.Frame], images: ImageList) throws -> [[Symbol]] {
        asked.withLock { $0 += 1 }
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
struct EndedRunReportsTests {
    private let place: TemporaryFolder
    private let symbolicator = CountingSymbolicator()
    private let sut: EndedRunReports

    init() throws {
        place = try TemporaryFolder()
        let limits = ReportFolder(path: place.path, countLimit: 10, byteLimit: 1 << 20)
        let scribe = Scribe(redactor: Redactor())
        sut = EndedRunReports(
            crashes: CrashAssembly(symbolicator: symbolicator, scribe: scribe),
            events: EventAssembly(symbolicator: symbolicator, scribe: scribe),
            spool: try ReportSpool(folder: limits),
            store: ReporterStore(directory: place.path)
        )
    }

    /// A run that has crashed, of which so many starts have not come to the end of a report.
    private func crashed(attempts: Int) throws -> EndedRun {
        let facts = RunFacts.current(application: "films", release: "films@1")
        let made = try RunFolder.create(in: place.path, facts: facts)
        try Data(CaptureBytes().bytes).write(to: URL(filePath: made.capturePaths[0]))
        for _ in 0..<attempts { _ = made.beginAttempt() }
        made.release()
        return EndedRun(try #require(RunFolder.takeEnded(in: place.path).first))
    }

    @Test(arguments: [0, 1])
    func aCrashIsReportedWithItsFunctions(_ attempts: Int) async throws {
        sut.make(of: try crashed(attempts: attempts))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.frames.first?.function == "take()" && symbolicator.count > 0)
    }

    @Test func promise11_theLastAttemptIsMadeWithoutSymbols() async throws {
        sut.make(of: try crashed(attempts: 2))
        let report = try #require(await sut.spool.reports().first)
        #expect(report.crash?.signal == "SIGSEGV" && !report.frames.isEmpty)
        #expect(report.frames.allSatisfy { $0.function == nil } && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.isEmpty)
    }

    @Test func promise11_afterThatItIsPutAsideAndCounted() async throws {
        sut.make(of: try crashed(attempts: 3))
        #expect(await sut.spool.reports().isEmpty && symbolicator.count == 0)
        #expect(sut.spool.folder.quarantine.names.count == 1)
        let lost = ReportLoss(reason: .unreadable, category: .error, quantity: 1)
        #expect(sut.store.state.losses == [lost])
        #expect(RunFolder.takeEnded(in: place.path).isEmpty)
    }
}
