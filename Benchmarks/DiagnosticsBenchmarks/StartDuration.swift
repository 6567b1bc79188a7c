// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsDiagnostics

/// The time that a program waits for the start of its reporter.
enum StartDuration {
    /// The title, the folder's name and the number of reports in the spool of each measurement.
    static let rows = [
        ("start of a reporter", "starting", 0),
        ("start of a reporter with 200 reports", "starting-full", 200),
    ]

    private static let rounds = 11

    /// Returns the median of several starts, each after a run that has ended.
    static func milliseconds(in folder: String, with reports: Int) async throws -> Double {
        try await fill(folder, reports)
        var times: [Duration] = []
        for _ in 0..<rounds {
            let begin = ContinuousClock.now
            let reporter = try CrashReporter.start(in: folder, .on)
            times.append(ContinuousClock.now - begin)
            await reporter.close()
        }
        return times.sorted()[rounds / 2] / .milliseconds(1)
    }

    private static func fill(_ folder: String, _ count: Int) async throws {
        struct Failure: Error {}
        guard count > 0 else { return }
        let reporter = try CrashReporter.start(in: folder, .errorsOnly)
        for number in 1...count {
            for _ in 0..<100 { reporter.log("muxing of film \(number) has started") }
            reporter.record(Failure(), context: ["film": .integer(number)])
            // The file of the run has space for only some reports.
            if number % 10 == 0 { _ = await reporter.unsentReports() }
        }
        let kept = await reporter.unsentReports().count
        guard kept == count else { throw CocoaError(.fileWriteUnknown) }
        await reporter.close()
    }
}
