// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsCoreFixtures
import TidingsTesting
import TidingsTracing

@Suite(.timeLimit(.minutes(15)))
struct NextTests {
    private let center = MessageCenter()
    private let clock = ManualClock()
    private let begun = Gate()
    private let ended = Gate()
    private let presence: ObservationToken

    init() {
        let (begun, ended) = (begun, ended)
        presence = center.whileObserved(
            Ping.self,
            start: { begun.open() },
            stop: { ended.open() }
        )
    }

    /// Checks that nothing is left behind, whatever the end was.
    private func expectNothingLeft(_ location: SourceLocation = #_sourceLocation) async throws {
        try await ended.wait()
        #expect(center.count(of: Ping.self) == 0, sourceLocation: location)
        #expect(center.observations().isEmpty, sourceLocation: location)
    }

    private func code(_ task: Task<Int, any Error>) async -> TidingsError.Code? {
        guard case .failure(let error) = await task.result else { return nil }
        return (error as? TidingsError)?.code
    }

    @Test func itReturnsTheMessageThatIsPostedNext() async throws {
        let next = center.messages(of: Ping.self).next()
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(try await next.value.number == 1)
        #expect(try await next.value.number == 1)
        try await expectNothingLeft()
    }

    @Test func itTakesOnlyWhatItAsksFor() async throws {
        let (album, other) = (Owner(), Owner())
        let next = center.messages(of: Ping.self).about(album).where { $0.number > 1 }.next()
        center.post(Ping(number: 5))
        center.post(Ping(number: 4), about: other)
        center.post(Ping(number: 1), about: album)
        center.post(Ping(number: 2), about: album)
        #expect(try await next.value.number == 2)
        try await expectNothingLeft()
    }

    @Test func whatIsRetainedCountsIfThatIsAskedFor() async throws {
        center.post(Ping(number: 1), options: [.retained])
        #expect(try await center.messages(of: Ping.self).replaying(.all).next().value.number == 1)
        try await expectNothingLeft()
    }

    @Test func whatWaitsForItsFirstRecipientIsTakenOneByOne() async throws {
        for number in 1...2 { center.post(Ping(number: number), options: [.retainedUntilHandled]) }
        #expect(try await center.messages(of: Ping.self).next().value.number == 1)
        #expect(try await center.messages(of: Ping.self).next().value.number == 2)
        try await expectNothingLeft()
    }

    @Test func whatIsDroppedBeforeItIsAwaitedLeavesNothing() async throws {
        do {
            let next = center.messages(of: Ping.self).next(timeout: .seconds(5), clock: clock)
            #expect(center.count(of: Ping.self) == 1)
            withExtendedLifetime(next) {}
        }
        try await expectNothingLeft()
        #expect(center.post(Ping(number: 1)) == 0)
    }

    @Test func theTimeBeginsWithTheCall() async throws {
        let next = center.messages(of: Ping.self).next(timeout: .seconds(5), clock: clock)
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        try await expectNothingLeft()
        let error = await #expect(throws: TidingsError.self) { try await next.value }
        #expect(error?.code == .timedOut)
    }

    @Test func allWhoWaitGetTheOneOutcome() async throws {
        let next = center.messages(of: Ping.self).next()
        let tasks = (0..<3).map { _ in Task { try await next.value.number } }
        center.post(Ping(number: 4))
        for task in tasks { #expect(try await task.value == 4) }
    }

    @Test func itEndsWhenTheTimeIsOver() async throws {
        let task = Task { [center, clock] in
            try await center.messages(of: Ping.self).next(timeout: .seconds(5), clock: clock).value
                .number
        }
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        let result = await task.result
        let error = #expect(throws: TidingsError.self) { try result.get() }
        #expect(error?.code == .timedOut)
        #expect(error?.message.contains("No Ping came within 5.0 seconds") == true)
        #expect(error?.location.contains("NextTests.swift") == true)
        try await expectNothingLeft()
    }

    @Test func aMessageInTimeStopsTheClock() async throws {
        let task = Task { [center, clock] in
            try await center.messages(of: Ping.self).next(timeout: .seconds(5), clock: clock).value
                .number
        }
        try await clock.waitForSleepers()
        center.post(Ping(number: 1))
        clock.advance(by: .seconds(5))
        #expect(try await task.value == 1)
        try await expectNothingLeft()
    }

    @Test func aMessageThatCameIsNotLostToTheTimeout() async throws {
        // The message ends the observation, so the time limit that has passed ends nothing.
        center.post(Ping(number: 1), options: [.retained])
        let message = try await center.messages(of: Ping.self).replaying(.all).next(
            timeout: .zero,
            clock: clock
        ).value
        #expect(message.number == 1)
    }

    @Test func aVeryLongTimeoutIsForEver() async throws {
        let far = FarClock()
        let task = Task { [center] in
            try await center.messages(of: Ping.self).next(timeout: .seconds(Int64.max), clock: far)
                .value.number
        }
        #expect(try await far.firstSleep() == .seconds(1_000_000_000))
        center.post(Ping(number: 1))
        #expect(try await task.value == 1)
    }

    @Test func itEndsWithItsTask() async throws {
        let task = Task { [center] in try await center.messages(of: Ping.self).next().value.number }
        try await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectNothingLeft()
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let task = Task { [center] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await center.messages(of: Ping.self).next().value.number
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func itEndsWithTheCenter() async throws {
        let task = Task { [center] in try await center.messages(of: Ping.self).next().value.number }
        try await begun.wait()
        center.finish()
        #expect(await code(task) == .finished)
        let late = Task { [center] in try await center.messages(of: Ping.self).next().value.number }
        #expect(await code(late) == .finished)
        try await expectNothingLeft()
    }

    @Test func itEndsWithWhatItIsAbout() async throws {
        var album: Owner? = Owner()
        let pings = center.messages(of: Ping.self).about(try #require(album))
        let task = Task { try await pings.next().value.number }
        try await begun.wait()
        album = nil
        #expect(center.count(of: Ping.self) == 0)
        #expect(await code(task) == .finished)
    }

    @Test func itReturnsOnTheActorThatCalledIt() async throws {
        let next = Task { @MainActor [center] in
            let message = try await center.messages(of: Ping.self).next().value
            MainActor.assertIsolated()
            return message.number
        }
        try await begun.wait()
        await Task.detached { [center] in _ = center.post(Ping(number: 7)) }.value
        #expect(try await next.value == 7)
    }

    /// The message or the cancellation wins.
    ///
    /// There is one outcome, and a message that was counted is returned.
    @Test func aMessageAndACancellationThatMeetAreOneOutcome() async throws {
        for _ in 0..<200 {
            let center = MessageCenter()
            let begun = Gate()
            let presence = center.whileObserved(Ping.self, start: { begun.open() }, stop: {})
            let task = Task { try await center.messages(of: Ping.self).next().value.number }
            try await begun.wait()
            async let addressed = center.post(Ping(number: 1))
            task.cancel()
            let result = await task.result
            switch result {
            case .success(let number):
                #expect(number == 1)
                #expect(await addressed == 1)
            case .failure(let error):
                #expect(error is CancellationError)
                _ = await addressed
            }
            #expect(center.count(of: Ping.self) == 0)
            presence.cancel()
        }
    }
}
