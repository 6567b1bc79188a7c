// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message to all observers of its type.
    ///
    /// Returns after every handler that runs on this thread has returned. By then the deliveries to
    /// the main actor and to sequences are queued. Inside a handler of the same center, on the
    /// handler's thread, this call only queues the message. The center delivers the queued message
    /// to the observers that are registered now, after the last handler of the current post.
    ///
    /// ```swift
    /// let recipients = center.post(LoggedIn(name: "Ada"))
    /// ```
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: The number of addressed observations, which are registered and have a living
    ///   owner.
    @discardableResult
    @inlinable  // The compiler then knows the type where the message is posted.
    public func post<M: Message>(
        _ message: M,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let addressed = Incoming.with(message) { input in
            deliver(input, of: M.self)
                ?? deliverInline(input, of: M.self, fileID: fileID, line: line)
        }
        return addressed ?? send(message, fileID: fileID, line: line)
    }

    /// Calls the handlers of the message's type, as a turn of this center.
    ///
    /// Returns nil for a post that needs more than a direct delivery.
    @usableFromInline
    func deliver(_ input: Incoming, of type: any Message.Type) -> Int? {
        let thread = DeliveryThread.current
        return deliver(input, by: channel(of: type, on: thread), on: thread)
    }

    /// Calls the handlers of a channel that was already found, as a turn of this center.
    @inline(__always)
    func deliver(
        _ input: Incoming,
        by channel: BorrowedChannel,
        on thread: DeliveryThread
    ) -> Int? {
        // The compiler inlines several small uses of the channel into this function, but not one
        // large use.
        guard channel.use({ $0.isDirect }) else { return nil }
        if channel.use({ $0.isEmpty }) { return 0 }
        if thread.isDelivering(for: self) { return nil }
        return thread.turn(of: self) {
            channel.use {
                $0.deliver(input, on: thread) { error, registration in
                    report(error, of: registration)
                }
            }
        }
    }

    /// Calls every handler that runs on this thread.
    ///
    /// Returns nil for a post that needs more than these calls.
    @usableFromInline
    func deliverInline(
        _ input: Incoming,
        of type: any Message.Type,
        about subject: (any AnyObject & Sendable)? = nil,
        options: PostingOptions = [],
        fileID: StaticString,
        line: UInt
    ) -> Int? {
        guard options.retention == nil else { return nil }
        let source = SourceLocation(fileID: fileID, line: line)
        return deliverInline(
            PostedMessage(input: input, type: type, subject: subject, source: source)
        )
    }

    /// Posts a message for which a direct delivery is not enough.
    @usableFromInline
    func send<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        options: PostingOptions = [],
        fileID: StaticString,
        line: UInt
    ) -> Int {
        let source = SourceLocation(fileID: fileID, line: line)
        var delivery = Delivery(message: message, about: subject, source: source)
        delivery.retention = options.retention
        return send(delivery, nested: options.isNested)
    }
}

extension MessageCenter {
    /// Delivers a message about an object, or with options.
    ///
    /// A message about an object reaches the observers of the message type, including observers
    /// that are registered for this object or for objects of the same type.
    ///
    /// ```swift
    /// center.post(Played(title: "Blue"), about: album)
    /// center.post(Step(number: 2), options: [.nested])
    /// center.post(LinkOpened(page: 4), options: [.retainedUntilHandled])
    /// ```
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - subject: The object that the message is about, if any. The center keeps the object until
    ///     each handler was called or has queued the message. A queue does not keep the object. To
    ///     keep the object longer, capture it in the message.
    ///   - options: How the message is delivered and retained.
    ///   - fileID: The posting file, for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: The number of addressed observations. Later observers that receive the retained
    ///   message are not counted.
    @discardableResult
    public func post<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        options: PostingOptions = [],
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let addressed = Incoming.with(message) { input in
            deliverInline(
                input,
                of: M.self,
                about: subject,
                options: options,
                fileID: fileID,
                line: line
            )
        }
        return addressed
            ?? send(message, about: subject, options: options, fileID: fileID, line: line)
    }

    /// Delivers a message that must have a recipient.
    ///
    /// ```swift
    /// try center.post(Opened(page: 4), requiring: .recipient)
    /// ```
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - subject: The object that the message is about, if any.
    ///   - requirement: The condition that the post must meet.
    ///   - fileID: The posting file, for the error and for watchers of the center.
    ///   - line: The posting line.
    /// - Returns: The number of addressed observations, at least 1.
    /// - Throws: `noObservers` if there was no recipient. The unhandled hooks were called as well.
    @discardableResult
    public func post<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        requiring requirement: PostingRequirement,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) -> Int {
        let addressed = post(message, about: subject, options: [], fileID: fileID, line: line)
        guard addressed == 0 else { return addressed }
        let source = SourceLocation(fileID: fileID, line: line)
        let name = (message as? UntypedMessage).map { "\"\($0.name)\"" } ?? "\(M.self)"
        throw TidingsError(.noObservers, TidingsError.nobodyObserves(name), at: source)
    }
}

/// A condition that a post must meet to succeed.
///
/// ```swift
/// try center.post(Opened(page: 4), requiring: .recipient)
/// ```
public enum PostingRequirement: Hashable, Sendable {
    /// At least one addressed observation.
    case recipient
}
