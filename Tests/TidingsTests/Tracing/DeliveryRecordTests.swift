// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting
import TidingsTracing

@testable import Tidings

@Suite(.timeLimit(.minutes(15)))
struct DeliveryRecordTests {
    private struct Broken: Error {}

    private let clock = ManualClock()
    private let center: MessageCenter
    private let records = Log<DeliveryRecord>()
    private let bag = ObservationBag()

    init() {
        center = MessageCenter(tracedBy: clock)
        center.watch(delivered: { [records] in records($0) }).store(in: bag)
    }

    private var handlers: [HandlerRecord] { records.all.last?.handlers ?? [] }

    @Test func eachHandlerHasItsPlaceAndItsDuration() {
        center.observe(Ping.self, line: 3) { [clock] _ in clock.advance(by: .milliseconds(3)) }
            .store(in: bag)
        center.messages(of: Ping.self).priority(.high).observe(line: 5) { [clock] _ in
            clock.advance(by: .milliseconds(5))
        }.store(in: bag)
        center.post(Ping())
        let file = "TidingsTests/DeliveryRecordTests.swift"
        #expect(handlers.map(\.observation.location) == ["\(file):5", "\(file):3"])
        #expect(handlers.map(\.observation.message) == ["Ping", "Ping"])
        #expect(handlers.map(\.duration) == [.milliseconds(5), .milliseconds(3)])
        #expect(records.all.last?.duration == .milliseconds(8))
        #expect(records.all.last?.outcome == .delivered)
    }

    @Test func aPostThatNobodyHearsSaysSo() {
        center.post(Ping())
        #expect(records.all.map(\.outcome) == [.unhandled])
        #expect(handlers.isEmpty)
        let file = "TidingsTests/DeliveryRecordTests.swift"
        #expect(records.all.last?.location.hasPrefix("\(file):") == true)
        #expect(records.all.last?.description.hasSuffix(": unhandled") == true)
    }

    @Test func aHandlerThatThrowsIsToldWithItsErrorsType() {
        center.observe(Ping.self) { _ in throw Broken() }.store(in: bag)
        center.observe(Ping.self) { _ in }.store(in: bag)
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.failed("Broken"), .called])
    }

    @Test func aFilteredHandlerIsSkippedAndCountsAsRecipient() {
        center.messages(of: Ping.self).where { $0.number > 0 }.observe { _ in }.store(in: bag)
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.skipped])
        #expect(records.all.last?.outcome == .delivered)
        #expect(records.all.last?.recipients == 1)
    }

    @Test func aHandlerCancelledByOneBeforeItWasARecipientAndIsNotListed() {
        let tokens = Log<ObservationToken>()
        center.observe(Ping.self) { _ in tokens.all.first?.cancel() }.store(in: bag)
        tokens(center.observe(Ping.self) { _ in })
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.called])
        #expect(records.all.last?.recipients == 2)
    }

    @Test func aHandlerWhoseOwnerDiedMeanwhileSaysSo() {
        let owners = Lock<[Owner]>([Owner()])
        center.messages(of: Ping.self).priority(.high).observe { _ in
            withExtendedLifetime(owners.withLock { $0 }) { owners.withLock { $0 = [] } }
        }.store(in: bag)
        for owner in owners.withLock({ $0 }) { center.observe(Ping.self, owner: owner) { _, _ in } }
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.called, .ownerDied])
    }

    @Test func aHandlerOfAnotherSubjectIsNotListed() {
        let (mine, other) = (Owner(), Owner())
        center.messages(of: Ping.self).about(mine).observe { _ in }.store(in: bag)
        center.post(Ping(), about: other)
        #expect(records.all.last?.outcome == .unhandled)
        #expect(handlers.isEmpty)
    }

    @MainActor @Test func aHandlerThatWaitsForTheMainActorIsQueued() async throws {
        let gate = Gate()
        center.observe(Ping.self, on: .main) { _ in gate.open() }.store(in: bag)
        let isDone = finishesOnAnotherThread { [center] in center.post(Ping()) }
        #expect(isDone)
        #expect(handlers.map(\.outcome) == [.queued])
        try await gate.wait()
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.called])
    }

    @Test func aMessageThatWaitsForAReaderIsQueued() {
        let messages = center.messages(of: Ping.self).values
        center.post(Ping())
        #expect(handlers.map(\.outcome) == [.queued])
        messages.cancel()
    }

    @Test func timeIsOnlyMeasuredForThoseWhoWantDeliveries() {
        let asked = Log<Int>()
        let center = MessageCenter(tracedBy: CountingClock(asked: asked))
        let base = asked.all.count
        center.watch(posting: { _ in }).store(in: bag)
        center.observe(Ping.self) { _ in }.store(in: bag)
        center.post(Ping())
        #expect(asked.all.count == base)
        center.watch(delivered: { _ in }).store(in: bag)
        center.post(Ping())
        #expect(asked.all.count > base)
    }

    @Test func whatGoesToNobodyOnPurposeIsToldWithTheReason() {
        let source = SourceLocation(fileID: #fileID, line: 1)
        center.traceUndelivered(Delivery(message: Ping(), source: source), .finished)
        center.traceUndelivered(Delivery(message: Ping(), source: source), .intercepted)
        #expect(records.all.map(\.outcome) == [.finished, .intercepted])
    }
}

/// A clock that counts the calls of `now`.
private struct CountingClock: Clock {
    let asked: Log<Int>

    var now: ContinuousClock.Instant {
        asked(1)
        return ContinuousClock.now
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
