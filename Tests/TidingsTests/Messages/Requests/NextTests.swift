// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(5)))
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

    /// Nothing is left behind, whatever the end was.
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
        async let next = center.next(Ping.self)
        try await begun.wait()
        #expect(center.post(Ping(number: 1)) == 1)
        #expect(center.post(Ping(number: 2)) == 0)
        #expect(try await next.number == 1)
        try await expectNothingLeft()
    }

    @Test func itTakesOnlyWhatItAsksFor() async throws {
        let (album, other) = (Owner(), Owner())
        async let next = center.next(Ping.self, about: .object(album)) { $0.number > 1 }
        try await begun.wait()
        center.post(Ping(number: 5))
        center.post(Ping(number: 4), about: other)
        center.post(Ping(number: 1), about: album)
        center.post(Ping(number: 2), about: album)
        #expect(try await next.number == 2)
        try await expectNothingLeft()
    }

    @Test func whatIsRetainedCountsIfThatIsAskedFor() async throws {
        center.post(Ping(number: 1), retention: .latest)
        #expect(try await center.next(Ping.self, replay: .all).number == 1)
        try await expectNothingLeft()
    }

    @Test func whatWaitsForItsFirstRecipientIsTakenOneByOne() async throws {
        for number in 1...2 { center.post(Ping(number: number), retention: .untilHandled) }
        #expect(try await center.next(Ping.self).number == 1)
        #expect(try await center.next(Ping.self).number == 2)
        try await expectNothingLeft()
    }

    @Test func itEndsWhenTheTimeIsOver() async throws {
        let task = Task { [center, clock] in
            try await center.next(Ping.self, timeout: .seconds(5), clock: clock).number
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
            try await center.next(Ping.self, timeout: .seconds(5), clock: clock).number
        }
        try await clock.waitForSleepers()
        center.post(Ping(number: 1))
        clock.advance(by: .seconds(5))
        #expect(try await task.value == 1)
        try await expectNothingLeft()
    }

    @Test func aMessageThatCameIsNotLostToTheTimeout() async throws {
        // The message ends the observation, so the time that is over ends nothing.
        center.post(Ping(number: 1), retention: .latest)
        let message = try await center.next(
            Ping.self,
            timeout: .zero,
            clock: clock,
            replay: .all
        )
        #expect(message.number == 1)
    }

    @Test func aVeryLongTimeoutIsForEver() async throws {
        let far = FarClock()
        let task = Task { [center] in
            try await center.next(Ping.self, timeout: .seconds(Int64.max), clock: far).number
        }
        #expect(try await far.firstSleep() == .seconds(1_000_000_000))
        center.post(Ping(number: 1))
        #expect(try await task.value == 1)
    }

    @Test func itEndsWithItsTask() async throws {
        let task = Task { [center] in try await center.next(Ping.self).number }
        try await begun.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await expectNothingLeft()
    }

    @Test func aCancelledTaskDoesNotBegin() async {
        let task = Task { [center] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await center.next(Ping.self).number
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(center.count(of: Ping.self) == 0)
    }

    @Test func itEndsWithTheCenter() async throws {
        let task = Task { [center] in try await center.next(Ping.self).number }
        try await begun.wait()
        center.finish()
        #expect(await code(task) == .finished)
        let late = Task { [center] in try await center.next(Ping.self).number }
        #expect(await code(late) == .finished)
        try await expectNothingLeft()
    }

    @Test func itEndsWithWhatItIsAbout() async throws {
        var album: Owner? = Owner()
        let subject = MessageSubject.object(try #require(album))
        let task = Task { [center] in try await center.next(Ping.self, about: subject).number }
        try await begun.wait()
        album = nil
        #expect(center.count(of: Ping.self) == 0)
        #expect(await code(task) == .finished)
    }

    @Test func itReturnsOnTheActorThatCalledIt() async throws {
        let next = Task { @MainActor [center] in
            let message = try await center.next(Ping.self)
            MainActor.assertIsolated()
            return message.number
        }
        try await begun.wait()
        await Task.detached { [center] in _ = center.post(Ping(number: 7)) }.value
        #expect(try await next.value == 7)
    }

    /// Whoever wins, there is one outcome, and a message that was counted is returned.
    @Test func aMessageAndACancellationThatMeetAreOneOutcome() async throws {
        for _ in 0..<200 {
            let center = MessageCenter()
            let begun = Gate()
            let presence = center.whileObserved(Ping.self, start: { begun.open() }, stop: {})
            let task = Task { try await center.next(Ping.self).number }
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
