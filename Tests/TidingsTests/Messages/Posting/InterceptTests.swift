// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(5)))
struct InterceptTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    init() {
        center.observe(Ping.self) { [log] in log("\($0.number)") }.store(in: bag)
    }

    @Test func aMessageIsChangedBeforeAnybodyReceivesIt() {
        center.observe(Ping.self, where: { $0.number == 2 }) { [log] _ in log("two") }
            .store(in: bag)
        center.intercept(Ping.self) { Ping(number: $0.number + 1) }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == ["2", "two"])
    }

    @Test func m17_aDroppedMessageReachesNobodyAndIsNotUnhandled() {
        center.setUnhandledHook { [log] in log("unhandled \($0.name)") }
        center.intercept(Ping.self) { $0.number == 0 ? nil : $0 }.store(in: bag)
        center.intercept(Pong.self) { _ in nil }.store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Pong()) == 0)
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all == ["1"])
    }

    @Test func aDroppedPostIsDoneForWhoWaitsForIt() async {
        center.intercept(Ping.self) { _ in nil }.store(in: bag)
        #expect(await center.postAndWait(Ping()).recipients == 0)
    }

    @Test func aDroppedRequiredPostThrows() {
        center.intercept(Ping.self) { _ in nil }.store(in: bag)
        let error = #expect(throws: TidingsError.self) {
            try center.post(Ping(), delivery: .required)
        }
        #expect(error?.code == .noObservers)
        #expect(log.all.isEmpty)
    }

    @Test func watchersSeeADroppedMessageAsIntercepted() {
        let outcomes = Log<PostOutcome>()
        center.watch(delivered: { outcomes($0.outcome) }).store(in: bag)
        center.intercept(Ping.self) { $0.number == 0 ? nil : $0 }.store(in: bag)
        center.post(Ping())
        center.post(Ping(number: 1))
        #expect(outcomes.all == [.intercepted, .delivered])
    }

    @Test func m1_interceptorsOfOneAndOfAllTypesFollowOneOrder() {
        let order = Log<String>()
        center.interceptAll { _ in
            order("all")
            return true
        }.store(in: bag)
        center.intercept(Ping.self) {
            order("ping \($0.number)")
            return Ping(number: $0.number + 1)
        }.store(in: bag)
        center.interceptAll(priority: .low) { message in
            order("low \((message as? Ping)?.number ?? -1)")
            return true
        }.store(in: bag)
        center.intercept(Ping.self, priority: .high) {
            order("high \($0.number)")
            return Ping(number: $0.number + 1)
        }.store(in: bag)
        center.post(Ping())
        #expect(order.all == ["high 0", "all", "ping 1", "low 2"])
        #expect(log.all == ["2"])
    }

    @Test func afterADropNoInterceptorIsCalled() {
        center.interceptAll { !($0 is Ping) }.store(in: bag)
        center.intercept(Ping.self) { [log] in
            log("late")
            return $0
        }.store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(log.all.isEmpty)
        center.observe(Pong.self) { [log] in log("pong \($0.number)") }.store(in: bag)
        #expect(center.post(Pong(number: 3)) == 1)
        #expect(log.all == ["pong 3"])
    }

    @Test func itEndsWithItsToken() {
        var token: ObservationToken? = center.intercept(Ping.self) { _ in nil }
        let all = center.interceptAll { _ in false }
        #expect(center.post(Ping(number: 1)) == 0)
        all.cancel()
        #expect(center.post(Ping(number: 2)) == 0)
        token?.block()
        #expect(center.post(Ping(number: 3)) == 1)
        token?.resume()
        token = nil
        #expect(center.post(Ping(number: 4)) == 1)
        #expect(log.all == ["3", "4"])
    }

    @Test func itEndsWithItsOwner() {
        do {
            let owner = Owner()
            center.intercept(Ping.self, owner: owner) { owner, message in
                owner.log(message.number)
                return nil
            }
            center.interceptAll(owner: owner, priority: .high) { owner, _ in
                owner.log(0)
                return true
            }
            #expect(center.post(Ping(number: 1)) == 0)
            #expect(owner.log.all == [0, 1])
        }
        #expect(center.post(Ping(number: 2)) == 1)
        #expect(center.post(Ping(number: 3)) == 1)
        #expect(log.all == ["2", "3"])
    }

    private func isDirect(_ type: any Message.Type) -> Bool {
        center.channel(of: type, on: .current).use { $0.isDirect }
    }

    @Test func othersPayNothingForItNorDoesAnybodyAfterItsEnd() {
        let ping = center.intercept(Ping.self) { $0 }
        #expect([isDirect(Ping.self), isDirect(Pong.self)] == [false, true])
        let all = center.interceptAll { _ in true }
        #expect([isDirect(Ping.self), isDirect(Pong.self)] == [false, false])
        ping.cancel()
        all.cancel()
        #expect([isDirect(Ping.self), isDirect(Pong.self)] == [true, true])
    }

    @Test func m3_aPostInsideAHandlerIsInterceptedAtOnceAndDeliveredLater() {
        center.observe(Pong.self) { [center, log] _ in
            log("posted to \(center.post(Ping(number: 1)))")
            log("dropped to \(center.post(Ping(number: 2)))")
        }.store(in: bag)
        center.intercept(Ping.self) { [log] in
            log("intercepted \($0.number)")
            return $0.number == 1 ? Ping(number: 10) : nil
        }.store(in: bag)
        center.post(Pong())
        #expect(
            log.all == [
                "intercepted 1", "posted to 1", "intercepted 2", "dropped to 0", "10",
            ]
        )
    }

    @Test func whatAnInterceptorPostsComesFirstAndIsInterceptedToo() {
        center.intercept(Ping.self) { [center] message in
            if message.number < 3 { center.post(Ping(number: message.number + 1)) }
            return Ping(number: message.number * 10)
        }.store(in: bag)
        center.post(Ping(number: 1))
        #expect(log.all == ["30", "20", "10"])
    }

    @Test func m9_noLockIsHeldInAnInterceptorOrWhileAMessageIsReleased() {
        struct Heavy: Message { let canary: Canary }
        let results = Log<Bool>()
        let use: @Sendable () -> Void = { [center] in
            results(
                finishesOnAnotherThread {
                    center.intercept(Heavy.self) { $0 }.cancel()
                    center.interceptAll { _ in true }.cancel()
                    center.post(Ping())
                }
            )
        }
        center.intercept(Heavy.self) { _ in
            use()
            return Heavy(canary: Canary(use))
        }.store(in: bag)
        center.intercept(Heavy.self, priority: .low) { _ in nil }.store(in: bag)
        #expect(center.post(Heavy(canary: Canary())) == 0)
        #expect(results.all == [true, true])
    }

    @Test func aPostByNamePassesTheInterceptorsOfUntypedMessages() {
        center.observe(named: "Bell") { [log] name, object in log("\(name) \(object ?? "")") }
            .store(in: bag)
        center.intercept(UntypedMessage.self) {
            $0.object == nil ? nil : UntypedMessage(name: $0.name, object: "soft")
        }.store(in: bag)
        #expect(center.post(named: "Bell") == 0)
        #expect(center.post(named: "Bell", object: "loud") == 1)
        #expect(log.all == ["Bell soft"])
        center.interceptAll { !($0 is UntypedMessage) }.store(in: bag)
        #expect(center.post(named: "Bell", object: "loud") == 0)
    }

    @Test func whoObservesEveryMessageSeesWhatTheInterceptorsLeave() {
        center.observeAll { [log] in log("all \(($0 as? Ping)?.number ?? -1)") }.store(in: bag)
        center.intercept(Ping.self) { $0.number == 0 ? nil : Ping(number: -$0.number) }
            .store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Ping(number: 5)) == 2)
        #expect(log.all == ["-5", "all -5"])
    }

    @Test func aWaitingPostIsInterceptedWhenItIsPosted() {
        let throttle = center.throttled(Ping.self, every: .seconds(60))
        center.intercept(Ping.self) { Ping(number: -$0.number) }.store(in: bag)
        throttle.post(Ping(number: 1))
        #expect(log.all == ["-1"])
    }
}
