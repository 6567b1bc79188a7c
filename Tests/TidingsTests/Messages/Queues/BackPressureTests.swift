// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct BackPressureTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    @Test func withRoomItDeliversAtOnce() async throws {
        let messages = center.messages(of: Ping.self).buffering(.oldest(2)).values
        center.observe(Ping.self) { [log] in log($0.number) }.store(in: bag)
        #expect(await center.postAndWait(Ping(number: 1)).recipients == 2)
        #expect(messages.pending == 1)
        #expect(log.all == [1])
    }

    @Test func aFullMailboxMakesThePosterWait() async throws {
        let (begun, gate) = (Gate(), Gate())
        let token = center.messages(of: Ping.self).buffering(.oldest(1)).observe { [log] message in
            begun.open()
            try await gate.wait()
            log(message.number)
        }
        center.post(Ping(number: 0))
        try await begun.wait()
        center.post(Ping(number: 1))
        let poster = await center.beginPost(2)
        #expect(token.pending == 1)
        gate.open()
        #expect(try await poster.value.recipients == 1)
        await center.postAndWait(Ping(number: 3))
        #expect(log.all == [0, 1, 2, 3])
        #expect(token.dropped == 0)
    }

    @Test(arguments: [Buffering.newest(1), .oldest(1), .newest(3), .oldest(3)])
    func postersThatWaitNeverCauseADrop(buffering: Buffering) async throws {
        let messages = center.messages(of: Ping.self).buffering(buffering).values
        let handled = MessageRecorder(Pong.self, on: center)
        let token = center.messages(of: Ping.self).buffering(buffering).observe {
            [center] message in
            await Task.yield()
            center.post(Pong(number: message.number))
        }
        let reader = Task {
            var numbers: [Int] = []
            for await message in messages {
                numbers.append(message.number)
                if numbers.count == 400 { break }
            }
            return numbers
        }
        await withTaskGroup { group in
            for task in 0..<8 { group.addTask { await post(50, from: task) } }
            await group.waitForAll()
        }
        let read = await reader.value
        let inMailbox = try await handled.first(400).map(\.number)
        #expect(token.dropped == 0)
        #expect(messages.dropped == 0)
        for numbers in [read, inMailbox] {
            for task in 0..<8 {
                let own = numbers.filter { $0 / 1_000 == task }
                #expect(own == (0..<50).map { task * 1_000 + $0 })
            }
        }
    }

    private func post(_ count: Int, from task: Int) async {
        for number in 0..<count {
            await center.postAndWait(Ping(number: task * 1_000 + number))
        }
    }

    @Test func aFullSequenceMakesThePosterWaitUntilItIsRead() async throws {
        let messages = center.messages(of: Ping.self).buffering(.newest(1)).values
        var iterator = messages.makeAsyncIterator()
        center.post(Ping(number: 1))
        let poster = await center.beginPost(2)
        #expect(await iterator.next()?.number == 1)
        #expect(try await poster.value.recipients == 1)
        #expect(await iterator.next()?.number == 2)
        #expect(messages.dropped == 0)
    }

    @MainActor @Test func aFullMainQueueMakesThePosterWaitUntilItIsDrained() async throws {
        let token = center.messages(of: Ping.self).buffering(.newest(1)).observe(on: .main) {
            [log] message in
            log(message.number)
        }
        let isDone = finishesOnAnotherThread { [center] in center.post(Ping(number: 1)) }
        #expect(isDone)
        let poster = Task.detached { [center] in
            await center.postAndWait(Ping(number: 2))
        }
        _ = await poster.value
        await center.postAndWait(Ping(number: 3))
        #expect(log.all == [1, 2, 3])
        #expect(token.dropped == 0)
    }

    @Test func theEndOfAnObservationEndsTheWaiting() async throws {
        let token = center.messages(of: Ping.self).buffering(.oldest(1)).observe { _ in
            try? await Gate().wait()
        }
        for number in 0...2 { center.post(Ping(number: number)) }
        let poster = await center.beginPost(3)
        token.cancel()
        #expect(try await poster.value.recipients == 0)
    }

    @Test func theDeathOfAnOwnerEndsTheWaiting() async throws {
        let (begun, gate) = (Gate(), Gate())
        var poster: Task<DeliveryReport, any Error>?
        do {
            let owner = Owner()
            center.messages(of: Ping.self).buffering(.oldest(1)).observe(owner: owner) { _, _ in
                begun.open()
                try await gate.wait()
            }
            center.post(Ping(number: 0))
            try await begun.wait()
            center.post(Ping(number: 1))
            poster = await center.beginPost(2)
        }
        gate.open()
        #expect(try await poster?.value.recipients == 0)
    }

    @Test func aCancelledPosterPostsNothing() async throws {
        let messages = center.messages(of: Ping.self).buffering(.oldest(1)).values
        let received = MessageRecorder(Ping.self, on: center)
        center.post(Ping(number: 1))
        let first = await center.beginPost(2)
        first.cancel()
        let report = try await first.value
        #expect(!report.isDelivered)
        #expect(report.recipients == 0)
        var iterator = messages.makeAsyncIterator()
        #expect(await iterator.next()?.number == 1)
        // The place for the cancelled post is free.
        #expect(center.post(Ping(number: 3)) == 2)
        #expect(await iterator.next()?.number == 3)
        #expect(received.messages.map(\.number) == [1, 3])
        #expect(messages.dropped == 0)
    }

    @Test func aMessageThatIsNotWantedDoesNotWait() async throws {
        let messages = center.messages(of: Ping.self).buffering(.oldest(1)).where { [log] message in
            log(message.number)
            return message.number < 3
        }.values
        center.post(Ping(number: 1))
        #expect(await center.postAndWait(Ping(number: 3)).recipients == 1)
        #expect(log.all == [1, 3])
        #expect(messages.pending == 1)
    }

    @Test func whoRegistersWhileItWaitsIsNoRecipient() async throws {
        let (begun, gate) = (Gate(), Gate())
        center.messages(of: Ping.self).buffering(.oldest(1)).observe { _ in
            begun.open()
            try await gate.wait()
        }.store(in: bag)
        center.post(Ping(number: 0))
        try await begun.wait()
        center.post(Ping(number: 1))
        let poster = await center.beginPost(2)
        center.observe(Ping.self) { [log] in log($0.number) }.store(in: bag)
        gate.open()
        #expect(try await poster.value.recipients == 1)
        #expect(log.all.isEmpty)
    }

    @Test func postersGetTheirTurnsInOrder() async throws {
        let (begun, gate) = (Gate(), Gate())
        center.messages(of: Ping.self).buffering(.oldest(1)).observe { [log] message in
            begun.open()
            try await gate.wait()
            log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 0))
        try await begun.wait()
        center.post(Ping(number: 1))
        var posters: [Task<DeliveryReport, any Error>] = []
        for number in 2...6 {
            posters.append(await center.beginPost(number))
        }
        gate.open()
        for poster in posters { _ = try await poster.value }
        await center.postAndWait(Ping(number: 7))
        #expect(log.all == Array(0...7))
    }

    @Test func aStoppedReaderKeepsNoPlaceOfAnother() async throws {
        let stopped = center.messages(of: Ping.self).buffering(.oldest(1)).priority(.low).values
        let handled = MessageRecorder(Pong.self, on: center)
        let token = center.messages(of: Ping.self).priority(.high).buffering(.oldest(1)).observe {
            [center] message in
            await Task.yield()
            center.post(Pong(number: message.number))
        }
        center.post(Ping(number: 0))
        _ = try await handled.first(1)
        let poster = await center.beginPost(100)
        for number in 1...49 {
            center.post(Ping(number: number))
            _ = try await handled.first(number + 1)
        }
        #expect(token.dropped == 0)
        #expect(stopped.dropped == 49)
        poster.cancel()
        _ = await poster.result
    }

    @Test func insideItsOwnHandlerItDoesNotWaitForItself() async throws {
        let token = center.messages(of: Ping.self).buffering(.oldest(1)).observe {
            [center, log] message in
            log(message.number)
            guard message.number == 0 else { return }
            for number in 1...3 {
                await center.postAndWait(Ping(number: number))
            }
        }
        await center.postAndWait(Ping(number: 0))
        await center.postAndWait(Ping(number: 9))
        #expect(log.all == [0, 1, 9])
        #expect(token.dropped == 2)
    }
}
