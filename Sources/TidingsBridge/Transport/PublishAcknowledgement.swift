// SPDX-License-Identifier: Apache-2.0

/// The server's answer to one published frame.
public struct PublishAcknowledgement: Hashable, Sendable {
    /// The answer.
    ///
    /// The enum is complete, because a frame is either stored or not.
    public enum Outcome: Hashable, Sendable {
        /// The stream has the frame at this sequence.
        ///
        /// `isDuplicate` is true if the stream had the frame before.
        case accepted(sequence: UInt64, isDuplicate: Bool)
        /// The server did not store the frame.
        case refused(TransportError)
    }

    /// The row of the frame.
    public let row: Int
    /// The answer.
    public let outcome: Outcome

    /// Creates an acknowledgement.
    public init(row: Int, _ outcome: Outcome) {
        self.row = row
        self.outcome = outcome
    }
}

/// The promises of a connection.
public struct TransportGuarantees: Hashable, Sendable {
    /// The meaning of an acknowledgement.
    public var acknowledgement: AcknowledgementMeaning
    /// The size in bytes of the largest frame, headers included, that the server accepts.
    public var largestFrame: Int
    /// How long the stream recognizes a repeated id, or zero if never.
    public var duplicateWindow: Duration

    /// Creates a description.
    public init(
        acknowledgement: AcknowledgementMeaning,
        largestFrame: Int,
        duplicateWindow: Duration
    ) {
        self.acknowledgement = acknowledgement
        self.largestFrame = largestFrame
        self.duplicateWindow = duplicateWindow
    }
}

/// Where an acknowledged frame is.
@nonexhaustive public enum AcknowledgementMeaning: Hashable, Sendable {
    /// In the memory of the server's process, and lost when the process ends.
    case serverMemory
    /// In the page cache of the server's machine, and lost in a power cut.
    case serverPageCache
    /// Synced to the disk of one server, and lost with that disk.
    case synced
    /// With this number of servers, at least 2, and lost when all fail at the same time.
    case replicated(Int)

    /// Whether no single failure of a process or a machine's power loses the frame.
    package var survivesPowerCut: Bool {
        switch self {
        case .serverMemory, .serverPageCache: false
        case .synced: true
        case .replicated(let count): count > 1
        }
    }
}
