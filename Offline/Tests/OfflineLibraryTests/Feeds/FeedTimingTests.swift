// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources
@testable import OfflineStore

@Suite(.timeLimit(.minutes(15)))
struct FeedTimingTests {
    private static let start = Date(timeIntervalSince1970: 1_000_000)
    private let first = FeedID(rawValue: 1)
    private let second = FeedID(rawValue: 2)

    @Test(
        arguments: [
            (nil, nil, 3_600), (60, nil, 900), (900, nil, 900), (5_400, nil, 5_400),
            (nil, 60, 3_600), (nil, 7_200, 7_200), (1_800, 7_200, 7_200), (nil, 31_536_000, 86_400),
            (864_000, nil, 604_800), (900, 0, 900),
        ] as [(Int?, Int?, Int)]
    )
    func o26_theFeedAndTheServerSetTheTime(period: Int?, maxAge: Int?, delay: Int) {
        let timing = FeedTiming(jitter: 0)
        let found = timing.delay(
            period: period.map { .seconds($0) },
            maxAge: maxAge.map { .seconds($0) }
        )
        #expect(found == .seconds(delay))
    }

    @Test(
        arguments: [
            (1, nil, 900), (2, nil, 1_800), (3, nil, 3_600), (9, nil, 86_400), (1_000, nil, 86_400),
            (1, 120, 900), (1, 7_200, 7_200), (1, 172_800, 172_800), (9, 100_000_000, 604_800),
        ] as [(Int, Int?, Int)]
    )
    func o26_failuresDoubleTheTimeAndRetryAfterIsKept(failures: Int, retryAfter: Int?, delay: Int) {
        let timing = FeedTiming(jitter: 0)
        let found = timing.delay(
            afterFailures: failures,
            retryAfter: retryAfter.map { .seconds($0) }
        )
        #expect(found == .seconds(delay))
    }

    @Test func jitterOnlyAdds() {
        #expect(FeedTiming(jitter: 1).delay(period: nil, maxAge: nil) == .seconds(3_960))
        #expect(FeedTiming(jitter: 0.5).delay(afterFailures: 1, retryAfter: nil) == .seconds(945))
    }

    @Test func o26_theFeedThatIsDueForTheLongestTimeIsNext() {
        var agenda = FeedAgenda()
        #expect(agenda.next(at: Self.start, isOffline: false) == .rest)
        agenda.schedule(first, at: Self.start + 60)
        agenda.schedule(second, at: Self.start + 30)
        #expect(agenda.next(at: Self.start, isOffline: false) == .wait(.seconds(30)))
        #expect(agenda.next(at: Self.start + 60, isOffline: true) == .wait(FeedAgenda.longestWait))
        #expect(agenda.next(at: Self.start + 60, isOffline: false) == .check(second))
        agenda.begin(second)
        #expect(agenda.next(at: Self.start + 60, isOffline: false) == .check(first))
        agenda.schedule(first, at: nil)
        agenda.schedule(second, at: Self.start + 4_000)
        agenda.end(second)
        #expect(
            agenda.next(at: Self.start + 60, isOffline: false) == .wait(FeedAgenda.longestWait)
        )
    }

    @Test func aFailureWithoutARecordSetsTheNextCheck() {
        var agenda = FeedAgenda()
        agenda.schedule(first, at: Self.start)
        agenda.fail(first, FeedCheck.Offline(error: .notRunning), at: Self.start)
        #expect(agenda.next(at: Self.start, isOffline: false) == .check(first))
        agenda.fail(first, CancellationError(), at: Self.start)
        let delay = Duration.seconds(FeedAgenda.unrecordedDelay)
        #expect(agenda.next(at: Self.start, isOffline: false) == .wait(delay))
        agenda.fail(first, FeedError.notFollowed(first), at: Self.start)
        #expect(agenda.next(at: Self.start, isOffline: false) == .rest)
    }

    @Test func aTimeOfAWrongClockIsDue() {
        var agenda = FeedAgenda()
        agenda.schedule(first, at: Self.start + 30)
        agenda.schedule(second, at: Self.start + 40 * 86_400)
        #expect(agenda.next(at: Self.start, isOffline: false) == .check(second))
    }
}
