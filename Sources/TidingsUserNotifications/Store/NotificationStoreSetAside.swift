// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// A store has found something that it cannot read, and has moved it out of the way.
///
/// Nothing is deleted. The center goes on as if nothing had been stored.
public struct NotificationStoreSetAside: Message, Hashable {
    /// Why something cannot be read.
    @nonexhaustive public enum Reason: Hashable, Sendable {
        /// It is not whole, or it is something else.
        case damaged
        /// A newer version of the program has written it, in this form.
        case unknownVersion(Int)
    }

    /// Where it is now.
    public let path: String
    /// Why it cannot be read.
    public let reason: Reason

    /// Creates a message, as a store of the program's own needs it.
    ///
    /// - Parameters:
    ///   - path: Where it is now.
    ///   - reason: Why it cannot be read.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}
