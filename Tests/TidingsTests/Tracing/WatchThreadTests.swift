// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTracing

/// Observers that come and go on another thread without changing the calls of the rest.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct WatchThreadTests {
    private static let posts = 1_000

    private final class Progress: Sendable {
        let seen = Atomic(0)
        let isOver = Atomic(false)

        func note() { seen.add(1, ordering: .relaxed) }
    }

    private let center = MessageCenter()
    private let progress = Progress()
    private let bag = ObservationBag()

    init() {
        // Without this observer, a post that overlooks the rest has no handler to call.
        center.observe(Ping.self) { _ in }.store(in: bag)
    }

    /// A kind of observer that comes and goes.
    enum Guest: CaseIterable {
        case watcher, hook, wildcard, subject, mainActor

        func come(to center: MessageCenter) -> ObservationToken {
            let pings = center.messages(of: Ping.self).about(center)
            return switch self {
            case .watcher: center.watch(delivered: { _ in })
            case .hook: center.addUnhandledHook { _ in }
            case .wildcard: center.allMessages.about(center).observe { _ in }
            case .subject: pings.observe { _ in }
            case .mainActor: pings.observe(on: .main) { _ in }
            }
        }
    }

    /// Posts while another thread adds and removes a guest.
    ///
    /// Returns the number that `note` has counted.
    private func seen(
        besides guest: Guest,
        of post: @escaping @Sendable (MessageCenter) -> Void
    ) async -> Int {
        let (center, progress) = (center, progress)
        let posting: @Sendable () -> Void = {
            for _ in 0..<Self.posts { post(center) }
            progress.isOver.store(true, ordering: .releasing)
        }
        let watching: @Sendable () -> Void = {
            while !progress.isOver.load(ordering: .acquiring) {
                guest.come(to: center).cancel()
            }
        }
        await runOnThreads([posting, watching])
        return progress.seen.load(ordering: .acquiring)
    }

    @Test(arguments: Guest.allCases)
    func m4_anObserverOfEverythingMissesNoPost(guest: Guest) async {
        center.allMessages.observe { [progress] _ in progress.note() }.store(in: bag)
        let seen = await seen(besides: guest) { $0.post(Ping()) }
        #expect(seen == Self.posts)
    }

    @Test(arguments: Guest.allCases)
    func m4_anObserverOfASubjectMissesNoPost(guest: Guest) async {
        let subject = Canary()
        center.messages(of: Ping.self).about(subject)
            .observe { [progress] _ in progress.note() }.store(in: bag)
        let seen = await seen(besides: guest) { $0.post(Ping(), about: subject) }
        #expect(seen == Self.posts)
    }

    @Test(arguments: Guest.allCases)
    func anInterceptorThatDropsEverythingLetsNoPostPass(guest: Guest) async {
        center.observe(Ping.self) { [progress] _ in progress.note() }.store(in: bag)
        center.messages(of: Ping.self).intercept { _ in .drop }.store(in: bag)
        let seen = await seen(besides: guest) { $0.post(Ping()) }
        #expect(seen == 0)
    }

    @Test(arguments: Guest.allCases)
    func m17_theUnhandledHookIsCalledForEveryPost(guest: Guest) async {
        center.addUnhandledHook { [progress] _ in progress.note() }.store(in: bag)
        let seen = await seen(besides: guest) { $0.post(Pong()) }
        #expect(seen == Self.posts)
    }
}
