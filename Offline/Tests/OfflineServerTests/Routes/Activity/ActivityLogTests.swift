// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsLock
import TidingsTracing

@testable import OfflineAPI
@testable import OfflineServer

/// Tests of the ring buffer of posts.
@Suite(.timeLimit(.minutes(15)))
struct ActivityLogTests {
    private struct Ping: Message {}

    /// Returns posts as a watch receives them.
    private func posts(_ count: Int) -> [ActivityPostJSON] {
        let center = MessageCenter()
        let posts = Lock<[ActivityPostJSON]>([])
        let token = center.watch(delivered: { delivery in
            posts.withLock { $0.append(ActivityPostJSON(delivery)) }
        })
        for _ in 0..<count { center.post(Ping()) }
        token.cancel()
        return posts.withLock { $0 }
    }

    @Test func itKeepsTheNewestInOrder() {
        let posts = posts(7)
        var log = ActivityLog(capacity: 3)
        #expect(log.posts.isEmpty)
        let places = posts.map { log.append($0) }
        #expect(places == [0, 1, 2, 0, 1, 2, 0])
        #expect(log.posts == Array(posts.suffix(3)))
    }

    @Test func aLogBelowItsCapacityKeepsAllPosts() {
        let posts = posts(2)
        var log = ActivityLog(capacity: 3)
        for post in posts { _ = log.append(post) }
        #expect(log.posts == posts)
    }
}
