// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The observations of a center by the location of registration, the most frequent location first.
///
/// Tokens or owners leak at a location from which a program observes repeatedly and whose count
/// only grows.
///
/// ```swift
/// let report = center.leakReport()
/// if report.count > 1_000 { print(report) }
/// ```
public struct LeakReport: Sendable, CustomStringConvertible {
    /// The observations that were made at one location.
    public struct Place: Sendable {
        /// The location, as `#fileID:line`.
        public let location: String
        /// The names of the message types observed there, in alphabetical order.
        public let messages: [String]
        /// The number of observations.
        public let count: Int
        /// The number of observations of each kind.
        public let kinds: [ObservationKind: Int]
        /// The number of messages that are pending for these observations.
        public let pending: Int
        /// The number of messages that full buffers dropped.
        public let dropped: Int
    }

    /// The locations, in descending order of the number of observations.
    public let places: [Place]

    init(_ observations: [ObservationStatus]) {
        let groups = Dictionary(grouping: observations) { $0.observation.location }
        places = groups.map { Place($0.key, $0.value) }.sorted { left, right in
            left.count == right.count ? left.location < right.location : left.count > right.count
        }
    }

    /// The number of observations.
    public var count: Int { places.reduce(0) { $0 + $1.count } }

    /// Whether the report is empty.
    public var isEmpty: Bool { places.isEmpty }

    /// A table with one line for each location, or a line that states the absence of observations.
    public var description: String {
        guard !isEmpty else { return "no observations" }
        let head = ["count", "waiting", "lost", "kinds", "messages", "made at"]
        return TextTable(rows: [head] + places.map(\.row), numbers: 3).description
    }
}

extension LeakReport.Place {
    fileprivate init(_ location: String, _ observations: [ObservationStatus]) {
        self.location = location
        count = observations.count
        messages = Set(observations.map(\.observation.message)).sorted()
        kinds = Dictionary(grouping: observations) { $0.observation.kind }.mapValues(\.count)
        pending = observations.reduce(0) { $0 + $1.pending }
        dropped = observations.reduce(0) { $0 + $1.dropped }
    }

    fileprivate var row: [String] {
        let kinds = kinds.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", ")
        let messages = messages.joined(separator: ", ")
        return ["\(count)", "\(pending)", "\(dropped)", kinds, messages, location]
    }
}
