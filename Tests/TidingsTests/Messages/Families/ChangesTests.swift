// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

/// A message whose comparison runs a closure.
private struct Loud: Message, Equatable {
    let number: Int
    let use: @Sendable () -> Void

    static func == (left: Loud, right: Loud) -> Bool {
        left.use()
        return left.number == right.number
    }
}

@Suite(.timeLimit(.minutes(15)))
struct ChangesTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    private func post(_ numbers: Int...) {
        for number in numbers { #expect(center.post(Ping(number: number)) > 0) }
    }

    @Test func anEqualOfTheLastMessagePassesByAndIsAddressed() {
        center.messages(of: Ping.self).removingDuplicates().observe { [log] in log($0.number) }
            .store(in: bag)
        post(1, 1, 2, 2, 1)
        #expect(log.all == [1, 2, 1])
    }

    @Test func eachObservationRemembersForItself() {
        center.messages(of: Ping.self).removingDuplicates().observe { [log] in log($0.number) }
            .store(in: bag)
        post(1)
        center.messages(of: Ping.self).removingDuplicates().observe { [log] in log(10 * $0.number) }
            .store(in: bag)
        center.observe(Ping.self) { [log] in log(100 * $0.number) }.store(in: bag)
        post(1)
        #expect(log.all == [1, 10, 100])
    }

    @MainActor @Test func everyFormComparesAndHasTheOtherOptions() {
        let owner = Owner()
        center.messages(of: Ping.self).removingDuplicates().observe(on: .main) { [log] in
            log($0.number)
        }.store(
            in: bag
        )
        center.messages(of: Ping.self).removingDuplicates().priority(.high).observe(owner: owner) {
            $0.log($1.number)
        }
        center.messages(of: Ping.self).removingDuplicates().where { $0.number > 1 }.observe(
            owner: owner,
            on: .main,
            { $0.log(10 * $1.number) }
        )
        post(1, 1, 2, 2)
        #expect(log.all == [1, 2])
        #expect(owner.log.all == [1, 2, 20])
    }

    @Test func whatPassesByForAnotherReasonIsNotRemembered() {
        let token = center.messages(of: Ping.self).removingDuplicates().where { $0.number < 10 }
            .observe({ [log] in log($0.number) })
        post(1, 10, 1)
        token.block()
        post(2)
        token.resume()
        post(2, 1)
        #expect(log.all == [1, 2, 1])
    }

    @Test func ofEqualMessagesFromTwoThreadsAtOnceOneIsCalled() {
        center.messages(of: Ping.self).removingDuplicates().observe { [log] in log($0.number) }
            .store(in: bag)
        for round in 1...200 {
            DispatchQueue.concurrentPerform(iterations: 4) { [center] _ in
                center.post(Ping(number: round))
            }
        }
        #expect(log.all == Array(1...200))
    }

    @Test func aSequenceOfChangesSkipsEquals() async {
        let messages = center.messages(of: Ping.self).removingDuplicates().values
        post(1, 1, 2, 2, 1)
        messages.cancel()
        var numbers: [Int] = []
        for await message in messages { numbers.append(message.number) }
        #expect(numbers == [1, 2, 1])
    }

    @Test func m9_noLockIsHeldWhileMessagesAreCompared() {
        let results = Log<Bool>()
        let isBusy = Lock(false)
        let use: @Sendable () -> Void = { [center] in
            // Messages from another thread are compared too.
            guard
                !isBusy.withLock({ isBusy in
                    defer { isBusy = true }
                    return isBusy
                })
            else { return }
            results(finishesOnAnotherThread { center.post(Loud(number: 7) {}) })
        }
        center.messages(of: Loud.self).removingDuplicates().observe { [log] in log($0.number) }
            .store(in: bag)
        center.post(Loud(number: 1, use: use))
        center.post(Loud(number: 7, use: use))
        // The other thread was let through, so this message equals the one from that thread.
        #expect(results.all == [true])
        #expect(log.all == [1, 7])
    }
}
