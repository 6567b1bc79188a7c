// SPDX-License-Identifier: Apache-2.0
import OfflineAPI

/// A ring buffer of the newest posts.
struct ActivityLog: Sendable {
    private let capacity: Int
    private var ring: [ActivityPostJSON] = []
    /// The index of the oldest post once the ring is full.
    private var first = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// The posts, with the newest last.
    var posts: [ActivityPostJSON] { Array(ring[first...] + ring[..<first]) }

    /// Appends a post.
    ///
    /// A full ring drops the oldest one.
    ///
    /// - Returns: The post's index in the ring.
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
