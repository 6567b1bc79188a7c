// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Calls `start` when the first observation of a type starts and `stop` when the last
    /// observation has ended, each time.
    ///
    /// Use this method for a source that should only run while there are observers. The two
    /// closures are called in turn, starting with `start`, never twice in a row and never
    /// simultaneously, on the thread that observes or cancels, without a lock. If the type is
    /// already observed, `start` is called before this call returns. If no other thread is inside a
    /// closure, `observe` returns after `start` has returned. Otherwise that thread makes all calls
    /// that have become due before the thread continues.
    ///
    /// Every observation of this type counts, including a blocked one: with closures, owners,
    /// subjects and sequences. An observation whose owner has expired counts until it is swept, by
    /// the next observe, cancel, post or count of the type. Observations of every message, or of a
    /// name, do not count.
    ///
    /// When the token is cancelled or dropped, or the center is deallocated, `stop` is called if
    /// `start` was called last.
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
    ///   - fileID: The calling file, for the leak report.
    ///   - line: The calling line.
    ///   - start: Called for the first observation.
    ///   - stop: Called after the last observation.
    /// - Returns: A token that ends these calls.
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
            // The registration observes nothing and is in no list, because it only ends the hook.
            return ObservationToken(Registration(settings, flags: []))
        }
    }
}
