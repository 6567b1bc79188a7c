// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

/// How long a program waits for its reporter.
enum Starting {
    private static let rounds = 11

    /// The median of several starts, each after a run that has ended.
    static func milliseconds(in place: Place) async throws -> Double {
        var times: [Duration] = []
        for _ in 0..<rounds {
            let begin = ContinuousClock.now
            let reporter = try CrashReporter.start(in: place.folder("starting"), .on)
            times.append(ContinuousClock.now - begin)
            await reporter.close()
        }
        return times.sorted()[rounds / 2] / .milliseconds(1)
    }
}
