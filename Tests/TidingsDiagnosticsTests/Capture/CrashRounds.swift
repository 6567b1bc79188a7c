// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How often what depends on chance is tried; `TIDINGS_CRASH_ROUNDS` makes it more.
enum CrashRounds {
    /// Of each way to crash on each kind of thread.
    static let few = asked ?? 3
    /// Of threads that crash at once.
    static let many = asked.map { $0 * 5 } ?? 20

    private static let asked = ProcessInfo.processInfo.environment["TIDINGS_CRASH_ROUNDS"]
        .flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
}
