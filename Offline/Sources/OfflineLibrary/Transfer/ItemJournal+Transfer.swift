// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

extension ItemJournal {
    /// Inserts the content of an import that is not in the registry.
    ///
    /// - Returns: The numbers of the import, and the new feeds.
    func insert(
        _ library: ImportedLibrary,
        at date: Date
    ) throws(SQLiteError) -> (report: ImportReport, feeds: [FeedID]) {
        try commit { registry throws(SQLiteError) in
            let result = try ImportWriter(registry: registry).insert(library, at: date)
            return (
                (result.report, result.feeds),
                {
                    if !result.inserted.isEmpty { self.publish(imported: result.inserted) }
                    for (old, new) in result.changed { self.publish(old, changedTo: new) }
                    if result.report.feeds > 0 || result.isAnyKept {
                        self.messages.post(FeedsChanged())
                    }
                    if result.report.collections > 0 { self.messages.post(CollectionsChanged()) }
                }
            )
        }
    }
}
