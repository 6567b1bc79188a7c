// SPDX-License-Identifier: Apache-2.0

/// What a refresh may do besides looking.
package struct RefreshOptions: Hashable, Sendable {
    /// Whether entries without a file leave the registry.
    package var removeMissing: Bool
    /// Whether files without an entry get one.
    package var importFiles: Bool
    /// Whether the person agreed that more than half of the library is flagged as missing.
    package var isConfirmed: Bool

    package init(removeMissing: Bool = false, importFiles: Bool = false, isConfirmed: Bool = false)
    {
        self.removeMissing = removeMissing
        self.importFiles = importFiles
        self.isConfirmed = isConfirmed
    }
}

/// What a refresh found and did.
package struct RefreshReport: Hashable, Sendable, Codable {
    /// An entry of the registry.
    package struct Entry: Hashable, Sendable, Codable {
        package var id: ItemID
        package var title: String
    }

    /// A file without an entry.
    package struct File: Hashable, Sendable, Codable {
        package var name: String
        package var size: Int64
    }

    /// How many entries were compared with the disk.
    package var checked = 0
    /// Entries whose file is gone; they left Library and Downloads.
    package var missing: [Entry] = []
    /// Missing entries whose file is back.
    package var returned: [Entry] = []
    /// Files without an entry that are left as they are.
    package var orphans: [File] = []
    package var imported: [Entry] = []
    package var removed: [Entry] = []
    /// What could not be looked at or done, for a person.
    package var problems: [String] = []
    /// Whether nothing was flagged because it would have been more than half of the library.
    package var needsConfirmation = false

    package init() {}
}
