// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting

/// The pending values of queues and buffers when a center finishes.
@Suite(.timeLimit(.minutes(15)))
struct FinishDrainTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    @Test func m15_sequencesDrainAndEnd() async {
        let first = center.messages(of: Ping.self).values
        let second = center.messages(of: Ping.self).buffering(.newest(1)).values
        for number in 1...3 { center.post(Ping(number: number)) }
        center.finish()
        center.post(Ping(number: 4))
        var numbers: [Int] = []
        for await message in first { numbers.append(message.number) }
        for await message in second { numbers.append(message.number) }
        #expect(numbers == [1, 2, 3, 3])
    }

    @Test func m15_aReaderThatWaitsIsEnded() async throws {
        let messages = center.messages(of: Ping.self).values
        let reader = Task {
            var numbers: [Int] = []
            for await message in messages { numbers.append(message.number) }
            return numbers
        }
        center.post(Ping(number: 1))
        center.finish()
        #expect(await reader.value == [1])
    }

    @Test func m15_mailboxesDrainAndEnd() async throws {
        let gate = Gate()
        let done = Gate()
        do {
            let canary = Canary { done.open() }
            center.messages(of: Ping.self).buffering(.unbounded).observe { [log] message in
                canary.stay()
                try await gate.wait()
                log(message.number)
            }.store(in: bag)
        }
        for number in 1...3 { center.post(Ping(number: number)) }
        center.finish()
        #expect(center.post(Ping(number: 4)) == 0)
        gate.open()
        // The handler is released after the last pending call.
        try await done.wait()
        #expect(log.all == [1, 2, 3])
    }

    @MainActor @Test func m15_whatWaitsForTheMainActorIsDelivered() async throws {
        let done = Gate()
        do {
            let canary = Canary { done.open() }
            center.observe(Ping.self, on: .main) { [log] message in
                canary.stay()
                log(message.number)
            }.store(in: bag)
        }
        let isFree = finishesOnAnotherThread { [center] in
            for number in 1...2 { center.post(Ping(number: number)) }
            center.finish()
            center.post(Ping(number: 3))
        }
        #expect(isFree)
        try await done.wait()
        #expect(log.all == [1, 2])
    }

    @MainActor @Test func m15_aMainActorHandlerIsReleasedAtOnceIfNothingWaits() {
        let released = Log<Bool>()
        do {
            let canary = Canary { released(true) }
            center.observe(Ping.self, on: .main) { _ in canary.stay() }.store(in: bag)
        }
        center.finish()
        #expect(released.all == [true])
    }

    @Test func m15_aStoppedReaderDelaysNeitherThePosterNorOthers() async {
        let stopped = center.messages(of: Ping.self).values
        var iterator = stopped.makeAsyncIterator()
        center.post(Ping(number: 0))
        _ = await iterator.next()
        let other = center.messages(of: Ping.self).values
        for number in 1...100 { center.post(Ping(number: number)) }
        center.finish()
        var numbers: [Int] = []
        for await message in other { numbers.append(message.number) }
        #expect(numbers == Array(1...100))
        #expect(await iterator.next()?.number == 1)
    }
}
