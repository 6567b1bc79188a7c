// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct DeliveriesInProgressTests {
    private let deliveries = DeliveriesInProgress()
    private let log = Log<String>()

    @Test func closingActsAtOnceIfNothingIsInProgress() {
        #expect(deliveries.begin())
        deliveries.end()
        #expect(!deliveries.isClosed)
        deliveries.close { [log] in log("closed") }
        #expect(deliveries.isClosed)
        #expect(log.all == ["closed"])
    }

    @Test func closingActsOnceAfterTheLast() {
        #expect(deliveries.begin())
        #expect(deliveries.begin())
        deliveries.close { [log] in log("closed") }
        deliveries.end()
        #expect(log.all == [])
        deliveries.end()
        #expect(log.all == ["closed"])
    }

    @Test func nothingBeginsAfterwards() {
        #expect(deliveries.begin())
        deliveries.close { [log] in log("closed") }
        #expect(!deliveries.begin())
        #expect(log.all == [])
        deliveries.end()
        #expect(log.all == ["closed"])
        #expect(!deliveries.begin())
        #expect(log.all == ["closed"])
    }

    @Test func everybodyWhoClosesIsHeard() {
        #expect(deliveries.begin())
        deliveries.close { [log] in log("first") }
        deliveries.close { [log] in log("second") }
        deliveries.end()
        deliveries.close { [log] in log("third") }
        #expect(log.all == ["first", "second", "third"])
    }

    @Test func manyThreadsNeverBeginAfterTheAction() async {
        for _ in 0..<1_000 {
            let deliveries = DeliveriesInProgress()
            let acted = Lock(false)
            let late = Log<Bool>()
            let work = { @Sendable in
                while deliveries.begin() {
                    if acted.withLock({ $0 }) { late(true) }
                    deliveries.end()
                }
            }
            let close = { @Sendable in deliveries.close { acted.withLock { $0 = true } } }
            await runOnThreads([work, work, close])
            #expect(late.all == [])
        }
    }

    @Test func manyThreadsActOnce() async {
        for _ in 0..<100 {
            let deliveries = DeliveriesInProgress()
            let acted = Log<Bool>()
            let work = { @Sendable in
                while deliveries.begin() { deliveries.end() }
            }
            await runOnThreads([work, work, { deliveries.close { acted(true) } }])
            #expect(acted.all == [true])
        }
    }
}
