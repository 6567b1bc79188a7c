// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@testable import Tidings

/// Posters that wait for room when a center finishes.
@Suite(.timeLimit(.minutes(15)))
struct FinishBackPressureTests {
    private let center = MessageCenter()
    private let log = Log<Int>()
    private let bag = ObservationBag()

    @Test func m15_aStoppedReaderHoldsNobodyUp() async throws {
        let stopped = center.messages(of: Ping.self).buffering(.oldest(1)).values
        center.post(Ping(number: 1))
        let poster = await center.beginPost(2)
        let other = center.messages(of: Ping.self).values
        let token = center.watch(delivered: { [log] in log($0.outcome == .finished ? 1 : -1) })
        center.finish()
        for await _ in other { Issue.record("There is nothing.") }
        let report = try await poster.value
        #expect(report.recipients == 0)
        #expect(!report.isDelivered)
        #expect(log.all == [1])
        var iterator = stopped.makeAsyncIterator()
        #expect(await iterator.next()?.number == 1)
        #expect(await iterator.next() == nil)
        token.cancel()
    }

    @Test func m15_aPosterThatWaitsForAMailboxGoesOn() async throws {
        let (begun, gate) = (Gate(), Gate())
        center.messages(of: Ping.self).buffering(.oldest(1)).observe { [log] message in
            begun.open()
            try await gate.wait()
            log(message.number)
        }.store(in: bag)
        center.post(Ping(number: 1))
        try await begun.wait()
        center.post(Ping(number: 2))
        let poster = await center.beginPost(3)
        center.finish()
        #expect(try await poster.value.recipients == 0)
        gate.open()
    }

    @MainActor @Test func m15_aPosterThatWaitsForTheMainActorGoesOn() async throws {
        center.messages(of: Ping.self).buffering(.oldest(1)).observe(on: .main) { [log] in
            log($0.number)
        }
        .store(in: bag)
        let isFree = finishesOnAnotherThread { [center] in center.post(Ping(number: 1)) }
        #expect(isFree)
        let poster = Task.detached { [center] in
            await center.postAndWait(Ping(number: 2))
        }
        center.finish()
        let addressed = await poster.value.recipients
        // The first message may still be pending, because two main-actor turns have no order here.
        await withCheckedContinuation { turn in center.callOnMainActor { turn.resume() } }
        #expect(log.all == (addressed == 1 ? [1, 2] : [1]))
        #expect(addressed == 0 || addressed == 1)
    }

    @Test func m15_aHandlerThatWaitsForRoomGoesOn() async throws {
        let full = center.messages(of: Pong.self).buffering(.oldest(1)).values
        center.post(Pong(number: 1))
        let (begun, done) = (Gate(), Gate())
        center.messages(of: Ping.self).buffering(.unbounded).observe { [center, log] message in
            begun.open()
            log(await center.postAndWait(Pong(number: 2)).recipients)
            if message.number == 2 { done.open() }
        }.store(in: bag)
        center.post(Ping(number: 1))
        center.post(Ping(number: 2))
        try await begun.wait()
        center.finish()
        try await done.wait()
        #expect(log.all == [0, 0])
        #expect(full.pending == 1)
    }

    @Test func m15_postersOnManyTasksAllReturn() async throws {
        let stopped = center.messages(of: Ping.self).buffering(.oldest(1)).values
        center.post(Ping(number: 0))
        let posters = (1...20).map { number in
            Task { [center] in await center.postAndWait(Ping(number: number)) }
        }
        center.finish()
        for poster in posters { #expect(await poster.value.recipients == 0) }
        #expect(stopped.pending == 1)
        #expect(stopped.dropped == 0)
    }
}
