// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The number of runs of one release that started on one day, and how many of them ended
/// abnormally.
///
/// A reporter counts them itself, so no server is needed.
public struct RunFigures: Hashable, Sendable, Codable {
    /// The version of the program.
    public var release: String
    /// The day on which the runs started, in UTC, such as `2026-11-21`.
    public var day: String
    /// The number of runs that started.
    public var runs = 0
    /// The number of runs that crashed.
    public var crashed = 0
    /// The number of runs that ended without notice, for example by `kill -9` or a power failure.
    public var vanished = 0

    init(release: String, day: String) {
        self.release = release
        self.day = day
    }

    /// The fraction of runs that did not crash, from 0 to 1; nil without runs.
    public var crashFree: Double? {
        runs > 0 ? Double(max(0, runs - crashed)) / Double(runs) : nil
    }

    static func day(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
