// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The state of a bridge.
public struct BridgeStatus: Hashable, Sendable {
    /// Whether the bridge is connected to the server.
    public internal(set) var isConnected = false
    /// Since when the bridge has been connected, or not connected.
    public internal(set) var since = Date()
    /// The number of attempts to connect so far.
    package internal(set) var epoch = 0
    /// Why the last connection ended or could not be made, or nil without a failure.
    public internal(set) var fault: TransportError?
    /// Whether the server is reached but does not acknowledge, as with a full disk.
    public internal(set) var isStalled = false
    /// Whether the bridge refuses the server, because an acknowledgement means less than required.
    package internal(set) var isTooWeak = false
    /// The meaning of the current server's acknowledgements.
    public internal(set) var acknowledgement: AcknowledgementMeaning?
    /// The number of messages in the outbox.
    public internal(set) var outboxCount = 0
    /// The bytes of the outbox for the quota.
    package internal(set) var outboxBytes = 0
    /// When the oldest message of the outbox was posted.
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
