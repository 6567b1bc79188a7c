// SPDX-License-Identifier: Apache-2.0
import Foundation

/// How many runs of one release began on one day, and how many of them ended badly.
///
/// A reporter counts them itself, so they are known without a server.
public struct RunFigures: Hashable, Sendable, Codable {
    /// The program's version.
    public var release: String
    /// The day on which the runs began, in UTC, such as `2026-11-21`.
    public var day: String
    /// How many runs began.
    public var runs = 0
    /// How many of them crashed.
    public var crashed = 0
    /// How many of them ended without notice, as by kill -9 or a power cut.
    public var vanished = 0

    init(release: String, day: String) {
        self.release = release
        self.day = day
    }

    /// The share of the runs that did not crash, from 0 to 1; nil when there are none.
    public var crashFree: Double? {
        runs > 0 ? Double(max(0, runs - crashed)) / Double(runs) : nil
    }

    static func day(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
