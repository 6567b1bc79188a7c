// SPDX-License-Identifier: Apache-2.0

/// A gap in a stream that a subscription had read.
public struct StreamGap: Hashable, Sendable {
    /// The kinds of gap.
    @nonexhaustive public enum Kind: Hashable, Sendable {
        /// The stream was removed and made again.
        case remade
        /// The stream has lost its newest frames, as after a power cut.
        case wentBack
        /// The stream has removed frames, by its limits, that this subscription had not read.
        case removed
    }

    /// The kind of gap.
    public let kind: Kind
    /// The subscription, which is the wire name of its crossing.
    package let subscription: String
    /// The last sequence that was handled before.
    package let cursor: UInt64
    /// The oldest and the newest sequence that the stream has now.
    package let extent: ClosedRange<UInt64>?
    /// The largest number of frames that this subscription cannot read any more, or nil if unknown.
    ///
    /// Frames of other types also count, because one stream carries all types of a space.
    public let size: UInt64?
}

/// The reaction of a subscription to a ``StreamGap``.
@nonexhaustive public enum GapPolicy: Hashable, Sendable {
    /// Reads on from the oldest frame that the stream has.
    case fromBeginning
    /// Reads only frames that are stored from now on.
    case fromEnd
    /// Stops the subscription, which the status of the bridge shows.
    case stop
}

/// The position of a subscription in a stream, and the decision about each frame.
struct ReadState: Sendable {
    /// The way to start.
    enum Plan: Equatable {
        /// Reads the frames with this sequence or a larger one.
        case read(from: StreamStart, gap: StreamGap?)
        /// Does not read.
        case stop(StreamGap)
    }

    /// The decision about a frame because of the sequence.
    enum Step: Equatable {
        case handle
        /// The frame was read before over this connection.
        case skip
    }

    let subscription: String
    let start: StreamStart
    let policy: GapPolicy
    /// The stream that is read now.
    private(set) var stream: StreamState?
    /// The last sequence that was read.
    private(set) var position: UInt64 = 0

    init(subscription: String, start: StreamStart, policy: GapPolicy) {
        self.subscription = subscription
        self.start = start
        self.policy = policy
    }

    /// Compares the stream with the stored cursor.
    ///
    /// - Parameters:
    ///   - cursor: The stored position, or nil at the first start.
    ///   - stream: The stream of the new connection.
    ///   - idAtCursor: The id that a cursor would have for the frame of the stream at `cursor`, or
    ///     nil without a frame there.
    /// - Returns: The way to start.
    mutating func connect(
        _ cursor: Cursor?,
        to stream: StreamState,
        idAtCursor: String?
    ) -> Plan {
        self.stream = stream
        guard let cursor else {
            switch start {
            case .now: position = stream.last
            // The subscription has a place from now on, so that a loss before the first frame is
            // noticed.
            case .beginning: position = stream.first - min(stream.first, 1)
            case .sequence, .time:
                position = 0
                return .read(from: start, gap: nil)
            }
            return .read(from: .sequence(position + 1), gap: nil)
        }
        position = cursor.sequence
        guard let gap = gap(cursor, stream, id: idAtCursor) else {
            return .read(from: .sequence(cursor.sequence + 1), gap: nil)
        }
        switch policy {
        case .stop: return .stop(gap)
        case .fromBeginning:
            position = stream.first - min(stream.first, 1)
            return .read(from: .sequence(stream.first), gap: gap)
        case .fromEnd:
            position = stream.last
            return .read(from: .sequence(stream.last + 1), gap: gap)
        }
    }

    private func gap(_ cursor: Cursor, _ stream: StreamState, id: String?) -> StreamGap? {
        if cursor.stream != stream.name || cursor.incarnation != stream.incarnation {
            return gap(.remade, after: cursor, stream, size: nil)
        }
        // A cursor without an id was at no frame, so only another stream has a frame there.
        let isOther = id.map { $0 != cursor.id } ?? false
        if stream.last < cursor.sequence || isOther {
            return gap(.wentBack, after: cursor, stream, size: nil)
        }
        if stream.first > cursor.sequence + 1 {
            let size = stream.first - cursor.sequence - 1
            return gap(.removed, after: cursor, stream, size: size)
        }
        return nil
    }

    private func gap(
        _ kind: StreamGap.Kind,
        after cursor: Cursor,
        _ stream: StreamState,
        size: UInt64?
    ) -> StreamGap {
        StreamGap(
            kind: kind,
            subscription: subscription,
            cursor: cursor.sequence,
            extent: stream.first <= stream.last ? stream.first...stream.last : nil,
            size: size
        )
    }

    /// Takes the next frame.
    mutating func read(_ sequence: UInt64) -> Step {
        guard sequence > position else { return .skip }
        position = sequence
        return .handle
    }

    /// Returns the cursor after a frame.
    func cursor(at sequence: UInt64, id: String) -> Cursor? {
        stream.map {
            Cursor(stream: $0.name, incarnation: $0.incarnation, sequence: sequence, id: id)
        }
    }
}
