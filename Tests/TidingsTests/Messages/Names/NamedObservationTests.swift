// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

/// Returns a message to an observer by name in a comparable form.
private func text(_ name: String, _ object: (any Sendable)?) -> String {
    object.map { "\(name)=\($0)" } ?? name
}

@Suite(.timeLimit(.minutes(15)))
struct NamedObservationTests {
    private let center = MessageCenter()
    private let bag = ObservationBag()
    private let log = Log<String>()

    @Test func originB1_oneObjectObservesSeveralNamesAndSeveralObjectsOneName() {
        let (a, b) = (Owner(), Owner())
        for name in ["Connect", "Disconnect"] {
            center.observe(named: name, owner: a) { [log] in log("a:" + text($0, $1)) }
        }
        center.observe(named: "Connect", owner: b) { [log] in log("b:" + text($0, $1)) }
        #expect(center.post(named: "Connect", object: 1) == 2)
        #expect(center.post(named: "Disconnect") == 1)
        #expect(log.all == ["a:Connect=1", "b:Connect=1", "a:Disconnect"])
        withExtendedLifetime((a, b)) {}
    }

    @Test func originB1_oneObjectHasSeveralClosuresForOneName() {
        let owner = Owner()
        for number in 0..<3 {
            center.observe(named: "Connect", owner: owner) { [log] _, _ in log("\(number)") }
        }
        #expect(center.post(named: "Connect") == 3)
        #expect(log.all == ["0", "1", "2"])
        withExtendedLifetime(owner) {}
    }

    @Test func originA5_aButtonOnOneScreenIsAnnouncedToAnotherByName() {
        let screen = Owner()
        center.messages(named: "ButtonPressed").observe(owner: screen) { owner, message in
            owner.log(message.object as? Int ?? 0)
        }
        center.post(named: "ButtonPressed", object: 7)
        #expect(screen.log.all == [7])
    }

    @Test func originB2_aNameNobodyObservesIsReported() throws {
        #expect(center.post(named: "Connect") == 0)
        let error = #expect(throws: TidingsError.self) {
            try center.post(UntypedMessage(name: "Connect"), requiring: .recipient)
        }
        #expect(error?.code == .noObservers)
        #expect(error?.message.contains("\"Connect\"") == true)
        #expect(error?.location.hasPrefix("TidingsTests/NamedObservationTests.swift:") == true)
        let token = center.messages(named: "Connect").observe { _ in }
        #expect(try center.post(UntypedMessage(name: "Connect"), requiring: .recipient) == 1)
        #expect(throws: TidingsError.self) {
            try center.post(UntypedMessage(name: "connect"), requiring: .recipient)
        }
        token.cancel()
        #expect(throws: TidingsError.self) {
            try center.post(UntypedMessage(name: "Connect"), requiring: .recipient)
        }
    }

    @Test func m7_droppingTheTokenEndsAPlainObservationOfAName() {
        var token: ObservationToken? = center.messages(named: "A").observe { [log] message in
            log(message.name)
        }
        #expect(token != nil)
        center.post(named: "A")
        token = nil
        #expect(center.post(named: "A") == 0)
        #expect(log.all == ["A"])
    }

    @Test func m8_aNameIsObservedForAsLongAsTheOwnerLives() {
        let released = Log<String>()
        do {
            let owner = Owner()
            let canary = Canary { released("closure") }
            center.observe(named: "A", owner: owner) { [log] name, _ in
                canary.stay()
                log(name)
            }
            #expect(center.post(named: "A") == 1)
        }
        #expect(center.post(named: "A") == 0)
        #expect(released.all == ["closure"])
        #expect(log.all == ["A"])
    }

    @Test func m1_namedObserversHavePriorityThenRegistrationOrder() {
        var tokens: [ObservationToken] = []
        for (number, priority) in [0, 5, -3, 5, 0].enumerated() {
            let priority = ObservationPriority(priority)
            tokens.append(
                center.messages(named: "A").priority(priority).observe { [log] _ in log("\(number)")
                }
            )
        }
        tokens.remove(at: 1).cancel()
        center.post(named: "A")
        #expect(log.all == ["3", "0", "4", "2"])
    }

    @Test func m3_aPostByNameInsideAHandlerIsQueued() {
        let first = center.messages(named: "A").observe { [center, log] message in
            log("first \(text("A", message.object))")
            if message.object as? Int == 1 { #expect(center.post(named: "A", object: 2) == 2) }
        }
        let second = center.messages(named: "A").observe { [log] message in
            log("second \(text("A", message.object))")
        }
        center.post(named: "A", object: 1)
        #expect(log.all == ["first A=1", "second A=1", "first A=2", "second A=2"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func m5_anObservationCancelledDuringThePostIsNotCalled() {
        let later = Log<ObservationToken>()
        let first = center.messages(named: "A").observe { _ in later.all.first?.cancel() }
        later(center.messages(named: "A").observe { [log] _ in log("late") })
        #expect(center.post(named: "A") == 2)
        #expect(log.all.isEmpty)
        first.cancel()
    }

    @Test func onceEndsTheObservationOfANameBeforeItsFirstCall() {
        let token = center.messages(named: "A").once().observe { [center, log] message in
            log(message.name)
            center.post(named: "A")
        }
        #expect(center.post(named: "A") == 1)
        #expect(center.post(named: "A") == 0)
        #expect(log.all == ["A"])
        token.cancel()
    }

    @Test func m10_aNameCanBeObservedAboutOneObject() {
        let (album, other) = (Owner(), Owner())
        let token = center.messages(named: "Played").about(album).observe { [log] message in
            log(text("Played", message.object))
        }
        #expect(center.post(named: "Played", object: 0) == 0)
        #expect(center.post(UntypedMessage(name: "Played", object: 1), about: other) == 0)
        #expect(center.post(UntypedMessage(name: "Played", object: 2), about: album) == 1)
        #expect(log.all == ["Played=2"])
        token.cancel()
    }

    @Test func m16_aHandlerByNameThatThrowsStopsNobody() {
        center.addErrorHook { [log] in log("hook \($0.error) of \($0.observation.message)") }.store(
            in: bag
        )
        let tokens = [
            center.messages(named: "A").observe { _ in throw CancellationError() },
            center.messages(named: "A").observe { [log] message in log(message.name) },
        ]
        #expect(center.post(named: "A") == 2)
        #expect(log.all == ["hook CancellationError() of A", "A"])
        withExtendedLifetime(tokens) {}
    }

    @Test func m17_aNameNobodyObservesCallsTheUnhandledHookOnce() {
        center.addUnhandledHook { [center, log] unhandled in
            log("\(unhandled.name): \(unhandled.message)")
            center.post(named: "Other")
        }.store(in: bag)
        center.post(named: "A", object: 1)
        let token = center.messages(named: "A").observe { _ in }
        center.post(named: "A", object: 2)
        #expect(log.all == ["A: A(1)"])
        token.cancel()
    }

    @Test func m9_noLockIsHeldWhileANamedHandlerRuns() {
        let token = center.messages(named: "A").observe { [center, log] _ in
            let isFree = finishesOnAnotherThread {
                center.messages(named: "A").observe { _ in }.cancel()
                center.messages(named: "B").observe { _ in }.cancel()
                center.post(named: "B")
                _ = center.count(named: "A")
            }
            log(isFree ? "free" : "locked")
        }
        center.post(named: "A")
        #expect(log.all == ["free"])
        token.cancel()
    }

    @Test func aTypeThatIsPostedByNameIsObservedAsAType() {
        let token = center.observe(UntypedMessage.self) { [log] in log("\($0)") }
        #expect(center.post(named: "A", object: 1) == 1)
        #expect(center.post(UntypedMessage(name: "B")) == 1)
        #expect(center.count(named: "C") == 1)
        #expect(log.all == ["A(1)", "B"])
        token.cancel()
        #expect(center.post(named: "A") == 0)
    }

    @Test func aThreadThatPostedUnderAForgottenNameFindsItWhenItIsObservedAgain() {
        let observe = { [center, log] (text: String) in
            center.messages(named: "Again").observe { _ in log(text) }
        }
        let first = observe("first")
        #expect(center.post(named: "Again") == 1)
        first.cancel()
        for number in 0..<100 {
            center.messages(named: "Other \(number)").observe { _ in }.cancel()
        }
        let second = observe("second")
        #expect(center.post(named: "Again") == 1)
        #expect(log.all == ["first", "second"])
        second.cancel()
    }

    @Test func namesThatNobodyObservesAnyMoreAreForgotten() {
        let living = Owner()
        center.observe(named: "Living", owner: living) { [log] name, _ in log(name) }
        for number in 0..<10_000 {
            if number.isMultiple(of: 2) {
                center.messages(named: "\(number)").observe { _ in }.cancel()
            } else {
                center.observe(named: "\(number)", owner: Owner()) { _, _ in }
            }
        }
        #expect(center.registry.withLock { $0.names.count } <= 130)
        center.post(named: "Living")
        #expect(log.all == ["Living"])
        withExtendedLifetime(living) {}
    }
}
