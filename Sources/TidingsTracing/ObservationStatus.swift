// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// The status of an observation at one moment.
///
/// ```swift
/// let late = center.observations().filter { $0.pending > 100 }
/// ```
public struct ObservationStatus: Sendable, CustomStringConvertible {
    private let figures: ObservationFigures

    init(_ figures: ObservationFigures) {
        self.figures = figures
    }

    /// The observation.
    public var observation: ObservationInfo { figures.observation }

    /// Whether the observation is blocked.
    public var isBlocked: Bool { figures.isBlocked }

    /// The number of messages that are pending for the observation.
    public var pending: Int { figures.pending }

    /// The number of messages that a full buffer dropped.
    public var dropped: Int { figures.dropped }

    /// The observation and its unusual properties at this moment.
    public var description: String { figures.description }
}
