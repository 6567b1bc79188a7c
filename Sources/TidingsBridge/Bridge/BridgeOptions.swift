// SPDX-License-Identifier: Apache-2.0

/// The settings of a bridge.
///
/// ```swift
/// var options = BridgeOptions()
/// options.durability = .power
/// options.requirement = .neverLose
/// ```
public struct BridgeOptions: Sendable {
    /// The required meaning of the server's acknowledgements.
    @nonexhaustive public enum Requirement: Hashable, Sendable {
        /// Any meaning, which the status shows.
        case any
        /// The message survives a power cut of the server.
        case neverLose
    }

    /// When a durable message counts as stored, `.process` by default.
    public var durability: BridgeDurability = .process
    /// How much the bridge keeps on disk.
    package var limits = StorageLimits()
    /// The bytes of messages that the outbox holds, 256 MiB by default.
    public var outboxBytes: Int {
        get { limits.outboxBytes }
        set { limits.outboxBytes = newValue }
    }

    /// The number of ids that the inbox remembers, 1,000,000 by default.
    ///
    /// A repeat that arrives after that many other messages is handled again.
    public var rememberedIDs: Int {
        get { limits.rememberedIDs }
        set { limits.rememberedIDs = newValue }
    }

    /// The reaction of a durable post to a full outbox, `.fail` by default.
    public var whenFull: FullOutbox = .fail
    /// The required meaning of an acknowledgement, any by default.
    public var requirement: Requirement = .any
    /// The form of the bodies, JSON by default.
    public var codec: BridgeCodec = .json
    /// The largest number of messages without an acknowledgement, 1,024 by default.
    package var window = 1_024
    /// How long an acknowledgement may take before the bridge shows `isStalled` and reconnects.
    public var acknowledgementDeadline: Duration = .seconds(5)
    /// The pauses between attempts to connect.
    package var backoff = Backoff()
    /// How often a message is handed to handlers that throw.
    public var retry = RetryPlan()
    /// How long a process may be silent about shared work before another process receives the work.
    ///
    /// The default is 30 seconds. All processes of a group have the same value. A process is not
    /// silent while a handler runs, so this value limits no handler.
    public var workLimit: Duration = .seconds(30)
    /// The reaction of a subscription to a stream that has lost unread messages.
    public var gapPolicy: GapPolicy = .fromBeginning
    /// The number of bridges after which a message is dropped, 8 by default.
    package var hopLimit = 8
    /// The number of transient messages that wait to be sent, 10,000 by default.
    package var transientLimit = 10_000

    /// Creates the settings described at each property.
    public init() {}
}
