// SPDX-License-Identifier: Apache-2.0

/// An interceptor's decision on a message.
///
/// ```swift
/// let token = center.messages(of: KeyPressed.self).intercept { key in
///     dialog.handle(key) ? .stop : .deliver
/// }
/// ```
public enum Decision<Element: Sendable>: Sendable {
    /// The message goes on to the next interceptor, then to its recipients.
    case deliver
    /// Another message goes on in its place.
    case replace(Element)
    /// The interceptor has handled the message: it is the only recipient, and `post` returns 1.
    case stop
    /// The message is dropped, as if it had no recipient: `post` returns 0.
    case drop
}
