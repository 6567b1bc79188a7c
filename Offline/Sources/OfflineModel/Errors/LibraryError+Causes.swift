// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsFiles
package import TidingsSQLite

extension LibraryError {
    /// Creates the error of an operation on a library from an error of a lower layer.
    package init(_ error: any Error) {
        switch error {
        case let error as LibraryError: self = error
        case let error as SQLiteError where error.code == .full: self.init(fullDisk: error)
        case let error as SystemError where error.isFullDisk: self.init(fullDisk: error)
        case let error as SQLiteError: self.init(.database, error.message, cause: error)
        case let error as SystemError:
            self.init(
                .cannotOpen,
                "A file of the library cannot be changed (\(error.descriptionWithPath)). Check the "
                    + "permissions of the library's folder.",
                cause: error
            )
        default: self.init(.database, "\(error)", cause: error)
        }
    }

    /// Returns the result of a step on a lower layer.
    ///
    /// - Throws: The error of the step, as the error of an operation on a library.
    @discardableResult
    package static func rethrowing<Value>(
        _ step: () throws -> Value
    ) throws(LibraryError) -> Value {
        do {
            return try step()
        } catch {
            throw LibraryError(error)
        }
    }

    private init(fullDisk error: any Error) {
        self.init(
            .diskFull,
            "The disk is full. Nothing was changed. Free some space, then try again.",
            cause: error
        )
    }

    /// Creates the error of a failure to open the registry.
    package init(opening error: SQLiteError) {
        switch error.code {
        case .newerSchema: self.init(.newerVersion, error.message, cause: error)
        case .migration: self.init(.migrationFailed, error.message, cause: error)
        case .corrupt:
            self.init(
                .damaged,
                "The list of this library is damaged; nothing was changed. `offline refresh "
                    + "--import` sets it aside and lists the finished files again. "
                    + error.message,
                cause: error
            )
        case .busy, .full, .constraint, .olderSchema, .inputOutput, .readOnly, .misuse, .other:
            self.init(.cannotOpen, error.message, cause: error)
        }
    }
}
