// SPDX-License-Identifier: Apache-2.0

/// The content of an imported text, checked.
struct ImportedLibrary: Sendable {
    var catalog: CatalogAddress?
    /// The values of settings that a text may carry.
    var settings: [SettingKey: String] = [:]
    /// The number of settings that this version does not know or does not take from a text.
    var skippedSettings = 0
    var items: [ImportedItem] = []
    var feeds: [ImportedFeed] = []
    var collections = ImportedCollections()

    /// Takes the line of a setting.
    ///
    /// - Throws: `ImportFault` for a value that the setting cannot have.
    mutating func add(_ line: LibraryDocument.Setting) throws {
        guard let key = SettingKey(rawValue: line.setting),
            LibraryDocument.settings.contains(key)
        else {
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
    /// The number of items that the text has.
    package var items = 0
    /// The number of items that the library had already.
    package var known = 0
    /// The number of new items whose files are in the library's folder.
    package var ready = 0
    /// The number of new items whose files are not there.
    package var missing = 0
    /// The number of new items whose downloads were not complete.
    package var unfinished = 0
    /// The number of feeds that the text has.
    package var feeds = 0
    /// The number of feeds that the library followed already.
    package var knownFeeds = 0
    /// The number of collections that the text has.
    package var collections = 0
    /// The number of collections of which the library had one of the same name.
    package var knownCollections = 0
    /// The number of settings that the library has taken from the text.
    package var settings = 0
    /// The number of settings that this version does not know or does not take from a text.
    package var skippedSettings = 0
    /// The number of items and feeds whose headers, cookies or proxies the text does not contain.
    package var withoutOptions = 0
    /// The number of items and feeds that were permitted private addresses, without a permission
    /// for the import.
    package var withoutPermission = 0
}
