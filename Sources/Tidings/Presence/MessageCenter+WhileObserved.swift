// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Calls `start` when the first observation of a type begins and `stop` when the last one has
    /// ended, each time.
    ///
    /// For a source that is only worth running while somebody listens. The two are called in turn,
    /// beginning with `start`, never twice in a row and never at the same time, on the thread that
    /// observes or cancels, without a lock. If the type is observed already, `start` is called
    /// before this call returns. An observation that begins while nobody else starts or stops is
    /// made when `start` has returned; while another thread is inside one of them, that thread
    /// does what has become due before it goes on.
    ///
    /// Everybody counts who observes this type: closures, owners, subjects and sequences, also
    /// while they are blocked. A dead owner counts until it is swept, by the next observe, cancel,
    /// post or count of the type. Those who observe every message, or a name, do not count.
    ///
    /// When the token is cancelled or dropped, or the center goes, what was started is stopped.
    ///
    /// ```swift
    /// let token = center.whileObserved(
    ///     LocationChanged.self,
    ///     start: { receiver.powerOn() },
    ///     stop: { receiver.powerOff() }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of message.
    ///   - fileID: The calling file, for those who look for leaks.
    ///   - line: The calling line.
    ///   - start: Called for the first observation.
    ///   - stop: Called after the last one.
    /// - Returns: The token that ends this.
    public func whileObserved<M: Message>(
        _ type: M.Type,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        start: @escaping @Sendable () -> Void,
        stop: @escaping @Sendable () -> Void
    ) -> ObservationToken {
        channel(of: type, on: .current).use { channel in
            let hook = PresenceHook(start: start, stop: stop)
            let didEnd: @Sendable () -> Void = { [weak channel] in
                channel?.remove(hook)
                hook.end()
            }
            let settings = RegistrationSettings(
                home: channel,
                source: SourceLocation(fileID: fileID, line: line),
                didEnd: didEnd
            )
            channel.add(hook)
            // It observes nothing and is filed nowhere: it ends the hook.
            return ObservationToken(Registration(settings, flags: []))
        }
    }
}
