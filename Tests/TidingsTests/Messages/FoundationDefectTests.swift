// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

/// The defects of Foundation's notification center on Linux.
///
/// One test for each, named for the defect, shows that a message center does not have the defect.
@Suite(.timeLimit(.minutes(15)))
struct FoundationDefectTests {
    private let center = MessageCenter()
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func observe(_ name: String) {
        center.observe(Ping.self) { [log] in log("\(name)\($0.number)") }.store(in: bag)
    }

    @Test func handlersRunInRandomOrder() {
        for name in "abcdefgh" { observe("\(name)") }
        for number in 0..<50 { center.post(Ping(number: number)) }
        #expect(log.all == (0..<50).flatMap { number in "abcdefgh".map { "\($0)\(number)" } })
    }

    @Test func handlersThatWereRemovedDuringThePostAreStillCalled() {
        center.observe(Ping.self) { [bag, log] _ in
            log("first")
            bag.cancelAll()
        }.store(in: bag)
        for name in "bcdefgh" { observe("\(name)") }
        center.post(Ping())
        #expect(log.all == ["first"])
    }

    @Test func theSecondHandlerSeesAnInnerPostBeforeTheOuterOne() {
        for name in ["a", "b"] {
            center.observe(Ping.self) { [center, log] message in
                log("\(name)\(message.number)")
                if message.number < 2 { center.post(Ping(number: message.number + 1)) }
            }.store(in: bag)
        }
        center.post(Ping())
        let seen = ["a", "b"].map { name in
            log.all.filter { $0.hasPrefix(name) }.map { String($0.dropFirst()) }
        }
        #expect(seen[0] == ["0", "1", "1", "2", "2", "2", "2"])
        #expect(seen[1] == seen[0])
    }

    @Test func aDeadSubjectsAddressIsMatchedAgain() {
        var addresses: Set<ObjectIdentifier> = []
        var reused = 0
        for _ in 0..<200 {
            let subject = Owner()
            if !addresses.insert(ObjectIdentifier(subject)).inserted { reused += 1 }
            center.post(Ping(), about: subject)
            center.messages(of: Ping.self).about(subject).observe { [log] _ in log("dead") }
                .store(in: bag)
        }
        #expect(reused > 0, "no address was used again, so the test says nothing")
        #expect(log.all.isEmpty)
    }

    @Test func removingATokenTwiceTakesOutAnotherObserver() {
        let first = center.observe(Ping.self) { _ in }
        first.cancel()
        observe("a")
        for _ in 0..<10 { first.cancel() }
        center.post(Ping(number: 1))
        #expect(log.all == ["a1"])
    }

    @MainActor @Test func aPosterWaitsForTheQueueOfAnObserver() {
        center.observe(Ping.self, on: .main) { [log] in log("main\($0.number)") }.store(in: bag)
        // The main actor is busy here, so a poster that waited for the actor would never return.
        let isDone = finishesOnAnotherThread { [center, log] in
            center.post(Ping(number: 1))
            log("posted")
        }
        #expect(isDone)
        #expect(log.all == ["posted"])
        center.mainQueue.drain(for: center)
        #expect(log.all == ["posted", "main1"])
    }

    @Test func asynchronousHandlersRunOutOfOrder() async {
        center.messages(of: Ping.self).observe { [log] message in
            // The earlier call takes longer and is still the first to be done.
            for _ in 0..<(100 - message.number) { await Task.yield() }
            log("\(message.number)")
        }.store(in: bag)
        for number in 0..<100 { center.post(Ping(number: number)) }
        await center.postAndWait(Ping(number: 100))
        #expect(log.all == (0...100).map { "\($0)" })
    }

    @Test func asynchronousHandlersRunAfterTheirRemoval() async throws {
        let (begun, goOn) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).observe { [log] message in
            log("begun\(message.number)")
            begun.open()
            // The removal cancels this call, so the call ends and is the last.
            try? await goOn.wait()
        }
        for number in 0..<10 { center.post(Ping(number: number)) }
        try await begun.wait()
        await token.cancelAndWait()
        center.post(Ping(number: 10))
        #expect(log.all == ["begun0"])
    }

    @Test func messagesBeforeTheFirstNextAreLost() async {
        let messages = center.messages(of: Ping.self).values
        for number in 0..<3 { center.post(Ping(number: number)) }
        messages.cancel()
        var read: [Int] = []
        for await message in messages { read.append(message.number) }
        #expect(read == [0, 1, 2])
    }

    @Test func aSequenceDropsAllButTheLastTenInSilence() async {
        let messages = center.messages(of: Ping.self).values
        let newest = center.messages(of: Ping.self).buffering(.newest(10)).values
        for number in 0..<30 { center.post(Ping(number: number)) }
        #expect(messages.dropped == 0)
        #expect(newest.dropped == 20)
        messages.cancel()
        newest.cancel()
        var counts = [0, 0]
        for await _ in messages { counts[0] += 1 }
        for await _ in newest { counts[1] += 1 }
        #expect(counts == [30, 10])
    }
}
