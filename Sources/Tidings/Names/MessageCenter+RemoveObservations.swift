// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Ends every observation that an object owns on this center, of whatever kind.
    ///
    /// This covers the observations with `owner:` of types, names and all messages, about a subject
    /// or not. Owners are compared by identity: another object is never affected, not even an
    /// object at the address of a deallocated owner. Once this call has returned, no call of these
    /// observations starts any more. An object that is registered under a protocol stays registered
    /// until `unregister`. Calling this method is optional, because observations end with their
    /// owner.
    ///
    /// The method checks every observation of the center. A finished center has nothing to remove,
    /// and still completes the earlier posts.
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
    /// - Returns: The number of ended observations, at least 1.
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
                // This call empties any mailbox. If another thread is about to remove the
                // registration, this call removes the registration before the method returns.
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
