// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The observations of a center by the locations where they were made, the most frequent first.
///
/// A location from which a program observes repeatedly, and whose count only grows, is where tokens
/// or owners leak.
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
        /// How many observations there are.
        public let count: Int
        /// How many there are of each kind.
        public let kinds: [ObservationKind: Int]
        /// How many messages are pending for them.
        public let pending: Int
        /// How many messages they lost because their buffers were full.
        public let dropped: Int
    }

    /// The locations, the one with the most observations first.
    public let places: [Place]

    init(_ observations: [ObservationStatus]) {
        let groups = Dictionary(grouping: observations) { $0.observation.location }
        places = groups.map { Place($0.key, $0.value) }.sorted { left, right in
            left.count == right.count ? left.location < right.location : left.count > right.count
        }
    }

    /// How many observations there are.
    public var count: Int { places.reduce(0) { $0 + $1.count } }

    /// Whether there are no observations.
    public var isEmpty: Bool { places.isEmpty }

    /// A table with one line for each location, or a line that states that there are no
    /// observations.
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
