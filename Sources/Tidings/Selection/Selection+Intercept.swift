// SPDX-License-Identifier: Apache-2.0

extension Selection {
    /// Registers a closure that can change, stop or drop messages before their delivery.
    ///
    /// Interceptors are called on the poster's thread, without a lock, in order of priority and
    /// then of registration. Interceptors of one type and of all messages are in one order. Each
    /// interceptor receives the message that the previous interceptor returned. Every post that
    /// starts after this call has returned passes the interceptor.
    ///
    /// A dropped message has no recipient, and `post` returns 0, or throws `noObservers` if the
    /// post requires a recipient. A dropped or stopped message is not retained and does not call
    /// the unhandled hooks, and watchers of the center see the message as `intercepted`.
    ///
    /// A post inside a handler passes the interceptors immediately and is queued afterwards. A post
    /// inside an interceptor also passes the interceptors, and is delivered before the message that
    /// is being intercepted. An interceptor that posts messages of the intercepted type must avoid
    /// endless recursion.
    ///
    /// A post by name is an ``UntypedMessage`` and passes the interceptors of `UntypedMessage` and
    /// of all messages, but not the interceptors of a type to which the post may be converted.
    ///
    /// Posts of this type take longer while an interceptor is registered. An interceptor of all
    /// messages or of a conformance slows down all posts.
    ///
    /// ```swift
    /// let token = center.messages(of: ChatLine.self).intercept { line in
    ///     line.text.isEmpty ? .drop : .replace(ChatLine(text: line.text.lowercased()))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - fileID: The intercepting file, for the leak report.
    ///   - line: The intercepting line.
    ///   - decide: Returns the decision on each message.
    /// - Returns: The token that ends the interception.
    /// - Precondition: The selection selects messages, and a replacement has the type of the
    ///   replaced message.
    public func intercept(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ decide: @escaping @Sendable (Element) -> Decision<Element>
    ) -> ObservationToken {
        addInterceptor(at: SourceLocation(fileID: fileID, line: line), decide)
    }
}

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
    /// This message goes on instead.
    case replace(Element)
    /// The interceptor has handled the message and is the only recipient, so `post` returns 1.
    case stop
    /// The message is dropped, as if it had no recipient, so `post` returns 0.
    case drop
}
