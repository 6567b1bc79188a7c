// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTracing

/// Calls of foreign code during which another thread uses the center.
///
/// A lock that is held during such a call would make the other thread wait.
@Suite(.timeLimit(.minutes(15)))
struct NoLockIsHeldTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    private var useOnAnotherThread: @Sendable () -> Void {
        { [center, log] in
            let isFree = finishesOnAnotherThread {
                let token = center.observe(Ping.self) { _ in }
                _ = center.count(of: Ping.self)
                center.post(Pong())
                token.cancel()
            }
            log(isFree ? "free" : "locked")
        }
    }

    @Test func m9_inAHandler() {
        let use = useOnAnotherThread
        let token = center.observe(Ping.self) { _ in use() }
        center.post(Ping())
        token.cancel()
        #expect(log.all == ["free"])
    }

    @Test func m9_inTheDeinitOfWhatAHandlerCaptured() {
        let token: ObservationToken
        do {
            let canary = Canary(useOnAnotherThread)
            token = center.observe(Ping.self) { _ in canary.stay() }
        }
        token.cancel()
        #expect(log.all == ["free"])
    }

    @Test func m9_inTheDeinitOfWhatADeadOwnersHandlerCaptured() {
        do {
            let (owner, canary) = (Owner(), Canary(useOnAnotherThread))
            center.observe(Ping.self, owner: owner) { _, _ in canary.stay() }
        }
        center.post(Ping())
        #expect(log.all == ["free"])
    }

    @Test func m9_inTheDeinitOfAnOwnerThatDiesDuringItsCall() {
        let box = Mutex<Canary?>(Canary(useOnAnotherThread))
        if let owner = box.withLock({ $0 }) {
            center.observe(Ping.self, owner: owner) { _, _ in
                _ = box.withLock { $0.take() }
            }
        }
        center.post(Ping())
        #expect(log.all == ["free"])
    }

    @Test func m9_inTheDeinitOfADroppedMessage() {
        struct Heavy: Message { let canary: Canary }
        let messages = center.messages(of: Heavy.self).buffering(.newest(1)).values
        center.post(
            Heavy(
                canary: Canary { [useOnAnotherThread, messages] in
                    useOnAnotherThread()
                    #expect(messages.dropped == 1)
                }
            )
        )
        center.post(Heavy(canary: Canary()))
        #expect(log.all == ["free"])
    }

    @Test func m9_inAWatcher() {
        let use = useOnAnotherThread
        let token = center.watch(
            posting: { posting in if posting.name == "Ping" { use() } },
            delivered: { delivery in if delivery.name == "Ping" { use() } }
        )
        center.post(Ping())
        token.cancel()
        #expect(log.all == ["free", "free"])
    }
}
