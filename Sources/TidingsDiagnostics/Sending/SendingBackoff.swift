// SPDX-License-Identifier: Apache-2.0

/// The backoff after consecutive failures.
///
/// The delay doubles with each failure and is randomly shortened by up to one half.
struct SendingBackoff: Hashable, Sendable {
    var first = Duration.seconds(1)
    var longest = Duration.seconds(3_600)

    /// Returns the delay after `failures` consecutive failures.
    ///
    /// The number of failures is at least 1, and `random` is from 0 to 1.
    func delay(afterFailures failures: Int, random: Double) -> Duration {
        var delay = min(first, longest)
        for _ in 1..<max(2, failures) where delay < longest && failures > 1 {
            delay = min(delay * 2, longest)
        }
        return delay * (1 - min(max(random, 0), 1) / 2)
    }
}
