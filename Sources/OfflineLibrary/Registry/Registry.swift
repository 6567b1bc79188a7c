// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
package import TidingsSQLite

/// The library's only truth: every item, its segments and the preferences, in one SQLite file.
///
/// Every method is one committed transaction or one read; when it returns, the change survives a
/// kill and a power cut. Safe from any thread; a call may block for as long as the disk needs to
/// commit.
package final class Registry: Sendable {
    let connection: Lock<SQLiteConnection>
    /// False in a reader that came before the registry's maker had made its tables.
    let hasTables: Bool

    /// Opens the registry, makes it when there is none, and brings an older one up to date.
    ///
    /// - Throws: `SQLiteError`; `.newerSchema` when a newer version of the program wrote the file.
    package init(path: String, mode: SQLiteConnection.Mode = .readWriteCreate) throws(SQLiteError) {
        if mode == .readWriteCreate { Self.makePrivate(path) }
        let connection = try SQLiteConnection(path: path, mode: mode)
        hasTables = try Self.checkVersion(connection) > 0 || mode == .readWriteCreate
        if mode == .readWriteCreate { try Self.migrate(connection) }
        self.connection = Lock(connection)
    }

    /// Addresses and the server's token are in it, so it is for its owner alone; SQLite gives its
    /// other files the same mode.
    private static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        // What cannot be opened is told by SQLite, in its own words.
        guard descriptor >= 0 else { return }
        fchmod(descriptor, 0o600)
        close(descriptor)
    }
}
