// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures

@testable import Tidings

private struct Secret: Message {
    static var tracing: MessageTracing { .hidden }
}

@Suite(.timeLimit(.minutes(15)))
struct WildcardTests {
    private let center = MessageCenter()
    private let log = Log<String>()

    @Test func allMessagesArriveWhateverTheirType() {
        let token = center.allMessages.observe { [log] in log("\($0)") }
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Secret()) == 1)
        #expect(center.post(named: "A", object: 2) == 1)
        #expect(log.all == ["Ping(number: 1)", "Secret()", "A(2)"])
        token.cancel()
        #expect(center.post(Ping()) == 0)
        #expect(center.post(named: "A") == 0)
    }

    @Test func m1_wildcardsHaveTheirPlaceAmongTheObserversOfAType() {
        let tokens = [
            center.observe(Ping.self) { [log] _ in log("0") },
            center.allMessages.observe { [log] _ in log("1") },
            center.observe(Ping.self) { [log] _ in log("2") },
            center.allMessages.priority(.high).observe { [log] _ in log("3") },
            center.messages(of: Ping.self).priority(.low).observe { [log] _ in log("4") },
            center.allMessages.priority(.low).observe { [log] _ in log("5") },
        ]
        #expect(center.post(Ping()) == 6)
        #expect(log.all == ["3", "0", "1", "2", "4", "5"])
        withExtendedLifetime(tokens) {}
    }

    @Test func m1_theOrderHoldsAboutASubjectAndAfterRemovals() {
        let subject = Owner()
        var tokens: [ObservationToken] = []
        for number in 0..<6 {
            let (typed, all) = (center.messages(of: Ping.self), center.allMessages)
            let priority = ObservationPriority(number % 3)
            tokens += [
                typed.priority(priority).about(subject).observe { [log] _ in log("s\(number)") },
                all.priority(priority).observe { [log] _ in log("a\(number)") },
                typed.priority(priority).observe { [log] _ in log("t\(number)") },
                all.priority(priority).about(subject).observe { [log] _ in log("b\(number)") },
            ]
        }
        for number in [0, 2, 4, 5] {
            for token in tokens[(number * 4)...].prefix(2) { token.cancel() }
        }
        #expect(center.post(Ping(), about: subject) == 16)
        #expect(
            log.all == [
                "t2", "b2", "t5", "b5", "s1", "a1", "t1", "b1", "t4", "b4", "t0", "b0", "s3", "a3",
                "t3", "b3",
            ]
        )
    }

    @Test func aMessageThatIsTooLargeToBeStoredInlineArrivesWhole() {
        struct Large: Message, Equatable {
            var numbers = [1, 2]
            var (first, second, third, fourth) = (3, 4, 5, 6)
            var text = "a text that is stored on the heap"
        }
        let seen = Log<Large?>()
        let tokens = [
            center.allMessages.observe { seen($0 as? Large) },
            center.observe(Large.self) { seen($0) },
        ]
        #expect(center.post(Large()) == 2)
        #expect(seen.all == [Large(), Large()])
        withExtendedLifetime(tokens) {}
    }

    @Test func m4_aWildcardIsARecipientOfTypesThatAreNewToTheCenter() throws {
        let token = center.allMessages.observe { _ in }
        struct New: Message {}
        #expect(try center.post(New(), requiring: .recipient) == 1)
        #expect(center.count(of: Pong.self) == 1)
        #expect(center.hasObservers(of: Pong.self))
        token.cancel()
        #expect(!center.hasObservers(of: Pong.self))
    }

    @Test func m4_aWildcardAddedDuringAPostIsNoRecipientOfIt() {
        let tokens = Log<ObservationToken>()
        let token = center.observe(Ping.self) { [center, log] ping in
            guard ping.number == 0 else { return }
            tokens(center.allMessages.observe { log("\($0)") })
        }
        #expect(center.post(Ping()) == 1)
        #expect(log.all.isEmpty)
        #expect(center.post(Ping(number: 1)) == 2)
        #expect(log.all == ["Ping(number: 1)"])
        token.cancel()
    }

    @Test func aWildcardTakesFiltersAndOnce() {
        let isEven: @Sendable (any Message) -> Bool = {
            ($0 as? Ping)?.number.isMultiple(of: 2) == true
        }
        let even = center.allMessages.where(isEven).observe { [log] in log("even \($0)") }
        let once = center.allMessages.once().observe { [log] in log("once \($0)") }
        for number in 1...2 { center.post(Ping(number: number)) }
        #expect(log.all == ["once Ping(number: 1)", "even Ping(number: 2)"])
        for token in [even, once] { token.cancel() }
    }

    @Test func m8_aWildcardLivesAsLongAsItsOwner() {
        let released = Log<String>()
        do {
            let owner = Owner()
            let canary = Canary { released("closure") }
            center.allMessages.observe(owner: owner) { owner, message in
                canary.stay()
                owner.log((message as? Ping)?.number ?? -1)
            }
            #expect(center.post(Ping(number: 3)) == 1)
            #expect(owner.log.all == [3])
        }
        #expect(center.post(Ping()) == 0)
        #expect(released.all == ["closure"])
    }

    @Test func postsTakeNoDetourOnceTheLastWildcardHasEnded() {
        let isDirect = { [center] in center.channel(of: Ping.self, on: .current).use(\.isDirect) }
        #expect(isDirect())
        let tokens = (0..<2).map { _ in center.allMessages.observe { _ in } }
        #expect(!isDirect())
        tokens[0].cancel()
        #expect(!isDirect())
        tokens[1].cancel()
        #expect(isDirect())
    }

    @Test func m9_noLockIsHeldWhileAWildcardRuns() {
        let token = center.allMessages.observe { [center, log] message in
            guard message is Ping else { return }
            let isFree = finishesOnAnotherThread {
                center.allMessages.observe { _ in }.cancel()
                center.post(Pong())
            }
            log(isFree ? "free" : "locked")
        }
        center.post(Ping())
        #expect(log.all == ["free"])
        token.cancel()
    }

    @Test func aForwardedMessageByNameArrivesByName() {
        let other = MessageCenter()
        let forward = center.allMessages.observe { other.post($0) }
        let token = other.messages(named: "A").observe { [log] message in
            log("\(message.name) \(message.object as Any)")
        }
        center.post(named: "A", object: 1)
        #expect(log.all.count == 1)
        for token in [forward, token] { token.cancel() }
    }

    @MainActor @Test func m11_wildcardsOnTheMainActorKeepTheOrderOfPosts() {
        let owner = Owner()
        let token = center.allMessages.observe(on: .main) { [log] in log("\($0)") }
        center.allMessages.observe(owner: owner, on: .main) { owner, message in
            owner.log((message as? Ping)?.number ?? -1)
        }
        let isDone = finishesOnAnotherThread { [center] in
            center.post(Ping(number: 1))
            center.post(named: "A")
        }
        #expect(isDone)
        #expect(log.all.isEmpty)
        center.post(Ping(number: 2))
        #expect(log.all == ["Ping(number: 1)", "A", "Ping(number: 2)"])
        #expect(owner.log.all == [1, -1, 2])
        token.cancel()
    }
}
