// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The number of repetitions for tests that depend on chance.
///
/// The environment variable `TIDINGS_CRASH_ROUNDS` overrides the number.
enum CrashRounds {
    /// The number for each kind of crash on each kind of thread.
    static let few = asked ?? 1
    /// The number for crashes beside another crash or a stop.
    static let many = asked.map { $0 * 5 } ?? 5

    private static let asked = ProcessInfo.processInfo.environment["TIDINGS_CRASH_ROUNDS"]
        .flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
}
