// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of a bridge.
public struct BridgeStatus: Hashable, Sendable {
    /// Whether the bridge is connected to its server.
    public internal(set) var isConnected = false
    /// Since when it has been connected, or not.
    public internal(set) var since = Date()
    /// The number of attempts to connect so far.
    package internal(set) var epoch = 0
    /// Why the last connection ended, or could not be made; nil while there was no failure.
    public internal(set) var fault: TransportError?
    /// Whether the server is reached but does not acknowledge, as when its disk is full.
    public internal(set) var isStalled = false
    /// Whether the bridge refuses the server, because an acknowledgement means less than required.
    package internal(set) var isTooWeak = false
    /// What an acknowledgement of the current server means.
    public internal(set) var acknowledgement: AcknowledgementMeaning?
    /// The number of messages in the outbox.
    public internal(set) var outboxCount = 0
    /// What they count for the quota, in bytes.
    package internal(set) var outboxBytes = 0
    /// When the oldest of them was posted.
    public internal(set) var oldestPost: Date?
    /// The number of dead letters.
    public internal(set) var deadLetterCount = 0
    /// The number of dead letters that were dropped since the start, the oldest first, because
    /// there were too many.
    public internal(set) var droppedDeadLetterCount = 0
    /// The transient messages that this process has lost, in both directions.
    public internal(set) var transientLosses = 0
    /// The incoming subscriptions by their wire names.
    public internal(set) var subscriptions: [String: SubscriptionStatus] = [:]
}
