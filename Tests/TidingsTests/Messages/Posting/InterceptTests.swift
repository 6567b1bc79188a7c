// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTracing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct InterceptTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()
    private var pings: Selection<Ping> { center.messages(of: Ping.self) }

    init() {
        center.observe(Ping.self) { [log] in log("\($0.number)") }.store(in: bag)
    }

    @Test func aMessageIsChangedBeforeAnybodyReceivesIt() {
        center.messages(of: Ping.self).where { $0.number == 2 }.observe { [log] _ in log("two") }
            .store(in: bag)
        pings.intercept { .replace(Ping(number: $0.number + 1)) }.store(in: bag)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == ["2", "two"])
    }

    @Test func m17_aDroppedMessageReachesNobodyAndIsNotUnhandled() {
        center.addUnhandledHook { [log] in log("unhandled \($0.name)") }.store(in: bag)
        pings.intercept { $0.number == 0 ? .drop : .deliver }.store(in: bag)
        center.messages(of: Pong.self).intercept { _ in .drop }.store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Pong()) == 0)
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(log.all == ["1"])
    }

    @Test func aDroppedPostIsDoneForWhoWaitsForIt() async {
        pings.intercept { _ in .drop }.store(in: bag)
        #expect(await center.postAndWait(Ping()).recipients == 0)
    }

    @Test func aDroppedRequiredPostThrows() {
        pings.intercept { _ in .drop }.store(in: bag)
        let error = #expect(throws: TidingsError.self) {
            try center.post(Ping(), requiring: .recipient)
        }
        #expect(error?.code == .noObservers)
        #expect(log.all.isEmpty)
    }

    @Test func watchersSeeADroppedMessageAsIntercepted() {
        let outcomes = Log<PostOutcome>()
        center.watch(delivered: { outcomes($0.outcome) }).store(in: bag)
        pings.intercept { $0.number == 0 ? .drop : .deliver }.store(in: bag)
        center.post(Ping())
        center.post(Ping(number: 1))
        #expect(outcomes.all == [.intercepted, .delivered])
    }

    @Test func m1_interceptorsOfOneAndOfAllTypesFollowOneOrder() {
        let order = Log<String>()
        center.allMessages.intercept { _ in
            order("all")
            return .deliver
        }.store(in: bag)
        pings.intercept {
            order("ping \($0.number)")
            return .replace(Ping(number: $0.number + 1))
        }.store(in: bag)
        center.allMessages.priority(.low).intercept { message in
            order("low \((message as? Ping)?.number ?? -1)")
            return .deliver
        }.store(in: bag)
        pings.priority(.high).intercept {
            order("high \($0.number)")
            return .replace(Ping(number: $0.number + 1))
        }.store(in: bag)
        center.post(Ping())
        #expect(order.all == ["high 0", "all", "ping 1", "low 2"])
        #expect(log.all == ["2"])
    }

    @Test func afterADropNoInterceptorIsCalled() {
        center.allMessages.intercept { $0 is Ping ? .drop : .deliver }.store(in: bag)
        pings.intercept { [log] _ in
            log("late")
            return .deliver
        }.store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(log.all.isEmpty)
        center.observe(Pong.self) { [log] in log("pong \($0.number)") }.store(in: bag)
        #expect(center.post(Pong(number: 3)) == 1)
        #expect(log.all == ["pong 3"])
    }

    @Test func itEndsWithItsToken() {
        var token: ObservationToken? = pings.intercept { _ in .drop }
        let all = center.allMessages.intercept { _ in .drop }
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

    private func isDirect(_ type: any Message.Type) -> Bool {
        center.channel(of: type, on: .current).use { $0.isDirect }
    }

    @Test func othersPayNothingForItNorDoesAnybodyAfterItsEnd() {
        let ping = pings.intercept { _ in .deliver }
        #expect([isDirect(Ping.self), isDirect(Pong.self)] == [false, true])
        let all = center.allMessages.intercept { _ in .deliver }
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
        pings.intercept { [log] in
            log("intercepted \($0.number)")
            return $0.number == 1 ? .replace(Ping(number: 10)) : .drop
        }.store(in: bag)
        center.post(Pong())
        #expect(
            log.all == [
                "intercepted 1", "posted to 1", "intercepted 2", "dropped to 0", "10",
            ]
        )
    }

    @Test func whatAnInterceptorPostsComesFirstAndIsInterceptedToo() {
        pings.intercept { [center] message in
            if message.number < 3 { center.post(Ping(number: message.number + 1)) }
            return .replace(Ping(number: message.number * 10))
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
                    center.messages(of: Heavy.self).intercept { _ in .deliver }.cancel()
                    center.allMessages.intercept { _ in .deliver }.cancel()
                    center.post(Ping())
                }
            )
        }
        center.messages(of: Heavy.self).intercept { _ in
            use()
            return .replace(Heavy(canary: Canary(use)))
        }.store(in: bag)
        center.messages(of: Heavy.self).priority(.low).intercept { _ in .drop }.store(in: bag)
        #expect(center.post(Heavy(canary: Canary())) == 0)
        #expect(results.all == [true, true])
    }

    @Test func aPostByNamePassesTheInterceptorsOfUntypedMessages() {
        center.messages(named: "Bell").observe { [log] in log("\($0.name) \($0.object ?? "")") }
            .store(in: bag)
        center.messages(of: UntypedMessage.self).intercept {
            $0.object == nil ? .drop : .replace(UntypedMessage(name: $0.name, object: "soft"))
        }.store(in: bag)
        #expect(center.post(named: "Bell") == 0)
        #expect(center.post(named: "Bell", object: "loud") == 1)
        #expect(log.all == ["Bell soft"])
        center.allMessages.intercept { $0 is UntypedMessage ? .drop : .deliver }.store(in: bag)
        #expect(center.post(named: "Bell", object: "loud") == 0)
    }

    @Test func whoObservesEveryMessageSeesWhatTheInterceptorsLeave() {
        center.allMessages.observe { [log] in log("all \(($0 as? Ping)?.number ?? -1)") }.store(
            in: bag
        )
        pings.intercept { $0.number == 0 ? .drop : .replace(Ping(number: -$0.number)) }
            .store(in: bag)
        #expect(center.post(Ping()) == 0)
        #expect(center.post(Ping(number: 5)) == 2)
        #expect(log.all == ["-5", "all -5"])
    }

    @Test func aStoppedMessageHasItsInterceptorAsOnlyRecipient() async throws {
        center.addUnhandledHook { [log] in log("unhandled \($0.name)") }.store(in: bag)
        center.allMessages.observe { [log] _ in log("all") }.store(in: bag)
        pings.intercept { $0.number == 0 ? .stop : .deliver }.store(in: bag)
        #expect(center.post(Ping()) == 1)
        #expect(try center.post(Ping(), requiring: .recipient) == 1)
        #expect(await center.postAndWait(Ping()).recipients == 1)
        #expect(log.all.isEmpty)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == ["1", "all"])
    }

    @Test func aStopConcernsNeitherTheNestedNorTheQueuedPost() {
        pings.intercept { $0.number == 1 ? .stop : .deliver }.store(in: bag)
        pings.priority(.high).observe { [center] in
            if $0.number == 0 {
                center.post(Ping(number: 1), options: [.nested])
                center.post(Ping(number: 2))
            }
        }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["0", "2"])
    }

    @Test func anInterceptorHasTheOptionsOfItsSelection() {
        let (album, other) = (Owner(), Owner())
        pings.about(album).where { $0.number > 1 }.once().intercept { _ in .drop }.store(in: bag)
        center.post(Ping(number: 1), about: album)
        center.post(Ping(number: 2), about: other)
        center.post(Ping(number: 3), about: album)
        center.post(Ping(number: 4), about: album)
        #expect(log.all == ["1", "2", "4"])
    }

    @Test func anInterceptorOfANameConcernsNoOtherName() {
        center.messages(named: "Bell").intercept { _ in .drop }.store(in: bag)
        center.messages(of: UntypedMessage.self).observe { [log] in log($0.name) }.store(in: bag)
        #expect(center.post(named: "Bell") == 0)
        #expect(center.post(named: "Horn") == 1)
        #expect(log.all == ["Horn"])
    }

    @Test func m8_cancellingReleasesWhatItCaptured() {
        weak var released: Canary?
        let token: ObservationToken
        do {
            let canary = Canary()
            released = canary
            token = pings.intercept { _ in
                canary.stay()
                return .stop
            }
        }
        #expect(released != nil)
        token.cancel()
        #expect(released == nil)
    }
}
