// SPDX-License-Identifier: Apache-2.0

/// How long a center keeps a posted message for those who observe later.
///
/// A message that is about an object is kept apart from those about others: each object has its
/// own latest one.
///
/// ```swift
/// center.post(ConnectionChanged(isOnline: true), retention: .latest)
/// // Whoever asks for it later is told at once.
/// let token = center.messages(of: ConnectionChanged.self).replaying(.all).observe {
///     print($0.isOnline)
/// }
/// ```
public struct Retention: Hashable, Sendable {
    enum Kind: Hashable {
        case newest(Int)
        case untilHandled
    }

    let kind: Kind

    /// Until the next message of its type is retained, or until what it is about dies.
    ///
    /// It is told to observers that ask for it with ``Replay``.
    public static let latest = Retention(kind: .newest(1))

    /// As ``latest``, with up to `count` messages kept, the newest ones.
    ///
    /// - Precondition: `count` is at least 1.
    public static func last(_ count: Int) -> Retention {
        require(
            count >= 1,
            """
            A center retains at least 1 message: .last(\(count)) retains none. Post without \
            `retention:` to retain nothing.
            """
        )
        return Retention(kind: .newest(count))
    }

    /// Until a handler was called with it, if none is when it is posted.
    ///
    /// Messages that wait keep their order and are handed over exactly once, to the first who
    /// observes their type, whatever its ``Replay``. One that its filter turns down, or that it
    /// does not get to because it ends first, goes on waiting; so does one for which a full queue
    /// has
    /// no room. A sequence takes a message when it buffers it. Those who observe names or all
    /// messages are told of the post, and do not count. What the message is about is kept alive
    /// meanwhile.
    public static let untilHandled = Retention(kind: .untilHandled)
}
