// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite struct TokenBucketTests {
    private static let piece: Int64 = 16_384

    /// Returns the bytes that each user receives until a time, with pieces at any rate.
    private func receive(
        _ bucket: inout TokenBucket,
        users: Int,
        from begin: Duration = .zero,
        until end: Duration
    ) -> [Int64] {
        var received = [Int64](repeating: 0, count: users)
        var turns = (0..<users).map { _ in bucket.take(atLeast: Self.piece, at: begin) }
        while true {
            let user = turns.indices.min { turns[$0].begin < turns[$1].begin } ?? 0
            let turn = turns[user]
            guard turn.begin < end else { return received }
            received[user] += turn.bytes
            turns[user] = bucket.take(atLeast: Self.piece, at: turn.begin)
        }
    }

    @Test(arguments: [20_000, 1_000_000, 2_000_000, 500_000_000] as [Int64])
    func o22_theBytesOfAllTurnsHaveTheRate(rate: Int64) {
        var bucket = TokenBucket(rate: rate, at: .zero)
        let received = receive(&bucket, users: 3, until: .seconds(10)).reduce(0, +)
        let expected = Double(rate) * 10
        #expect(abs(Double(received) - expected) <= max(expected / 50, Double(Self.piece * 2)))
    }

    @Test func o22_usersOfOneLimitGetEqualShares() {
        var bucket = TokenBucket(rate: 2_000_000, at: .zero)
        let received = receive(&bucket, users: 5, until: .seconds(5))
        #expect((received.max() ?? 0) - (received.min() ?? 0) <= 50_000)
    }

    @Test func idleTimeIsNotCaughtUpOn() {
        var bucket = TokenBucket(rate: 1_000_000, at: .zero)
        let later = Duration.seconds(60)
        let received = receive(&bucket, users: 1, from: later, until: later + .seconds(1))
        #expect(received[0] <= 1_150_000)
    }

    @Test func unusedBytesAreForLaterTurns() {
        var bucket = TokenBucket(rate: 1_000_000, at: .zero)
        for _ in 0..<40 {
            let turn = bucket.take(atLeast: 1_000, at: .zero)
            bucket.putBack(turn.bytes - 1_000)
        }
        let next = bucket.take(atLeast: 1_000, at: .zero)
        #expect(next.begin <= .milliseconds(41) && next.begin >= .milliseconds(39))
    }
}
