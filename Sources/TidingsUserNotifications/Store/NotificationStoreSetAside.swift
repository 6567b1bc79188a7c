// SPDX-License-Identifier: Apache-2.0

/// An error about unreadable data that the store moved to another path.
///
/// Nothing is deleted. The center continues with an empty record.
package struct NotificationStoreSetAside: Error, Hashable {
    /// The reason why the data cannot be read.
    package enum Reason: Hashable, Sendable {
        /// The data are incomplete or do not come from a store.
        case damaged
        /// A newer version of the program wrote the data, in this format version.
        case unknownVersion(Int)
    }

    /// The path to which the data were moved.
    package let path: String
    /// The reason why the data cannot be read.
    package let reason: Reason

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - path: The path to which the data were moved.
    ///   - reason: The reason why the data cannot be read.
    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension UserNotificationError {
    /// Creates the error that unreadable data were set aside.
    init(_ report: NotificationStoreSetAside) {
        let reason =
            switch report.reason {
            case .damaged: "are damaged"
            case .unknownVersion(let version): "have the format \(version) of a newer program"
            }
        self.init(
            .storeSetAside,
            "The stored notifications \(reason), so they were moved to \(report.path) and the "
                + "list is empty. Keep that file until you know its loss is harmless.",
            cause: report
        )
    }
}
