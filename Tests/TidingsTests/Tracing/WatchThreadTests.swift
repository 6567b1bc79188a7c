// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings

/// A watch that comes and goes on another thread changes nothing for anybody else.
@Suite(.timeLimit(.minutes(5)))
struct WatchThreadTests {
    private static let posts = 20_000

    private final class Progress: Sendable {
        let seen = Atomic(0)
        let isOver = Atomic(false)

        func note() { seen.add(1, ordering: .relaxed) }
    }

    private let center = MessageCenter()
    private let progress = Progress()
    private let bag = ObservationBag()

    init() {
        // Without it a post that overlooks everybody else has nobody to call.
        center.observe(Ping.self) { _ in }.store(in: bag)
    }

    /// Posts while another thread opens and closes a watch; returns how many `note` has counted.
    private func seen(of post: @escaping @Sendable (MessageCenter) -> Void) async -> Int {
        let (center, progress) = (center, progress)
        let posting: @Sendable () -> Void = {
            for _ in 0..<Self.posts { post(center) }
            progress.isOver.store(true, ordering: .releasing)
        }
        let watching: @Sendable () -> Void = {
            while !progress.isOver.load(ordering: .acquiring) {
                center.watch(delivered: { _ in }).cancel()
            }
        }
        await runOnThreads([posting, watching])
        return progress.seen.load(ordering: .acquiring)
    }

    @Test func m4_anObserverOfEverythingMissesNoPost() async {
        center.allMessages.observe { [progress] _ in progress.note() }.store(in: bag)
        let seen = await seen { $0.post(Ping()) }
        #expect(seen == Self.posts)
    }

    @Test func anInterceptorThatDropsEverythingLetsNoPostPass() async {
        center.observe(Ping.self) { [progress] _ in progress.note() }.store(in: bag)
        center.messages(of: Ping.self).intercept { _ in .drop }.store(in: bag)
        let seen = await seen { $0.post(Ping()) }
        #expect(seen == 0)
    }

    @Test func m17_theUnhandledHookIsCalledForEveryPost() async {
        center.addUnhandledHook { [progress] _ in progress.note() }.store(in: bag)
        let seen = await seen { $0.post(Pong()) }
        #expect(seen == Self.posts)
    }
}
