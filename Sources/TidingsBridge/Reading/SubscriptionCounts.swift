// SPDX-License-Identifier: Apache-2.0

/// What one subscription has read since the start of the bridge.
public struct SubscriptionStatus: Hashable, Sendable {
    /// The last sequence that was handled or kept for another attempt.
    package internal(set) var position: UInt64 = 0
    /// The newest sequence of the stream when it was last looked at.
    package internal(set) var newest: UInt64 = 0
    /// The messages whose handlers have returned.
    public internal(set) var handled = 0
    /// The repeats that were dropped.
    public internal(set) var repeats = 0
    /// The messages that another type's name or the hop limit kept out.
    public internal(set) var skipped = 0
    /// The attempts that failed.
    public internal(set) var failures = 0
    /// The gaps in the stream, the last one at the end; at most 10.
    public internal(set) var gaps: [StreamGap] = []
    /// Whether the subscription has stopped after a gap, by its policy, or has not joined its
    /// group, because the transport shares no work or the server refuses it, which is tried again.
    public internal(set) var isStopped = false

    /// The number of stored frames, of all types, that it has not read; at least 0.
    public var lag: UInt64 { newest > position ? newest - position : 0 }
}
