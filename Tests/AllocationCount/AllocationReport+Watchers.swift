// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTracing

extension AllocationReport {
    /// Counts posts with a watcher of postings only.
    mutating func watchedPosts() {
        for observers in [0, 1, 100] {
            let center = MessageCenter()
            let tokens = (0..<observers).map { _ in
                center.observe(Tick.self) { work($0.number) }
            }
            let watch = center.watch(posting: { posting in work(posting.level) })
            count("post to \(observers), watched for postings") {
                center.post(Tick(number: 1))
            }
            withExtendedLifetime((tokens, watch)) {}
        }
        nestedPosts()
        postsAfterwards()
    }

    private mutating func postsAfterwards() {
        let center = MessageCenter()
        let token = center.observe(Tick.self) { work($0.number) }
        center.watch(posting: { posting in work(posting.level) }).cancel()
        count("post after the watch has ended") { center.post(Tick(number: 1)) }
        withExtendedLifetime(token) {}
    }

    /// Counts nested posts, which are not queued.
    private mutating func nestedPosts() {
        let center = MessageCenter()
        let token = center.observe(Letter.self) { [unowned center] _ in
            center.post(Tick(number: 1), options: [.nested])
        }
        let watch = center.watch(posting: { posting in work(posting.level) })
        let letter = Letter(text: "two levels")
        count("post that posts, watched for postings") { center.post(letter) }
        withExtendedLifetime((token, watch)) {}
    }
}
