// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsCoreFixtures
import TidingsLock

@testable import Tidings

#if os(Linux)
import CTidingsHeap
#endif

/// The absence of leftovers after ten thousand rounds of observing.
@Suite(.timeLimit(.minutes(15)))
struct MemoryTests {
    /// The way in which the observations of a round start and end.
    enum Round: String, CaseIterable, Codable, Sendable {
        case cancelled
        case dropped
        case inABag
        case ownerDied
        case ownerWithTokenDied
        case onTheMainActor
        case sequence
    }

    /// The number of rounds of each kind, which makes ten thousand of all kinds.
    private static let rounds = 1_500

    @Test(arguments: Round.allCases)
    func theCenterKeepsNoRegistrationOfManyRounds(round: Round) {
        let (course, present) = (Course(), 100)
        let others = (0..<present).map { _ in course.observation() }
        for _ in 0..<Self.rounds { course.run(round) }
        // M8: there are never more than 64 dead objects above the number of living objects.
        #expect(course.census.alive <= present + present + 64)
        #expect(course.center.count(of: Ping.self) == present)
        for other in others { other.cancel() }
        course.run(round)
        #expect(course.census.alive <= 64)
    }

    #if os(Linux)
    @Test func memoryAfterTenThousandRoundsOfObserveAndCancelReturnsToWhereItBegan() async {
        // This test has a separate process, because other tests use the same heap.
        await #expect(processExitsWith: .success) {
            for round in Round.allCases {
                let course = Course()
                for _ in 0..<200 { course.run(round) }
                let before = Int(tidings_heap_in_use())
                for _ in 0..<MemoryTests.rounds { course.run(round) }
                let after = Int(tidings_heap_in_use())
                #expect(before > 0)
                #expect(after - before < 16 << 10, "\(round)")
            }
        }
    }
    #endif

    /// A center and the objects that are held by the handlers.
    private struct Course: Sendable {
        let center = MessageCenter()
        let census = Census()

        func observation() -> ObservationToken {
            let mark = Mark(census)
            return center.observe(Ping.self) { _ in mark.stay() }
        }

        /// Makes three observations, posts, and ends the observations in a different order.
        func run(_ round: Round) {
            switch round {
            case .cancelled: end((0..<3).map { _ in observation() }) { $0.cancel() }
            case .dropped: end((0..<3).map { _ in observation() }) { _ in }
            case .inABag:
                let bag = ObservationBag()
                end((0..<3).map { _ in observation() }) { $0.store(in: bag) }
                bag.cancelAll()
            case .ownerDied, .ownerWithTokenDied:
                end((0..<3).map { _ in owner(keepsToken: round == .ownerWithTokenDied) }) { _ in }
            case .onTheMainActor: end((0..<3).map { _ in mainObservation() }) { $0.cancel() }
            case .sequence:
                end((0..<3).map { _ in center.messages(of: Ping.self).values }) { _ in }
            }
        }

        private func end<Kept>(_ kept: [Kept], _ body: (Kept) -> Void) {
            var kept = kept
            center.post(Pong())
            while !kept.isEmpty { body(kept.remove(at: kept.count / 2)) }
            center.post(Ping())
        }

        private func mainObservation() -> ObservationToken {
            let mark = Mark(census)
            return center.observe(Ping.self, on: .main) { _ in mark.stay() }
        }

        private func owner(keepsToken: Bool) -> TokenOwner {
            let (owner, mark) = (TokenOwner(), Mark(census))
            let token = center.observe(Ping.self, owner: owner) { _, _ in mark.stay() }
            if keepsToken { owner.token.withLock { $0 = token } }
            return owner
        }
    }

    private final class TokenOwner: Sendable {
        let token = Lock<ObservationToken?>(nil)
    }
}
