// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

/// Hooks of several libraries on one center.
@Suite(.timeLimit(.minutes(15)))
struct SeveralHooksTests {
    private struct Broken: Error {}

    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func addErrorHook(_ name: String) -> ObservationToken {
        center.addErrorHook { [log] in log("\(name) \($0.observation.message)") }
    }

    private func addUnhandledHook(_ name: String) -> ObservationToken {
        center.addUnhandledHook { [log] in log("\(name) \($0.name)") }
    }

    private func observeAndFail() {
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
    }

    @Test func m16_anErrorIsReportedOnceToEachHookInOrder() {
        let first = addErrorHook("first")
        let second = addErrorHook("second")
        observeAndFail()
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping"])
        first.cancel()
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping", "second Ping"])
        withExtendedLifetime(second) {}
    }

    @Test func m17_anUnhandledMessageIsReportedOnceToEachHookInOrder() {
        let first = addUnhandledHook("first")
        var second: ObservationToken? = addUnhandledHook("second")
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping"])
        second = nil
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping", "first Ping"])
        first.cancel()
        center.post(Ping())
        #expect(log.all.count == 3)
        #expect(second == nil)
    }

    @Test func m16_whatFailsInsideOneHookIsReportedToNone() {
        center.addErrorHook { [center, log] in
            log("first \($0.observation.message)")
            center.post(Ping())
            center.post(Ping(), options: [.nested])
        }.store(in: bag)
        addErrorHook("second").store(in: bag)
        observeAndFail()
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping"])
    }

    @Test func m17_aPostInsideOneHookCallsNone() {
        center.addUnhandledHook { [center, log] in
            log("first \($0.name)")
            center.post(Pong())
            center.post(Pong(), options: [.nested])
        }.store(in: bag)
        addUnhandledHook("second").store(in: bag)
        center.post(Ping())
        #expect(log.all == ["first Ping", "second Ping"])
    }

    @Test func m5_aHookThatAnEarlierOneCancelsIsNotCalled() {
        let second = Log<ObservationToken>()
        center.addUnhandledHook { [log] in
            log("first \($0.name)")
            for token in second.all { token.cancel() }
        }.store(in: bag)
        second(addUnhandledHook("second"))
        center.post(Ping())
        #expect(log.all == ["first Ping"])
    }

    @Test func aHookThatAHookAddsIsCalledFromTheNextTimeOn() {
        center.addUnhandledHook { [center, log, bag] _ in
            log("first")
            center.addUnhandledHook { _ in log("added") }.store(in: bag)
        }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["first"])
        center.post(Ping())
        #expect(log.all == ["first", "first", "added"])
    }

    @Test func aHookIsReleasedWhenItEnds() {
        weak var canary: Canary?
        for add in [true, false] {
            do {
                let new = Canary()
                canary = new
                let token =
                    add
                    ? center.addErrorHook { _ in new.stay() }
                    : center.addUnhandledHook { _ in new.stay() }
                withExtendedLifetime(token) {}
            }
            #expect(canary == nil)
        }
    }

    @Test func aCenterThatGoesReleasesItsHooks() {
        weak var canary: Canary?
        var center: MessageCenter? = MessageCenter()
        do {
            let new = Canary()
            canary = new
            center?.addErrorHook { _ in new.stay() }.store(in: bag)
            center?.addUnhandledHook { _ in new.stay() }.store(in: bag)
        }
        #expect(canary != nil)
        center = nil
        #expect(canary == nil)
    }

    @Test func hooksAreListedWithTheirPlaces() {
        addErrorHook("error").store(in: bag)
        addUnhandledHook("unhandled").store(in: bag)
        let kinds = center.observations().map { $0.observation.kind.place }
        #expect(kinds == [.watcher, .watcher])
        bag.cancelAll()
        #expect(center.observations().isEmpty)
    }

    @Test func startAndStopHooksAreCalledInOrderOfRegistration() {
        for name in ["a", "b"] {
            center.whileObserved(
                Ping.self,
                start: { [log] in log("start \(name)") },
                stop: { [log] in log("stop \(name)") }
            ).store(in: bag)
        }
        center.observe(Ping.self) { _ in }.cancel()
        #expect(log.all == ["start a", "start b", "stop a", "stop b"])
    }

    /// Each post is reported once to the hook that stays.
    ///
    /// Hooks that come and go on another thread change nothing.
    @Test func m17_hooksThatComeAndGoOnAnotherThreadDisturbNobody() async {
        addUnhandledHook("stays").store(in: bag)
        await runOnThreads([
            { [center] in for _ in 0..<500 { center.post(Ping()) } },
            { [center] in for _ in 0..<500 { center.addUnhandledHook { _ in }.cancel() } },
        ])
        #expect(log.all.count == 500)
    }
}
