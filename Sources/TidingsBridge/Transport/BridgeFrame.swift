// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A message on its way: the subject, the headers and the encoded body.
public struct BridgeFrame: Hashable, Sendable {
    /// The tokens of the address, separated by dots.
    public var subject: String
    /// The description of the body.
    public var headers: FrameHeaders
    /// The encoded message.
    public var body: [UInt8]
    /// The transient subject to which the receiver sends its reply, or nil if none is expected.
    public var replySubject: String?

    /// Creates a frame.
    public init(
        subject: String,
        headers: FrameHeaders = [:],
        body: [UInt8] = [],
        replySubject: String? = nil
    ) {
        self.subject = subject
        self.headers = headers
        self.body = body
        self.replySubject = replySubject
    }
}

/// A frame for the stream, with the number that its acknowledgement contains.
public struct PublishedFrame: Hashable, Sendable {
    /// The number of the outbox row, unique among the frames of one connection and not negative.
    public let row: Int
    /// The content.
    public let frame: BridgeFrame

    /// Creates a frame for the stream.
    public init(row: Int, frame: BridgeFrame) {
        self.row = row
        self.frame = frame
    }
}

/// A frame that a stream has stored.
public struct StoredFrame: Hashable, Sendable {
    /// The position in the stream, which grows by at least 1 from frame to frame.
    public let sequence: UInt64

    /// The largest position, so that the next position is also a number, whatever a server writes.
    package static let largestSequence = UInt64(Int64.max) - 1

    /// When the server stored the frame.
    public let time: Date
    /// The content.
    public let frame: BridgeFrame

    /// Creates a stored frame.
    ///
    /// A position of 2^63 - 1 or more, which no stream reaches, is taken as 2^63 - 2.
    public init(sequence: UInt64, time: Date, frame: BridgeFrame) {
        self.sequence = min(sequence, Self.largestSequence)
        self.time = time
        self.frame = frame
    }
}

/// A stored frame that one connection of a group is to handle.
public struct SharedFrame: Hashable, Sendable {
    /// The name of this delivery in the acknowledgement, for the transport alone.
    public let ticket: String
    /// The number of deliveries that the server has counted, from 1.
    public let attempt: Int
    /// The frame.
    public let stored: StoredFrame

    /// Creates a frame for one connection of a group.
    public init(ticket: String, attempt: Int, stored: StoredFrame) {
        self.ticket = ticket
        self.attempt = attempt
        self.stored = stored
    }
}
