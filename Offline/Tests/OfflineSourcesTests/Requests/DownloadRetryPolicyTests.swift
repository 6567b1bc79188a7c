// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct DownloadRetryPolicyTests {
    private let policy = DownloadRetryPolicy(
        maximumTries: 8,
        firstDelay: .seconds(1),
        longestDelay: .seconds(30)
    )

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (5, 16), (6, 30), (7, 30)])
    func o7_delaysDoubleUpToTheLongest(failures: Int, seconds: Int) {
        let delay = policy.delay(afterFailures: failures, retryAfter: nil, jitter: 1)
        #expect(delay == .seconds(seconds))
    }

    @Test func o7_jitterReducesTheDelayByAtMostHalf() {
        let delay = policy.delay(afterFailures: 3, retryAfter: nil, jitter: 0)
        #expect(delay == .seconds(2))
    }

    @Test func o7_isNeverShorterThanRetryAfter() {
        let delay = policy.delay(afterFailures: 1, retryAfter: .seconds(90), jitter: 0)
        #expect(delay == .seconds(90))
    }

    @Test(arguments: [Duration.seconds(3_601), .seconds(Int64.max)])
    func tooLongARetryAfterIsAFailure(retryAfter: Duration) {
        let delay = policy.delay(afterFailures: 1, retryAfter: retryAfter, jitter: 0)
        #expect(delay == nil)
    }

    @Test func givesUpAfterTheMaximumOfTries() {
        #expect(policy.delay(afterFailures: 8, retryAfter: .seconds(1), jitter: 1) == nil)
    }
}
