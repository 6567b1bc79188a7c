// SPDX-License-Identifier: Apache-2.0

/// The server's answer to one published frame.
public struct PublishAcknowledgement: Hashable, Sendable {
    /// The answer.
    ///
    /// The enum is complete: a frame is stored or it is not.
    public enum Outcome: Hashable, Sendable {
        /// The stream has the frame at this sequence; `isDuplicate` if it had it before.
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

/// What a connection promises.
public struct TransportGuarantees: Hashable, Sendable {
    /// What an acknowledgement means.
    public var acknowledgement: AcknowledgementMeaning
    /// The size in bytes of the largest frame, headers included, that the server accepts.
    public var largestFrame: Int
    /// How long the stream recognizes a repeated id; zero if it never does.
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

/// Where a frame is when the server has acknowledged it.
@nonexhaustive public enum AcknowledgementMeaning: Hashable, Sendable {
    /// In the memory of the server's process: lost when the process ends.
    case serverMemory
    /// In the page cache of the server's machine: lost in a power cut.
    case serverPageCache
    /// Synced to the disk of one server: lost with that disk.
    case synced
    /// With this number of servers, at least 2: lost when all of them fail at once.
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
