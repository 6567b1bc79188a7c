// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Ends every observation that an object owns on this center, of whatever kind.
    ///
    /// This covers the observations with `owner:` of types, names and all messages, about a subject
    /// or not. Owners are compared by identity: another object is never affected, not even one at
    /// the address of a deallocated one. Once this has returned, no call of these observations
    /// begins any more. An object that is registered under a protocol stays registered until
    /// `unregister`. The call is optional, because observations end with their owner.
    ///
    /// It checks every observation of the center. A finished center has nothing to remove, and
    /// still completes the earlier posts.
    ///
    /// ```swift
    /// try center.removeObservations(of: self)
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object that owns the observations.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Returns: The number of observations it ended, at least 1.
    /// - Throws: `notFound` if the object owns no observation here.
    @discardableResult
    public func removeObservations(
        of owner: AnyObject,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws(TidingsError) -> Int {
        let channels = registry.withLock { $0.all }
        var count = 0
        for channel in channels + [wildcards] {
            channel.snapshot().visit { registration in
                guard registration.isOwned(by: owner) else { return }
                if registration.end() {
                    channel.remove(registration)
                    count += 1
                }
                // Empties its mailbox. If another thread is about to remove the registration, this
                // removes it before the method returns.
                registration.cancel()
            }
        }
        if count > 0 { return count }
        let text = """
            \(type(of: owner)) owns no observation on this center. This call ends observations that were \
            made with `owner:` and have not ended.
            """
        let source = SourceLocation(fileID: fileID, line: line)
        throw TidingsError(.notFound, text, at: source)
    }
}
