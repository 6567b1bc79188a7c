// SPDX-License-Identifier: Apache-2.0

/// The settings of a bridge.
///
/// ```swift
/// var options = BridgeOptions()
/// options.durability = .power
/// options.requirement = .neverLose
/// ```
public struct BridgeOptions: Sendable {
    /// What an acknowledgement of the server must mean.
    @nonexhaustive public enum Requirement: Hashable, Sendable {
        /// Anything; the status shows it.
        case any
        /// That the message survives a power cut of the server.
        case neverLose
    }

    /// When a durable message counts as stored; `.process` unless stated.
    public var durability: BridgeDurability = .process
    /// How much the bridge keeps on disk.
    package var limits = StorageLimits()
    /// The bytes of messages that the outbox holds; 256 MiB unless stated.
    public var outboxBytes: Int {
        get { limits.outboxBytes }
        set { limits.outboxBytes = newValue }
    }

    /// The number of ids that the inbox remembers; 1,000,000 unless stated.
    ///
    /// A repeat that arrives after that many other messages is handled again.
    public var rememberedIDs: Int {
        get { limits.rememberedIDs }
        set { limits.rememberedIDs = newValue }
    }

    /// What a durable post does when the outbox is full; it fails unless stated.
    public var whenFull: FullOutbox = .fail
    /// What an acknowledgement must mean; anything unless stated.
    public var requirement: Requirement = .any
    /// The form of the bodies; JSON unless stated.
    public var codec: BridgeCodec = .json
    /// The largest number of messages without an acknowledgement; 1,024 unless stated.
    package var window = 1_024
    /// How long an acknowledgement may take before the bridge shows `isStalled` and reconnects.
    public var acknowledgementDeadline: Duration = .seconds(5)
    /// The pauses between attempts to connect.
    package var backoff = Backoff()
    /// How often a message is handed to handlers that throw.
    public var retry = RetryPlan()
    /// How long a process may be silent about shared work before the group gives it to another one.
    ///
    /// 30 seconds unless stated. All processes of a group have the same value. A process is
    /// not silent while a handler runs, so it limits no handler.
    public var workLimit: Duration = .seconds(30)
    /// What a subscription does when the stream has lost what it had not read.
    public var gapPolicy: GapPolicy = .fromBeginning
    /// The number of bridges after which a message is dropped; 8 unless stated.
    package var hopLimit = 8
    /// The number of transient messages that wait to be sent; 10,000 unless stated.
    package var transientLimit = 10_000

    /// Creates the settings described at each property.
    public init() {}
}
