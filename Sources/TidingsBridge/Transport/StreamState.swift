// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The identity and the extent of a stream.
public struct StreamState: Hashable, Sendable {
    /// The name of the stream.
    public let name: String
    /// A string that differs when a stream is made again under the same name.
    ///
    /// An example is the time at which the stream was created.
    public let incarnation: String
    /// The sequence of the oldest frame, or one more than `last` if the stream is empty.
    public let first: UInt64
    /// The sequence of the newest frame ever stored, or 0 if there was none.
    public let last: UInt64

    /// Creates a state.
    ///
    /// A sequence of 2^63 - 1 or more, which no stream reaches, is taken as 2^63 - 2. The oldest
    /// frame may be one further.
    public init(name: String, incarnation: String, first: UInt64, last: UInt64) {
        self.name = name
        self.incarnation = incarnation
        self.first = min(first, StoredFrame.largestSequence + 1)
        self.last = min(last, StoredFrame.largestSequence)
    }
}

/// The first frame that a reader returns.
@nonexhaustive public enum StreamStart: Hashable, Sendable {
    /// The first frame stored after the call.
    case now
    /// The oldest frame that the stream has.
    case beginning
    /// The first frame with this sequence or a larger one.
    ///
    /// A stream whose last frame is earlier is read from the next frame on.
    case sequence(UInt64)
    /// The first frame stored at this time or later.
    case time(Date)
}

/// The connections that share the frames of some subjects.
public struct SharedGroup: Hashable, Sendable {
    /// The name, of letters, digits, `-` and `_`.
    public let name: String
    /// The subjects, the same for all members.
    public let filter: SubjectFilter
    /// How long one connection may work on a frame before another connection receives the frame.
    public let workLimit: Duration
    /// The first frame of a group that is new to the server.
    public let start: StreamStart

    /// Creates a group.
    public init(
        name: String,
        filter: SubjectFilter,
        workLimit: Duration,
        start: StreamStart = .now
    ) {
        self.name = name
        self.filter = filter
        self.workLimit = workLimit
        self.start = start
    }
}
