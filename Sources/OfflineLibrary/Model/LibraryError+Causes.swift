// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

extension LibraryError {
    /// What an error of a part below means for what the library was asked to do.
    init(_ error: any Error) {
        switch error {
        case let error as LibraryError: self = error
        case let error as SQLiteError: self.init(.database, error.message, cause: error)
        case let error as DiskError:
            self.init(
                .cannotOpen,
                "A file of the library cannot be changed (\(error)). Check its folder.",
                cause: error
            )
        default: self.init(.database, "\(error)", cause: error)
        }
    }

    /// What an error means that came up while the library was opened.
    init(opening error: SQLiteError) {
        self.init(
            error.code == .newerSchema ? .newerVersion : .cannotOpen,
            error.message,
            cause: error
        )
    }
}
