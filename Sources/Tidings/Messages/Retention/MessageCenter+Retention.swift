// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Delivers a message and keeps it for those who observe later.
    ///
    /// It is delivered like every other message. An observation that begins meanwhile on another
    /// thread is told of it once: as a recipient of the post or as retained.
    ///
    /// ```swift
    /// center.post(ConnectionChanged(isOnline: true), retention: .latest)
    /// center.post(LinkOpened(page: 4), retention: .untilHandled)
    /// ```
    ///
    /// - Parameters:
    ///   - message: What happened.
    ///   - subject: What it is about, if anything. Each object has its own latest messages, which
    ///     are forgotten when it dies.
    ///   - retention: How long it is kept.
    ///   - mode: What becomes of the post inside a handler of this center. It is retained at once
    ///     in any case.
    ///   - fileID: The posting file, for those who watch the center.
    ///   - line: The posting line.
    /// - Returns: How many observations it addressed; those that it is replayed to later are not
    ///   among them.
    @discardableResult
    public func post<M: Message>(
        _ message: M,
        about subject: (any AnyObject & Sendable)? = nil,
        retention: Retention,
        delivery mode: DeliveryMode = .queued,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Int {
        let source = SourceLocation(fileID: fileID, line: line)
        var delivery = Delivery(message: message, about: subject, source: source)
        delivery.retention = retention
        return send(delivery, mode: mode)
    }

    /// Returns the retained messages of a type, in the order in which they were posted.
    ///
    /// Those that wait for their first recipient are among them; this hands over none.
    ///
    /// ```swift
    /// let isOnline = center.retained(ConnectionChanged.self).last?.isOnline
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: What they must be about; anything and nothing, unless stated.
    /// - Returns: The messages, oldest first.
    public func retained<M: Message>(
        _ type: M.Type,
        about subject: (any AnyObject & Sendable)? = nil
    ) -> [M] {
        let filter = subject.map { SubjectFilter.object(WeakSubject($0)) }
        return channel(of: type, on: .current).use { channel in
            channel.retained().filter { $0.element.passes(filter) }
                .compactMap { $0.element.message as? M }
        }
    }

    /// Forgets every message of a type that was retained so far.
    ///
    /// Only later observations notice: one that is just being told of retained messages is told
    /// of all of them. Messages that wait for their first recipient are forgotten, too.
    ///
    /// ```swift
    /// center.clearRetained(ConnectionChanged.self)
    /// ```
    ///
    /// - Parameter type: The type of message.
    public func clearRetained<M: Message>(_ type: M.Type) {
        channel(of: type, on: .current).use { $0.clearRetained() }
    }
}
