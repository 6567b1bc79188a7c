// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Whether the track with the pictures of a recording is over.
///
/// The object is safe to use from any thread.
final class LiveLeader: Sendable {
    private let state = Lock<Double?>(nil)

    /// Whether the track is over, so that the other tracks no longer wait for new segments.
    var isOver: Bool { seconds != nil }

    /// The recorded seconds at the end of the track, or nil before the end.
    var seconds: Double? { state.withLock { $0 } }

    /// Records the end of the track.
    ///
    /// Only the first call counts.
    func end(at seconds: Double) { state.withLock { $0 = $0 ?? seconds } }
}
