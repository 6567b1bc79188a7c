// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
package import TidingsSQLite

/// A damaged registry that was set aside; the library continues with a new one.
package struct DamagedRegistry: Sendable {
    /// The present path of the damaged file.
    package let path: String
    /// The fault; nil if an earlier process found it and ended before it reported it.
    package let cause: SQLiteError?

    /// The fault and its remedy, for the user.
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
