// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

private struct Connected: NamedMessage, Equatable {
    static let name = "InternetConnect"
    let network: String

    var object: (any Sendable)? { network }

    init(_ network: String) { self.network = network }

    init?(object: (any Sendable)?) {
        guard let network = object as? String else { return nil }
        self.network = network
    }
}

/// Another form of the same message, as another part of the program may have.
private struct Online: NamedMessage {
    static let name = Connected.name
    let letters: Int

    var object: (any Sendable)? { letters }

    init(letters: Int) { self.letters = letters }

    init?(object: (any Sendable)?) {
        switch object {
        case let network as String: letters = network.count
        case let letters as Int: self.letters = letters
        default: return nil
        }
    }
}

/// A message that counts how often a value is made.
private struct Counted: NamedMessage {
    static let name = "Counted"
    static let made = Log<Int>()
    let object: (any Sendable)?

    init?(object: (any Sendable)?) {
        self.object = object
        if let number = object as? Int { Self.made(number) }
    }
}

@Suite(.timeLimit(.minutes(15)))
struct NamedMessageTests {
    private let center = MessageCenter()
    private let bag = ObservationBag()
    private let log = Log<String>()

    private func observeType(_ mark: String = "type") -> ObservationToken {
        center.observe(Connected.self) { [log] in log("\(mark) \($0.network)") }
    }

    private func observeName(_ mark: String = "name") -> ObservationToken {
        center.messages(named: Connected.name).observe { [log] message in
            log("\(mark) \(message.object.map { "\($0)" } ?? "-")")
        }
    }

    @Test func originA4_aPostByTypeReachesWhoObservesTheName() {
        let token = observeName()
        #expect(center.post(Connected("home")) == 1)
        #expect(log.all == ["name home"])
        token.cancel()
        #expect(center.post(Connected("home")) == 0)
    }

    @Test func originA4_aPostByNameReachesWhoObservesTheType() throws {
        let token = observeType()
        #expect(center.post(named: Connected.name, object: "home") == 1)
        let message = UntypedMessage(name: Connected.name, object: "x")
        #expect(try center.post(message, requiring: .recipient) == 1)
        #expect(log.all == ["type home", "type x"])
        token.cancel()
        #expect(center.post(named: Connected.name, object: "home") == 0)
    }

    @Test func m1_typedNamedAndWildcardObserversAreOneOrder() {
        var tokens = [observeName("0"), observeType("1"), observeName("2"), observeType("3")]
        tokens.append(center.allMessages.observe { [log] in log("4 \($0 is Connected)") })
        tokens.append(
            center.messages(named: Connected.name).priority(.high).observe { [log] _ in log("5") }
        )
        tokens.append(
            center.messages(of: Connected.self).priority(.low).observe { [log] _ in log("6") }
        )
        tokens.append(observeName("7"))
        tokens.append(center.allMessages.priority(.high).observe { [log] _ in log("8") })
        tokens.remove(at: 2).cancel()
        #expect(center.post(Connected("x")) == 8)
        let order = ["5", "8", "0 x", "1 x", "3 x", "4 true", "7 x", "6"]
        #expect(log.all == order)
        #expect(center.post(named: Connected.name, object: "x") == 8)
        #expect(log.all == order + order.map { $0 == "4 true" ? "4 false" : $0 })
    }

    @Test func m4_whoeverIsRegisteredWhenThePostBeginsReceivesItOnce() {
        // Every order in which the center can learn of the two kinds.
        for isNameFirst in [true, false] {
            for isPostedBefore in [true, false] {
                let center = MessageCenter()
                let log = Log<String>()
                if isPostedBefore { #expect(center.post(Connected("early")) == 0) }
                let observers = [
                    { center.messages(named: Connected.name).observe { _ in log("name") } },
                    { center.observe(Connected.self) { _ in log("type") } },
                ]
                let tokens = (isNameFirst ? observers : observers.reversed()).map { $0() }
                #expect(center.post(Connected("x")) == 2)
                #expect(center.post(named: Connected.name, object: "x") == 2)
                #expect(center.count(of: Connected.self) == 2)
                #expect(center.count(named: Connected.name) == 2)
                let order = isNameFirst ? ["name", "type"] : ["type", "name"]
                #expect(log.all == order + order)
                for token in tokens { token.cancel() }
                #expect(center.count(of: Connected.self) == 0)
                #expect(center.post(Connected("x")) == 0)
            }
        }
    }

    @Test func anObjectThatDoesNotConvertReachesNamedObserversAndTheErrorHookOnce() {
        center.addErrorHook { [log] failure in
            log(
                "hook \(failure.observation.message) \((failure.error as? TidingsError)?.code as Any)"
            )
        }.store(in: bag)
        let tokens = [observeType(), observeName(), observeType()]
        #expect(center.post(named: Connected.name, object: 7) == 1)
        #expect(log.all == ["hook Connected Optional(notConvertible)", "name 7"])
        #expect(throws: TidingsError.self) {
            tokens[1].cancel()
            try center.post(
                UntypedMessage(name: Connected.name, object: 7),
                requiring: .recipient
            )
        }
    }

    @Test func anObjectIsNotConvertedForNobody() {
        center.addErrorHook { [log] _ in log("hook") }.store(in: bag)
        let typed = observeType()
        let named = observeName()
        typed.cancel()
        #expect(center.post(named: Connected.name, object: 7) == 1)
        #expect(log.all == ["name 7"])
        named.cancel()
        let subject = Owner()
        let token = center.messages(of: Counted.self).about(subject).observe { _ in }
        center.post(named: Counted.name, object: 43)
        #expect(!Counted.made.all.contains(43))
        token.cancel()
    }

    @Test func whoRunsAHandlerOfAnotherKindIsSeenToReadItsChannel() throws {
        let token = observeType()
        let named = center.messages(named: Connected.name).observe { [center, log] _ in
            let channel = center.observers(named: Connected.name)
            log("left \(Readers.haveLeft(channel?.address ?? 0))")
        }
        let all = center.allMessages.observe { [center, log] _ in
            log("left \(Readers.haveLeft(center.wildcards.address))")
        }
        center.post(Connected("x"))
        #expect(log.all == ["type x", "left false", "left false"])
        for token in [token, named, all] { token.cancel() }
    }

    @Test func anObjectIsConvertedOnceForEachPost() {
        let tokens = (0..<3).map { _ in
            center.observe(Counted.self) { [log] _ in log("type") }
        }
        #expect(center.post(named: Counted.name, object: 41) == 3)
        #expect(Counted.made.all.filter { $0 == 41 }.count == 1)
        for token in tokens { token.cancel() }
    }

    @Test func typesOfOneNameAreFormsOfOneMessage() {
        center.addErrorHook { [log] in log("hook for \($0.observation.message)") }.store(in: bag)
        let typed = observeType()
        let other = center.observe(Online.self) { [log] in log("letters \($0.letters)") }
        let named = observeName()
        #expect(center.post(Connected("home")) == 3)
        #expect(log.all == ["type home", "letters 4", "name home"])
        // An Int makes no Connected. There are two recipients, and the hook is called.
        #expect(center.post(Online(letters: 9)) == 2)
        #expect(log.all.dropFirst(3) == ["hook for Connected", "letters 9", "name 9"])
        #expect(center.post(named: Connected.name, object: "abc") == 3)
        #expect(log.all.dropFirst(6) == ["type abc", "letters 3", "name abc"])
        for token in [typed, other, named] { token.cancel() }
    }

    @Test func m2_aSequenceOfTheTypeReceivesWhatIsPostedByName() async {
        let messages = center.messages(of: Connected.self).values
        center.post(named: Connected.name, object: "a")
        center.post(named: Connected.name, object: 1)
        center.post(Connected("b"))
        messages.cancel()
        var received: [Connected] = []
        for await message in messages { received.append(message) }
        #expect(received == [Connected("a"), Connected("b")])
    }

    @Test func m3_postsByNameAndByTypeAreQueuedInTheirOrder() {
        let typed = center.observe(Connected.self) { [center, log] message in
            log("type \(message.network)")
            if message.network == "a" {
                center.post(named: Connected.name, object: "b")
                center.post(Connected("c"))
            }
        }
        let named = observeName()
        center.post(named: Connected.name, object: "a")
        #expect(log.all == ["type a", "name a", "type b", "name b", "type c", "name c"])
        for token in [typed, named] { token.cancel() }
    }

    @Test func m8_aDeadOwnerOfEitherKindIsNotARecipient() {
        let released = Log<String>()
        do {
            let owner = Owner()
            let canaries = ["name", "type"].map { kind in Canary { released(kind) } }
            center.observe(named: Connected.name, owner: owner) { _, _ in canaries[0].stay() }
            center.observe(Connected.self, owner: owner) { _, _ in canaries[1].stay() }
            #expect(center.post(Connected("a")) == 2)
        }
        #expect(center.post(Connected("b")) == 0)
        #expect(released.all.isEmpty == false)
        #expect(center.post(named: Connected.name) == 0)
        #expect(Set(released.all) == ["name", "type"])
    }

    @Test func m10_aSubjectIsAskedOfEveryKindOfObserver() {
        let (album, other) = (Owner(), Owner())
        let tokens = [
            center.messages(named: Connected.name).about(album).observe { [log] _ in
                log("name")
            },
            center.messages(of: Connected.self).about(album).observe { [log] _ in log("type") },
            center.allMessages.about(album).observe { [log] _ in log("all") },
        ]
        #expect(center.post(Connected("x"), about: other) == 0)
        #expect(center.post(Connected("x"), about: album) == 3)
        #expect(log.all == ["name", "type", "all"])
        for token in tokens { token.cancel() }
    }

    @MainActor @Test func m11_namedHandlersOnTheMainActorKeepTheOrderOfPosts() {
        let owner = Owner()
        let typed = center.observe(Connected.self, on: .main) { [log] in log("type \($0.network)") }
        let named = center.messages(named: Connected.name).observe(on: .main) { [log] message in
            log("name \(message.object as? String ?? "-")")
        }
        center.messages(named: Connected.name).observe(owner: owner, on: .main) { [log] owner, _ in
            log("owner \(owner.log.all.count)")
        }
        center.messages(named: Connected.name).observe(owner: owner, on: .main) { [log] _, _ in
            log("two")
        }
        let isDone = finishesOnAnotherThread { [center] in
            center.post(named: Connected.name, object: "1")
            center.post(Connected("2"))
        }
        #expect(isDone)
        #expect(log.all.isEmpty)
        #expect(center.post(Connected("3")) == 4)
        let order = ["1", "2", "3"].flatMap { ["type \($0)", "name \($0)", "owner 0", "two"] }
        #expect(log.all == order)
        for token in [typed, named] { token.cancel() }
        withExtendedLifetime(owner) {}
    }

    @MainActor @Test func m13_callsByNameThatWaitForTheMainActorAreBuffered() {
        let tokens = [
            center.messages(named: Connected.name).buffering(.newest(1)).observe(on: .main) {
                [log] in log("name \($0.object as? String ?? "-")")
            },
            center.allMessages.buffering(.oldest(1)).observe(on: .main) { [log] message in
                log("all \((message as? Connected)?.network ?? "-")")
            },
        ]
        let isDone = finishesOnAnotherThread { [center] in
            for network in ["1", "2", "3"] { center.post(Connected(network)) }
        }
        #expect(isDone)
        #expect(tokens.map(\.pending) == [1, 1])
        #expect(tokens.map(\.dropped) == [2, 2])
        #expect(center.post(Connected("4")) == 2)
        #expect(log.all == ["all 1", "name 3", "name 4", "all 4"])
        withExtendedLifetime(tokens) {}
    }

    @Test func m16_whoWaitsForAPostIsToldThatItDoesNotConvert() async {
        center.addErrorHook { [log] _ in log("hook") }.store(in: bag)
        let token = observeType()
        let report = await center.postAndWait(UntypedMessage(name: Connected.name, object: 7))
        #expect(report.recipients == 0)
        #expect(report.failures.map { ($0.error as? TidingsError)?.code } == [.notConvertible])
        #expect(log.all.isEmpty)
        token.cancel()
    }

    @Test func m13_aMailboxOfTheTypeReceivesWhatIsPostedByName() async {
        let token = center.messages(of: Connected.self).observe { [log] message async in
            log("async \(message.network)")
        }
        let report = await center.postAndWait(UntypedMessage(name: Connected.name, object: "a"))
        #expect(report.recipients == 1)
        #expect(log.all == ["async a"])
        token.cancel()
    }
}
