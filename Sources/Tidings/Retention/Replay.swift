// SPDX-License-Identifier: Apache-2.0

/// Which retained messages an observation is told first.
///
/// They are told once, in the order in which they were posted and before every live one, on the
/// thread that observes or, for handlers of the main actor, there. Messages that are posted
/// meanwhile wait behind them; their `post` does not.
///
/// ```swift
/// let tracks = center.messages(of: TrackPlayed.self).replaying(.last(5))
/// tracks.observe(owner: self, on: .main) { screen, message in
///     screen.append(message.title)
/// }
/// ```
public struct Replay: Hashable, Sendable {
    /// How many, at most.
    let limit: Int

    /// No message that was posted before.
    static let none = Replay(limit: 0)
    /// Every message that is retained.
    public static let all = Replay(limit: .max)

    /// The newest ones, at most `count`.
    ///
    /// - Precondition: `count` is at least 1.
    public static func last(_ count: Int) -> Replay {
        require(
            count >= 1,
            "A replay has at least 1 message, and .last(\(count)) has none. Omit `replaying`."
        )
        return Replay(limit: count)
    }
}
