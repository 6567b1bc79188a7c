// SPDX-License-Identifier: Apache-2.0
public import Tidings

/// The store found data that it cannot read, and moved them to another path.
///
/// Nothing is deleted. The center continues with an empty record.
public struct NotificationStoreSetAside: Message, Hashable {
    /// The reason why the data cannot be read.
    @nonexhaustive public enum Reason: Hashable, Sendable {
        /// The data are incomplete, or not those of a store.
        case damaged
        /// A newer version of the program wrote the data, in this format version.
        case unknownVersion(Int)
    }

    /// The path to which the data were moved.
    public let path: String
    /// The reason why the data cannot be read.
    public let reason: Reason

    /// Creates a message, for a store outside this module.
    ///
    /// - Parameters:
    ///   - path: The path to which the data were moved.
    ///   - reason: The reason why the data cannot be read.
    public init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}
