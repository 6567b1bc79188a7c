// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures

@Suite(.timeLimit(.minutes(15)))
struct HookTests {
    private struct Broken: Error {}

    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()
    private let hooks = ObservationBag()

    private func observe(_ name: String) {
        center.observe(Ping.self) { [log] in log("\(name)\($0.number)") }.store(in: bag)
    }

    @Test func m16_aThrowingHandlerStopsNobodyAndIsToldOnce() {
        center.addErrorHook { [log] failure in
            log("\(failure.observation.message) \(failure.error is Broken)")
            #expect(failure.observation.location.hasPrefix("TidingsTests/HookTests.swift:"))
        }.store(in: hooks)
        observe("a")
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        observe("b")
        #expect(center.post(Ping(number: 1)) == 3)
        #expect(log.all == ["a1", "Ping true", "b1"])
    }

    @Test func m16_alsoWhenTheCallIsQueuedOrNestedOrOwned() {
        center.addErrorHook { [log] in log("\($0.observation.message)") }.store(in: hooks)
        let owner = Owner()
        center.observe(Pong.self, owner: owner) { _, _ in throw Broken() }
        center.observe(Ping.self) { [center] message in
            guard message.number == 0 else { throw Broken() }
            center.post(Ping(number: 1))
            center.post(Pong(), options: [.nested])
        }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["Pong", "Ping"])
    }

    @MainActor @Test func m16_alsoOnTheMainActor() {
        center.addErrorHook { [log] in log("\($0.observation.message)") }.store(in: hooks)
        center.observe(Ping.self, on: .main) { _ in throw Broken() }.store(in: bag)
        center.post(Ping())
        #expect(log.all == ["Ping"])
    }

    @Test func m16_aFailureInsideTheHookIsNotToldAgain() {
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        center.observe(Pong.self) { _ in throw Broken() }.store(in: bag)
        center.addErrorHook { [center, log] failure in
            log(failure.observation.message)
            center.post(Pong())
            center.post(Pong(), options: [.nested])
        }.store(in: hooks)
        center.post(Ping())
        #expect(log.all == ["Ping"])
        center.post(Pong())
        #expect(log.all == ["Ping", "Pong"])
    }

    @Test func m17_aPostWithoutARecipientIsToldOnce() {
        center.addUnhandledHook { [log] unhandled in
            log("\(unhandled.name) \((unhandled.message as? Ping)?.number ?? -1)")
            #expect(unhandled.location.hasPrefix("TidingsTests/HookTests.swift:"))
        }.store(in: hooks)
        center.post(Ping(number: 1))
        observe("a")
        center.post(Ping(number: 2))
        bag.cancelAll()
        center.post(Ping(number: 3))
        #expect(log.all == ["Ping 1", "a2", "Ping 3"])
    }

    @Test func m17_postsInsideTheHookNeverCallIt() {
        center.addUnhandledHook { [center, log] unhandled in
            log(unhandled.name)
            center.post(Pong())
            center.post(Pong(), options: [.nested])
        }.store(in: hooks)
        center.post(Ping())
        #expect(log.all == ["Ping"])
    }

    @Test func m17_aPostOnAnotherCenterInsideTheHookCallsThatOnesHook() {
        let other = MessageCenter()
        other.addUnhandledHook { [log] in log("other \($0.name)") }.store(in: hooks)
        center.addUnhandledHook { [log] in
            log($0.name)
            other.post(Pong())
        }.store(in: hooks)
        center.post(Ping())
        #expect(log.all == ["Ping", "other Pong"])
    }

    @Test func m17_aDeadOwnerIsNoRecipient() {
        center.addUnhandledHook { [log] in log($0.name) }.store(in: hooks)
        do {
            let owner = Owner()
            center.observe(Ping.self, owner: owner) { _, _ in }
        }
        center.post(Ping())
        #expect(log.all == ["Ping"])
    }

    @Test func m17_aHookThatHasEndedIsNotCalled() {
        center.addUnhandledHook { [log] in log($0.name) }.cancel()
        do { _ = center.addUnhandledHook { [log] in log($0.name) } }
        center.post(Ping())
        #expect(log.all.isEmpty)
    }

    @Test func m4_aRequiredPostThrowsWhenNobodyHearsIt() throws {
        #expect(throws: TidingsError.self) { try center.post(Ping(), requiring: .recipient) }
        do {
            try center.post(Ping(), requiring: .recipient)
        } catch {
            #expect(error.code == .noObservers)
            #expect(error.message.contains("Ping has no observer, or only of another subject."))
            #expect(error.location.hasPrefix("TidingsTests/HookTests.swift:"))
        }
        observe("a")
        #expect(try center.post(Ping(number: 1), requiring: .recipient) == 1)
        #expect(log.all == ["a1"])
    }

    @Test func m3_aNestedPostIsDepthFirst() {
        center.observe(Ping.self) { [center, log] message in
            log("a\(message.number)")
            if message.number == 0 { center.post(Ping(number: 1), options: [.nested]) }
            log("a\(message.number) done")
        }.store(in: bag)
        observe("b")
        center.post(Ping())
        #expect(log.all == ["a0", "a1", "a1 done", "b1", "a0 done", "b0"])
    }

    @Test func m9_noLockIsHeldInAHook() {
        let isFree = Log<Bool>()
        let use: @Sendable () -> Void = { [center] in
            isFree(
                finishesOnAnotherThread {
                    center.observe(Ping.self) { _ in }.cancel()
                    center.addErrorHook { _ in }.cancel()
                    center.addUnhandledHook { _ in }.cancel()
                }
            )
        }
        center.addUnhandledHook { _ in use() }.store(in: hooks)
        center.post(Pong())
        center.addErrorHook { _ in use() }.store(in: hooks)
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        center.post(Ping())
        #expect(isFree.all == [true, true])
    }
}
