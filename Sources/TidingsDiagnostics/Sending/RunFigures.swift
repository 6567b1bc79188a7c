// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The number of runs of one release that started on one day, with the number of abnormal ends.
///
/// A reporter counts the runs without a server.
public struct RunFigures: Hashable, Sendable {
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

    init(_ stored: Stored) {
        self.init(release: stored.release, day: stored.day)
        (runs, crashed, vanished) = (stored.runs, stored.crashed, stored.vanished)
    }

    /// The fraction of runs that did not crash, from 0 to 1, or nil without runs.
    var crashFree: Double? {
        runs > 0 ? Double(max(0, runs - crashed)) / Double(runs) : nil
    }

    /// The figures as they are stored.
    struct Stored: Codable {
        let release: String
        let day: String
        let runs: Int
        let crashed: Int
        let vanished: Int
    }

    var stored: Stored {
        Stored(release: release, day: day, runs: runs, crashed: crashed, vanished: vanished)
    }

    static func day(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle().year().month().day())
    }
}
