// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct TrackClockTests {
    private static let wrap = Double(1 << 33) / 90_000

    @Test(
        arguments: [
            (10.5, 10, 0.5), (10, 10.25, -0.25), (0.5, wrap - 0.5, 1), (wrap - 0.5, -1, 0.5),
            (9_000, 10, 0), (nil, 10, 0), (10, nil, 0),
        ] as [(Double?, Double?, Double)]
    )
    func delaysAreThoseOfOneClock(start: Double?, reference: Double?, delay: Double) {
        #expect(abs(TrackClock.delay(of: start, after: reference) - delay) < 0.001)
    }
}
