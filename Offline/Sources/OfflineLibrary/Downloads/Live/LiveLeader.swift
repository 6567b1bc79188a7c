// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Whether the track with the pictures of a recording is over; safe from any thread.
final class LiveLeader: Sendable {
    private let state = Lock<Double?>(nil)

    /// Whether the track is over, so that the others wait no longer for news.
    var isOver: Bool { seconds != nil }

    /// The recorded seconds at the end of the track; nil before it.
    var seconds: Double? { state.withLock { $0 } }

    /// Records the end of the track; the first call counts.
    func end(at seconds: Double) { state.withLock { $0 = $0 ?? seconds } }
}
