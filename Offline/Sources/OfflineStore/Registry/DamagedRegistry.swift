// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles
package import TidingsSQLite

/// A damaged registry that was set aside and replaced by a new one.
package struct DamagedRegistry: Sendable {
    /// The present path of the damaged file.
    package let path: String
    /// The fault, or nil if an earlier process found the fault and ended before the report.
    package let cause: SQLiteError?

    /// Creates the description of a damaged registry.
    package init(path: String, cause: SQLiteError?) {
        self.path = path
        self.cause = cause
    }

    /// The fault and the remedy, for the user.
    package var message: String {
        let isLost = (SystemFile.size(of: path) ?? 0) == 0
        let (fault, rest) =
            isLost
            ? ("missing or empty", "The files beside it are kept as \(path)")
            : ("damaged", "It is kept as \(path)")
        return "The list of this library was \(fault), and a new one was started. No media was "
            + "deleted: Refresh and then Import, or `offline refresh --import`, lists the finished "
            + "files again, without their former titles and addresses. \(rest)."
    }

    /// The error for a report.
    package var error: LibraryError { LibraryError(.damaged, message, cause: cause) }
}
