// SPDX-License-Identifier: Apache-2.0

/// The retained messages that an observation receives first.
///
/// The observation receives each retained message once, in the order of the posts and before every
/// live message. The messages are delivered on the observing thread or, for a main-actor handler,
/// on the main actor. Messages posted during the replay wait behind the retained messages, but
/// `post` returns without waiting.
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

    /// No retained message.
    static let none = Replay(limit: 0)
    /// Every retained message.
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
