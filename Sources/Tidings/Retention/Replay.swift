// SPDX-License-Identifier: Apache-2.0

/// The retained messages that an observation receives first.
///
/// The observation receives them once, in the order in which they were posted and before every live
/// message: on the observing thread or, for a main-actor handler, on the main actor. Messages that
/// are posted meanwhile wait behind them; their `post` does not wait.
///
/// ```swift
/// let tracks = center.messages(of: TrackPlayed.self).replaying(.last(5))
/// tracks.observe(owner: self, on: .main) { screen, message in
///     screen.append(message.title)
/// }
/// ```
public struct Replay: Hashable, Sendable {
    /// The maximum number of messages.
    let limit: Int

    /// No message that was posted before.
    static let none = Replay(limit: 0)
    /// Every message that is retained.
    public static let all = Replay(limit: .max)

    /// The newest messages, at most `count`.
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
