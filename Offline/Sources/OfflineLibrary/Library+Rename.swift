// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import OfflineDownloads
import OfflineMedia
package import OfflineModel
import OfflineStore
import Tidings
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Changes the title of an item, and renames the finished file to match the title.
    ///
    /// The subtitles beside a film move with the film. The title in the tags of the file stays,
    /// because writing tags could damage a finished film.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - text: The title, which becomes one line without control characters.
    /// - Returns: The item with the title and the name.
    /// - Throws: `LibraryError` with `.invalidTitle` for a title that is empty or too long.
    package func rename(_ id: ItemID, to text: String) async throws(LibraryError) -> MediaItem {
        let rename = try ItemRename(self, id, to: text)
        let result = await withCheckedContinuation { continuation in
            // Only one rename runs at a time, because each rename needs several steps.
            renaming.async {
                continuation.resume(returning: Result { try rename.perform() })
            }
        }
        return try LibraryError.rethrowing { try result.get() }
    }
}

/// A change of the title of an item, which also moves the files.
private struct ItemRename: Sendable {
    let library: Library
    let id: ItemID
    let title: String

    /// Creates a change of the title.
    ///
    /// - Throws: `LibraryError` with `.invalidTitle` for a title that is empty or too long.
    init(_ library: Library, _ id: ItemID, to text: String) throws(LibraryError) {
        (self.library, self.id, title) = (library, id, try Self.title(text))
    }

    /// Records the title and moves the files, and returns the item.
    func perform() throws -> MediaItem {
        let files = RenamedFiles(library)
        _ = try files.finish(id)
        let item = try library.item(id)
        guard let former = library.path(of: item), let formerName = item.fileName,
            let number = SystemFile.number(of: former)
        else { return try keep() }
        var name = RenamedFiles.name(title, of: id, replacing: formerName)
        guard !name.includes(formerName) else { return try keep() }
        // Subtitles of another film must not seem to belong to this film.
        if !library.directory.subtitleFiles(of: formerName).isEmpty {
            name.avoid(library.directory.usedStems())
        }
        _ = try change(
            [
                .title(title), .kept,
                .rename(name, from: formerName, file: number, in: library.directory),
            ]
        )
        do {
            guard let moved = try files.finish(id) else { throw LibraryError(noItem: id) }
            try library.journal.postKept(id)
            return moved
        } catch {
            if SystemFile.number(of: former) == number {
                _ = try change([.title(item.title), .notRenamed(formerName)])
            }
            throw error
        }
    }

    /// Records the title, and marks the item as kept because the user has named the item.
    private func keep() throws -> MediaItem {
        let item = try change([.title(title), .kept])
        try library.journal.postKept(id)
        return item
    }

    private func change(_ changes: [ItemChange]) throws -> MediaItem {
        let changed = try library.space.commit { () throws(SQLiteError) in
            try library.journal.change(id, changes)
        }
        guard let changed else { throw LibraryError(noItem: id) }
        return changed
    }

    private static func title(_ text: String) throws(LibraryError) -> String {
        // `Title` cuts longer text before cleaning.
        let title = Title(line: text, longest: Title.longest + 1, fallback: "").text
        guard !title.isEmpty else {
            throw LibraryError(
                .invalidTitle,
                "The title is empty. Use at least one letter or sign."
            )
        }
        guard title.count <= Title.longest else {
            throw LibraryError(
                .invalidTitle,
                "The title is too long. Use at most \(Title.longest) characters."
            )
        }
        return title
    }
}

extension RenamedFiles {
    /// Creates the renames of a running library.
    ///
    /// The last change of a rename is posted after the move, so that observers find the file.
    init(_ library: Library) {
        let journal = library.journal
        self.init(directory: library.directory, items: journal.items) {
            try journal.change($0, $1)
        }
    }
}

extension LibraryError {
    /// Creates the error for an item that does not exist.
    init(noItem id: ItemID) {
        self.init(.notFound, "There is no item \(id). `offline list` shows all items.")
    }
}
