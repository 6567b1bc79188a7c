// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Testing
import Tidings
import TidingsFoundation
import TidingsLock

@Suite(.timeLimit(.minutes(15)))
struct ForwardingThreadsTests {
    private let center = MessageCenter()
    private let foundation = NotificationCenter()

    @Test func postsOfManyThreadsReachEachSideOnce() {
        let bag = ObservationBag()
        let (messages, notifications) = (Log<Int>(), Log<Int>())
        center.forward(Step.self, from: foundation).store(in: bag)
        center.forward(Step.self, to: foundation).store(in: bag)
        center.observe(Step.self) { messages($0.number) }.store(in: bag)
        _ = foundation.observeSteps { notifications($0) }
        let (threads, rounds) = (8, 200)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for round in 0..<rounds {
                let number = (thread * rounds + round) * 2
                foundation.post(number)
                center.post(Step(number + 1))
            }
        }
        let expected = Array(0..<threads * rounds * 2)
        #expect(messages.all.sorted() == expected)
        #expect(notifications.all.sorted() == expected)
        bag.cancelAll()
    }

    @Test func tokensMayEndDuringPosts() {
        let stopped = Lock(false)
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            guard thread > 0 else {
                for _ in 0..<500 {
                    let tokens = [
                        center.forward(Step.self, from: foundation),
                        center.forward(Step.self, to: foundation),
                    ]
                    for token in tokens { token.cancel() }
                }
                stopped.withLock { $0 = true }
                return
            }
            while !stopped.withLock({ $0 }) {
                foundation.post(1)
                center.post(Step(2))
            }
        }
        let late = Log<Int>()
        let token = center.observe(Step.self) { late($0.number) }
        foundation.post(3)
        #expect(late.all.isEmpty)
        #expect(center.count(of: Step.self) == 1)
        token.cancel()
    }

    @Test func nothingIsForwardedAfterCancelHasReturned() {
        for _ in 0..<200 {
            let isCancelled = Lock(false)
            let late = Log<Bool>()
            let token = center.forward(Step.notificationName, from: foundation, as: Step.self) {
                _ in
                // A call from before the cancellation may still run, but no new call may start.
                late(isCancelled.withLock { $0 })
                return nil
            }
            foundation.post(1)
            token.cancel()
            isCancelled.withLock { $0 = true }
            DispatchQueue.concurrentPerform(iterations: 2) { _ in foundation.post(2) }
            #expect(late.all == [false])
        }
    }
}
