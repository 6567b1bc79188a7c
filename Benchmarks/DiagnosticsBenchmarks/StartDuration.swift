// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

/// The time that a program waits for the start of its reporter.
enum StartDuration {
    private static let rounds = 11

    /// Returns the median of several starts, each after a run that has ended.
    static func milliseconds(in folders: TemporaryFolders) async throws -> Double {
        var times: [Duration] = []
        for _ in 0..<rounds {
            let begin = ContinuousClock.now
            let reporter = try CrashReporter.start(in: folders.folder("starting"), .on)
            times.append(ContinuousClock.now - begin)
            await reporter.close()
        }
        return times.sorted()[rounds / 2] / .milliseconds(1)
    }
}
