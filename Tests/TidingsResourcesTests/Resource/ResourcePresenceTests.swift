// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Observation
import Synchronization
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// Observers that come while the last one leaves, and calls without any observer.
@Suite(.timeLimit(.minutes(15)))
struct ResourcePresenceTests {
    private let clock = CancelClock()
    private let script = LoadScript<Int>(heedsCancellation: false)
    private let log = Log<String>()
    private let bag = ObservationBag()

    private func resource(_ options: ResourceOptions) -> Resource<Int> {
        Resource(options: options, clock: clock, loader: script.load)
    }

    @Test func s6_aLoadOfOneWhoComesWhileTheLastOneLeavesGoesOn() async throws {
        let resource = resource(ResourceOptions(refreshInterval: .seconds(10)))
        let last = resource.publisher.observe { _ in }
        try await clock.time.waitForSleepers()
        clock.whenCancelled { [log, bag] in
            resource.publisher.observe { log(text($0)) }.store(in: bag)
            resource.refreshIfNeeded()
        }
        last.cancel()
        #expect(log.all == ["unknown", "loading -"])
        async let answer = resource.refresh()
        try await script.waitForCalls(1)
        script.answer(1, .success(1))
        #expect(try await answer == 1)
        #expect(log.all == ["unknown", "loading -", "loaded 1"])
        // Without this call, the clock would hold the resource through the stored closure.
        bag.cancelAll()
    }

    @Test func dataIsKeptForOneWhoComesWhileTheLastOneLeaves() async throws {
        let resource = resource(
            ResourceOptions(refreshInterval: .seconds(90), keepsDataFor: .seconds(30))
        )
        let last = resource.publisher.observe { _ in }
        resource.publisher.updateData(1)
        try await clock.time.waitForSleepers(2)
        let hasRung = DispatchSemaphore(value: 0)
        clock.whenCancelled { [clock, log, bag] in
            resource.publisher.observe {
                log(text($0))
                if case .unknown = $0 { hasRung.signal() }
            }.store(in: bag)
            // The timer that fires now finds data in use and is set again.
            clock.whenSleeping { hasRung.signal() }
            clock.time.advance(by: .seconds(30))
            hasRung.wait()
        }
        await runOnThreads([{ last.cancel() }])
        #expect(log.all == ["loaded 1"])
        bag.cancelAll()
    }

    @Test func keepingNothingForAMomentKeepsNothingBusy() async throws {
        let resource = resource(ResourceOptions(keepsDataFor: .zero))
        let token = resource.publisher.observe { _ in }
        resource.publisher.updateData(1)
        try await clock.time.waitForSleepers()
        #expect(clock.sleeps == 1)
        #expect(resource.lastData == 1)
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = resource.state
            } onChange: {
                continuation.resume()
            }
            token.cancel()
        }
        #expect(resource.lastData == nil)
    }

    @Test func anIntervalIsLongerThanZero() async {
        await #expect(processExitsWith: .failure) {
            _ = Resource(options: ResourceOptions(refreshInterval: .zero)) { 1 }
        }
    }
}

/// A clock that calls back when a sleep is cancelled.
private final class CancelClock: Clock {
    let time = ManualClock()
    private let cancelled = Lock<(@Sendable () -> Void)?>(nil)
    private let slept = Lock<(@Sendable () -> Void)?>(nil)
    private let count = Atomic(0)

    /// The number of sleeps that have started.
    var sleeps: Int { count.load(ordering: .relaxed) }
    var now: ManualClock.Instant { time.now }
    var minimumResolution: Duration { time.minimumResolution }

    /// Calls `action` once, when a sleep is cancelled.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        cancelled.withLock { $0 = action }
    }

    /// Calls `action` once, when a sleep starts.
    func whenSleeping(_ action: @escaping @Sendable () -> Void) {
        slept.withLock { $0 = action }
    }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        count.add(1, ordering: .relaxed)
        slept.withLock { $0.take() }?()
        try await withTaskCancellationHandler {
            try await time.sleep(until: deadline, tolerance: tolerance)
        } onCancel: {
            cancelled.withLock { $0.take() }?()
        }
    }
}
