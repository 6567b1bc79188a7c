// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A value without side effects that computes the time until the next check of a feed.
package struct FeedTiming {
    /// The shortest time between two checks, even if the feed asks for less.
    static let shortest = Duration.seconds(900)
    /// The time between two checks of a feed that asks for no particular time.
    static let standard = Duration.seconds(3_600)
    /// The longest time that a feed can ask for.
    package static let longest = Duration.seconds(7 * 86_400)
    /// The longest time that the cache rules of a server can ask for.
    ///
    /// Many servers say a year.
    static let longestAge = Duration.seconds(86_400)
    /// The longest time after failures, unless the server asks for more.
    static let longestDelay = Duration.seconds(86_400)

    /// A number from 0 to 1 that adds up to a tenth of the time, so that not all feeds are due
    /// together.
    var jitter: Double

    /// Creates the rules with a jitter from 0 to 1.
    package init(jitter: Double) {
        self.jitter = jitter
    }

    /// Returns the time after a check that succeeded.
    ///
    /// - Parameters:
    ///   - period: The time that the feed asks for.
    ///   - maxAge: The time for which the server's response stays valid. This time can only
    ///     lengthen the delay.
    /// - Returns: The time.
    func delay(period: Duration?, maxAge: Duration?) -> Duration {
        let wanted = min(max(period ?? Self.standard, Self.shortest), Self.longest)
        return spread(max(wanted, min(maxAge ?? .zero, Self.longestAge)))
    }

    /// Returns the time after a check that failed.
    ///
    /// The time doubles with each further failure.
    ///
    /// - Parameters:
    ///   - failures: The number of consecutive failures.
    ///   - retryAfter: The time that the server requires.
    /// - Returns: The time, which is never below `retryAfter`, up to a week.
    func delay(afterFailures failures: Int, retryAfter: Duration?) -> Duration {
        var delay = Self.shortest
        for _ in 1..<max(1, min(failures, 16)) { delay = min(delay * 2, Self.longestDelay) }
        return spread(max(delay, min(retryAfter ?? .zero, Self.longest)))
    }

    private func spread(_ delay: Duration) -> Duration {
        delay + delay * (0.1 * min(max(jitter, 0), 1))
    }
}
