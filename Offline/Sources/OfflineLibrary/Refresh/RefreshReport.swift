// SPDX-License-Identifier: Apache-2.0
package import OfflineModel

/// The permitted changes of a refresh.
package struct RefreshOptions: Hashable, Sendable {
    /// Whether items without a file are removed from the registry.
    package var removeMissing: Bool
    /// Whether files without an item are imported.
    package var importFiles: Bool
    /// Whether more than half of the ready items may be marked as missing.
    package var isConfirmed: Bool

    /// Creates options.
    ///
    /// The default permits neither removal nor import.
    package init(removeMissing: Bool = false, importFiles: Bool = false, isConfirmed: Bool = false)
    {
        self.removeMissing = removeMissing
        self.importFiles = importFiles
        self.isConfirmed = isConfirmed
    }
}

/// The result of a refresh.
package struct RefreshReport: Hashable, Sendable, Codable {
    /// An item of the registry.
    package struct Entry: Hashable, Sendable, Codable {
        /// The identifier of the item.
        package var id: ItemID
        /// The title of the item.
        package var title: String
    }

    /// A file without an item.
    package struct File: Hashable, Sendable, Codable {
        /// The name in the media folder.
        package var name: String
        /// The number of bytes.
        package var size: Int64
    }

    /// The number of ready and missing items that were compared with the disk.
    package var checked = 0
    /// The items whose file does not exist or has another size, except removed items.
    package var missing: [Entry] = []
    /// The missing items whose file exists again.
    package var returned: [Entry] = []
    /// The files without an item that were not imported.
    package var orphans: [File] = []
    /// The items of imported files.
    package var imported: [Entry] = []
    /// The number of imported files that a server must still check in the background.
    package var unverified = 0
    /// The number of files that could not be imported or cannot be played.
    package var failures = 0
    /// The missing items that were removed from the registry.
    package var removed: [Entry] = []
    /// The errors of single items and files, for the user.
    package var problems: [String] = []
    /// Whether the refresh marked no item as missing, because more than half of the ready items
    /// would be.
    package var needsConfirmation = false

    /// Creates an empty report.
    package init() {}
}
