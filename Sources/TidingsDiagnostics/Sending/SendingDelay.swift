// SPDX-License-Identifier: Apache-2.0

/// How long to wait after failures in a row: doubling, shortened at random by up to a half.
struct SendingDelay: Hashable, Sendable {
    var first = Duration.seconds(1)
    var longest = Duration.seconds(3_600)

    /// The delay after so many failures, at least 1; `random` is from 0 to 1.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        var delay = min(first, longest)
        for _ in 1..<max(2, failures) where delay < longest && failures > 1 {
            delay = min(delay * 2, longest)
        }
        return delay * (1 - min(max(random, 0), 1) / 2)
    }
}
