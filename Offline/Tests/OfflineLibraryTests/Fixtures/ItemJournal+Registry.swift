// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
import OfflineStore
import TidingsSQLite

extension ItemJournal {
    /// The registry, for changes that bypass the journal.
    var registry: Registry {
        get throws(SQLiteError) { try commit { registry throws(SQLiteError) in (registry, nil) } }
    }
}
