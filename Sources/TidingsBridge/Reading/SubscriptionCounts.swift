// SPDX-License-Identifier: Apache-2.0

/// The progress of one subscription since the start of the bridge.
public struct SubscriptionStatus: Hashable, Sendable {
    /// The last sequence that was handled or kept for another attempt.
    package internal(set) var position: UInt64 = 0
    /// The newest sequence of the stream at the last look.
    package internal(set) var newest: UInt64 = 0
    /// The messages whose handlers have returned.
    public internal(set) var handled = 0
    /// The repeats that were dropped.
    public internal(set) var repeats = 0
    /// The messages that were skipped because of another type's name or the hop limit.
    public internal(set) var skipped = 0
    /// The attempts that failed.
    public internal(set) var failures = 0
    /// The last gaps in the stream, at most 10, with the newest at the end.
    public internal(set) var gaps: [StreamGap] = []
    /// Whether the subscription has stopped after a gap, or has not joined its group.
    ///
    /// The gap policy stops a subscription after a gap. A subscription does not join a group if the
    /// transport shares no work or the server refuses. The subscription tries again after a
    /// refusal.
    public internal(set) var isStopped = false

    /// The number of stored frames, of all types, that the subscription has not read, at least 0.
    public var lag: UInt64 { newest > position ? newest - position : 0 }
}
