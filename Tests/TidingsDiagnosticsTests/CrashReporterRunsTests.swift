// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import TidingsDiagnostics

/// What a start makes of what many runs have left.
@Suite(.timeLimit(.minutes(5)))
struct CrashReporterRunsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func start() throws -> CrashReporter {
        try CrashReporter.start(.init(test: folder.path, .errorsOnly))
    }

    /// A run that has ended, by itself or without a word.
    private func makeEnded(_ second: TimeInterval, isClean: Bool) throws {
        let facts = RunFacts.current(
            application: "test",
            release: "test@0",
            started: Date(timeIntervalSince1970: second)
        )
        let run = try RunFolder.create(in: folder.path, facts: facts)
        if isClean { RunFile(at: run.livePath).markClean() }
        run.release()
    }

    @Test func promise7_ofMoreRunsThanAStartTakesTheNewestTellsHowItEnded() async throws {
        for second in 1...70 { try makeEnded(TimeInterval(second), isClean: false) }
        try makeEnded(100, isClean: true)
        let first = try start()
        #expect(first.previousRun == .clean)
        await first.close(timeout: .seconds(200))
        // The others are counted by it and by later ones, and none is lost.
        let second = try start()
        await second.close(timeout: .seconds(200))
        #expect(second.figures.filter { $0.release == "test@0" }.map(\.vanished) == [70])
        #expect(SystemFile.names(in: folder.path + "/runs").count == 1)
    }
}
