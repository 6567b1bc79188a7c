// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsSQLite

/// The library's only truth: every item, its segments and the preferences, in one SQLite file.
///
/// Every method is one committed transaction or one read; when it returns, the change survives a
/// kill and a power cut. Safe from any thread; a call may block for as long as the disk needs to
/// commit.
package final class Registry: Sendable {
    let connection: Lock<SQLiteConnection>

    /// Opens the registry, makes it when there is none, and brings an older one up to date.
    ///
    /// - Throws: `SQLiteError`; `.newerSchema` when a newer version of the program wrote the file.
    package init(path: String, mode: SQLiteConnection.Mode = .readWriteCreate) throws(SQLiteError) {
        let connection = try SQLiteConnection(path: path, mode: mode)
        if mode == .readWriteCreate { try Self.migrate(connection) }
        self.connection = Lock(connection)
    }
}
