// SPDX-License-Identifier: Apache-2.0

/// The newest posts, at most so many.
struct ActivityLog: Sendable {
    private let capacity: Int
    private var ring: [ActivityPostJSON] = []
    /// Where the oldest one is, once the ring is full.
    private var first = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The posts, the newest last.
    var posts: [ActivityPostJSON] { Array(ring[first...] + ring[..<first]) }

    /// Adds a post, in place of the oldest one if there is no room.
    ///
    /// - Returns: Its place in the ring.
    mutating func append(_ post: ActivityPostJSON) -> Int {
        guard ring.count == capacity else {
            ring.append(post)
            return ring.count - 1
        }
        defer { first = (first + 1) % capacity }
        ring[first] = post
        return first
    }
}
