// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore

/// The checked content of an imported document.
struct ImportedLibrary: Sendable {
    var catalog: CatalogAddress?
    /// The values of settings that a document may carry.
    var settings: [SettingKey: String] = [:]
    /// The number of settings that this version does not have.
    var skippedSettings = 0
    var items: [ImportedItem] = []
    var feeds: [ImportedFeed] = []
    var collections = ImportedCollections()

    /// Adds the line of a setting.
    ///
    /// - Throws: `ImportFault` for a value that the setting cannot have.
    mutating func add(_ line: LibraryDocument.Setting) throws {
        guard let key = SettingKey(rawValue: line.setting) else {
            skippedSettings += 1
            return
        }
        var checked = DownloadSettings()
        do {
            try checked.set(key, to: line.value)
        } catch {
            throw ImportFault(error.message)
        }
        settings[key] = checked.text(of: key)
    }
}

/// The result of an import.
package struct ImportReport: Hashable, Sendable, Codable {
    /// The number of items in the document.
    package var items = 0
    /// The number of items that the library already had.
    package var known = 0
    /// The number of new items whose files are in the library's folder.
    package var ready = 0
    /// The number of new items whose files are missing.
    package var missing = 0
    /// The number of new items whose downloads were not complete.
    package var unfinished = 0
    /// The number of feeds in the document.
    package var feeds = 0
    /// The number of feeds that the library already followed.
    package var knownFeeds = 0
    /// The number of collections in the document.
    package var collections = 0
    /// The number of collections whose name the library already had.
    package var knownCollections = 0
    /// The number of settings that the library has taken from the document.
    package var settings = 0
    /// The number of settings that this version does not have.
    package var skippedSettings = 0
    /// The number of items and feeds whose headers, cookies or proxies the document does not
    /// contain.
    package var withoutOptions = 0
    /// The number of items and feeds that lost the permission for private addresses, because the
    /// import did not permit such addresses.
    package var withoutPermission = 0
}
