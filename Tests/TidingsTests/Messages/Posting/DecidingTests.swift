// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

private struct Refusal: Error {}

@Suite(.timeLimit(.minutes(5)))
struct DecidingTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    @MainActor @Test func m4_afterAStopNobodyReceivesAndPostCountsThemAll() async {
        center.observe(Ping.self) { [log] _ in log("before") }.store(in: bag)
        center.observe(deciding: Ping.self) { [log] message in
            log("decides")
            return message.number == 0 ? .stop : .proceed
        }.store(in: bag)
        center.observe(Ping.self) { [log] in log("after \($0.number)") }.store(in: bag)
        center.observe(Ping.self, on: .main) { [log] in log("main \($0.number)") }.store(in: bag)
        let messages = center.messages(of: Ping.self)
        #expect(center.post(Ping()) == 5)
        #expect(log.all == ["before", "decides"])
        #expect(center.post(Ping(number: 1)) == 5)
        #expect(log.all.suffix(4) == ["before", "decides", "after 1", "main 1"])
        messages.cancel()
        var received: [Int] = []
        for await message in messages { received.append(message.number) }
        #expect(received == [1])
    }

    @Test func m1_aDecisionCountsInOrderOfPriority() {
        center.observe(Ping.self, priority: .low) { [log] _ in log("low") }.store(in: bag)
        center.observe(deciding: Ping.self) { _ in .stop }.store(in: bag)
        center.observe(Ping.self, priority: .high) { [log] _ in log("high") }.store(in: bag)
        #expect(center.post(Ping()) == 3)
        #expect(log.all == ["high"])
    }

    @Test func aStopHoldsForThoseWhoObserveEveryMessageToo() {
        center.observeAll(priority: .high) { [log] _ in log("before") }.store(in: bag)
        center.observe(deciding: Ping.self) { _ in .stop }.store(in: bag)
        center.observeAll { [log] _ in log("after") }.store(in: bag)
        #expect(center.post(Ping()) == 3)
        #expect(log.all == ["before"])
    }

    @Test func m4_deadOwnersBehindAStopAreNotAddressed() {
        var owner: Owner? = Owner()
        center.observe(deciding: Ping.self) { _ in .stop }.store(in: bag)
        if let owner { center.observe(Ping.self, owner: owner) { _, _ in } }
        #expect(center.post(Ping()) == 2)
        owner = nil
        #expect(center.post(Ping()) == 1)
    }

    @Test func aDecidingOwnerIsHeldWeaklyAndHandedOver() {
        var owner: Owner? = Owner()
        weak let released = owner
        if let owner {
            center.observe(
                deciding: Ping.self,
                owner: owner,
                where: { $0.number < 5 },
                { owner, message in
                    owner.log(message.number)
                    return .stop
                }
            )
        }
        center.observe(Ping.self) { [log] in log("\($0.number)") }.store(in: bag)
        center.post(Ping(number: 1))
        center.post(Ping(number: 5))
        #expect(owner?.log.all == [1])
        #expect(log.all == ["5"])
        owner = nil
        #expect(released == nil)
        #expect(center.post(Ping(number: 2)) == 1)
        #expect(log.all == ["5", "2"])
    }

    @Test func m16_aDecidingHandlerThatThrowsLetsTheMessageGoOn() {
        center.setErrorHook { [log] in log("\(type(of: $0.error))") }
        center.observe(deciding: Ping.self) { _ in throw Refusal() }.store(in: bag)
        center.observe(Ping.self) { [log] _ in log("after") }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["Refusal", "after"])
    }

    @Test func m5_aBlockedOrEndedOneDecidesNothing() {
        let token = center.observe(deciding: Ping.self) { _ in .stop }
        center.observe(Ping.self) { [log] _ in log("after") }.store(in: bag)
        token.block()
        center.post(Ping())
        token.resume()
        center.post(Ping())
        token.cancel()
        center.post(Ping())
        #expect(log.all == ["after", "after"])
    }

    @Test func aStopReachesNeitherTheNestedNorTheQueuedPost() {
        center.observe(Ping.self, priority: .high) { [center] in
            if $0.number == 0 {
                center.post(Ping(number: 1), delivery: .nested)
                center.post(Ping(number: 2))
            }
        }.store(in: bag)
        center.observe(deciding: Ping.self) { $0.number == 1 ? .stop : .proceed }.store(in: bag)
        center.observe(Ping.self) { [log] in log("\($0.number)") }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["0", "2"])
    }

    @Test func aStoppedPostIsDoneForWhoWaitsForIt() async {
        center.observe(deciding: Ping.self) { _ in .stop }.store(in: bag)
        center.observe(Ping.self) { [log] _ in
            await Task.yield()
            log("async")
        }.store(in: bag)
        #expect(await center.postAndWait(Ping()).recipients == 2)
        #expect(log.all.isEmpty)
    }

    private func isDirect(_ type: any Message.Type) -> Bool {
        center.channel(of: type, on: .current).use { $0.isDirect }
    }

    @Test func othersPayNothingForIt() {
        let token = center.observe(deciding: Ping.self) { _ in .proceed }
        #expect(!isDirect(Ping.self))
        #expect(isDirect(Pong.self))
        token.cancel()
        #expect(isDirect(Ping.self))
    }

    @Test func m8_cancellingReleasesWhatItCaptured() {
        weak var released: Canary?
        let token: ObservationToken
        do {
            let canary = Canary()
            released = canary
            token = center.observe(deciding: Ping.self) { _ in
                canary.stay()
                return .stop
            }
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }
}
