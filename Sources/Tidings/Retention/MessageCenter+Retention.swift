// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Returns the retained messages of a type, in the order of their posts.
    ///
    /// Messages that wait for their first recipient are included. The call does not deliver
    /// messages.
    ///
    /// ```swift
    /// let isOnline = center.retained(ConnectionChanged.self).last?.isOnline
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: The object that the messages must be about, or nil for any subject or none.
    /// - Returns: The messages, oldest first.
    package func retained<M: Message>(
        _ type: M.Type,
        about subject: (any AnyObject & Sendable)? = nil
    ) -> [M] {
        let filter = subject.map { SubjectCondition.object(WeakSubject($0)) }
        return channel(of: type, on: .current).use { channel in
            channel.retained().filter { $0.element.passes(filter) }
                .compactMap { $0.element.message as? M }
        }
    }

    /// Forgets every message of a type that was retained so far.
    ///
    /// Only later observations are affected, because a replay in progress still delivers all
    /// messages. Messages that wait for their first recipient are also forgotten.
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
