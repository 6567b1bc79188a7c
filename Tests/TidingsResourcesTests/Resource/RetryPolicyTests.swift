// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Tidings
@testable import TidingsResources

@Suite(.timeLimit(.minutes(15)))
struct RetryPolicyTests {
    private func delays(_ policy: RetryPolicy, random: Double = 0) -> [Duration?] {
        (1...6).map { policy.delay(after: $0, failing: LoadFailure(), random: random) }
    }

    @Test func delaysDoubleUpToTheLongest() {
        let policy = RetryPolicy.backoff(attempts: 6, from: .seconds(1), to: .seconds(5))
        #expect(
            delays(policy) == [
                .seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), nil,
            ]
        )
        #expect(delays(.never) == [nil, nil, nil, nil, nil, nil])
    }

    @Test func chanceShortensADelayByUpToAHalf() {
        let policy = RetryPolicy.backoff(attempts: 3, from: .seconds(2), to: .seconds(30))
        #expect(delays(policy, random: 1).prefix(2) == [.seconds(1), .seconds(2)])
        #expect(delays(policy, random: 0.5).prefix(2) == [.milliseconds(1_500), .seconds(3)])
    }

    @Test func theKindOfErrorDecides() {
        let policy = RetryPolicy.backoff(attempts: 9, from: .seconds(1)) { error in
            switch (error as? LoadFailure)?.number {
            case 1: .stop
            case 2: .retry(after: .seconds(100))
            case 3: .retry(after: .milliseconds(1))
            default: .retry()
            }
        }
        let answers = (0...3).map {
            policy.delay(after: 1, failing: LoadFailure(number: $0), random: 0)
        }
        #expect(answers == [.seconds(1), nil, .seconds(100), .seconds(1)])
    }

    @Test func noDelayOverflows() throws {
        let policy = RetryPolicy.backoff(
            attempts: .max,
            from: .seconds(Int64.max / 2),
            to: .seconds(Int64.max)
        )
        let delay = policy.delay(after: 1_000, failing: LoadFailure(), random: 0)
        #expect(try #require(delay) > .seconds(Int64.max / 2))
    }
}
