// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The number of repetitions for tests that depend on chance; `TIDINGS_CRASH_ROUNDS` overrides it.
enum CrashRounds {
    /// For each kind of crash on each kind of thread.
    static let few = asked ?? 1
    /// For crashes beside another crash or a stop.
    static let many = asked.map { $0 * 5 } ?? 5

    private static let asked = ProcessInfo.processInfo.environment["TIDINGS_CRASH_ROUNDS"]
        .flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
}
