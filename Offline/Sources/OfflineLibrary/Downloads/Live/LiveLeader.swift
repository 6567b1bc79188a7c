// SPDX-License-Identifier: Apache-2.0
import TidingsLock

/// Whether the track with the pictures of a recording is over; safe from any thread.
final class LiveLeader: Sendable {
    private let state = Lock(false)

    /// Whether the track is over, so that the others wait no longer for news.
    var isOver: Bool { state.withLock { $0 } }

    /// Records the end of the track.
    func end() { state.withLock { $0 = true } }
}
