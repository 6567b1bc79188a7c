// SPDX-License-Identifier: Apache-2.0
import TidingsLock

extension MessageCenter {
    /// Ends every observation that an object owns on this center, whatever it observes.
    ///
    /// Those with `owner:` of types, names and all messages, about a subject or not. By identity:
    /// another object is never meant, not even one that stands where a dead one stood. After it
    /// has returned no call of theirs begins any more. An object that is registered under a
    /// protocol stays so until `unregister`. Nothing needs this call: observations end with their
    /// owner.
    ///
    /// It looks at every observation of the center; of one that has finished there is nothing to
    /// remove, and what was posted before the end is still completed.
    ///
    /// ```swift
    /// try center.removeObservations(of: self)
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The object.
    ///   - fileID: The calling file, for the error.
    ///   - line: The calling line.
    /// - Returns: How many observations it ended, at least 1.
    /// - Throws: `notFound` if the object owns none here.
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
                // Empties its mailbox. One that somebody else is about to take out is out when this
                // call returns.
                registration.cancel()
            }
        }
        if count > 0 { return count }
        let text = """
            \(type(of: owner)) owns no observation on this center. Only those are meant that were made \
            with `owner:` and have not ended.
            """
        let source = SourceLocation(fileID: fileID, line: line)
        throw TidingsError(.notFound, text, at: source)
    }
}
