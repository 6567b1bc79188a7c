// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// Errors whose release reads the state on another thread.
///
/// A lock that is held during the release would stop that thread.
@Suite(.timeLimit(.minutes(15)))
struct ResourceReleaseTests {
    private struct LoudFailure: Error {
        let canary: Canary
    }

    private let log = Log<String>()
    private let isReleased = Gate()
    private let script = LoadScript<Int>(heedsCancellation: false)

    private func failure(_ publisher: StatePublisher<Int>) -> LoudFailure {
        LoudFailure(
            canary: Canary { [weak publisher, log, isReleased] in
                let isFree = finishesOnAnotherThread { _ = publisher?.state.phase }
                log(isFree ? "free" : "locked")
                isReleased.open()
            }
        )
    }

    /// Returns a resource that loads after an error that is kept only by the load.
    private func loading() async throws -> Resource<Int> {
        let resource = Resource(loader: script.load)
        resource.publisher.setError(failure(resource.publisher))
        resource.refreshIfNeeded()
        try await script.waitForCalls(1)
        return resource
    }

    @Test func m9_theErrorFromBeforeALoadIsReleasedOutsideTheLocksByItsAnswer() async throws {
        let resource = try await loading()
        async let answer = resource.refresh()
        script.answer(1, .success(1))
        #expect(try await answer == 1)
        // The answer may arrive before the load releases the error.
        try await isReleased.wait()
        #expect(log.all == ["free"])
    }

    @Test func m9_theErrorFromBeforeALoadIsReleasedOutsideTheLocksByAReset() async throws {
        let resource = try await loading()
        resource.reset()
        #expect(log.all == ["free"])
    }

    @Test func m9_theErrorFromBeforeALoadIsReleasedOutsideTheLocksByItsEnd() async throws {
        let resource = try await loading()
        let token = resource.publisher.observe { _ in }
        resource.publisher.updateData(1)
        token.cancel()
        #expect(log.all == ["free"])
    }

    @Test func m9_theErrorOfAnAttemptIsReleasedOutsideTheLocksByTheNext() async throws {
        let clock = ManualClock()
        let options = ResourceOptions(retry: .backoff())
        let publisher = Lock<StatePublisher<Int>?>(nil)
        let resource = Resource<Int>(options: options, clock: clock) { [self] in
            throw failure(try #require(publisher.withLock { $0 }))
        }
        publisher.withLock { $0 = resource.publisher }
        resource.refreshIfNeeded()
        try await clock.waitForSleepers()
        #expect(log.all == [])
        clock.advance(by: .seconds(60))
        try await clock.waitForSleepers()
        #expect(log.all == ["free"])
        resource.reset()
        publisher.withLock { $0 = nil }
    }
}
