// SPDX-License-Identifier: Apache-2.0
import TidingsLock
package import TidingsSQLite

extension Registry {
    /// Returns the name of this library among all libraries, which the first call makes.
    ///
    /// It is random and says nothing about the library or its machine.
    package func identity() throws(SQLiteError) -> String {
        let made = String(UInt64.random(in: .min ... .max), radix: 36)
        return try connection.withLock { connection throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute(
                    "INSERT INTO preferences (name, value) VALUES ('identity', ?) "
                        + "ON CONFLICT (name) DO NOTHING",
                    .text(made)
                )
                return try connection.rows(
                    "SELECT value FROM preferences WHERE name = 'identity'"
                ) { row throws(SQLiteError) in try row.text("value") }.first ?? made
            }
        }
    }
}
