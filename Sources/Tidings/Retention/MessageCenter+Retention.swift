// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Returns the retained messages of a type, in the order in which they were posted.
    ///
    /// Messages that wait for their first recipient are included; this does not deliver them.
    ///
    /// ```swift
    /// let isOnline = center.retained(ConnectionChanged.self).last?.isOnline
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - subject: The object that they must be about; nil for any subject or none.
    /// - Returns: The messages, oldest first.
    package func retained<M: Message>(
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
    /// Only later observations are affected: a replay in progress still delivers all of its
    /// messages. Messages that wait for their first recipient are forgotten, too.
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
