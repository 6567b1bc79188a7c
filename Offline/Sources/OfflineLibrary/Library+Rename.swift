// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Tidings
import TidingsFiles
import TidingsSQLite

extension Library {
    /// Gives an item another title, and its finished file the name of that title.
    ///
    /// The subtitles beside a film move with it. The title in the tags of the file stays, because
    /// writing it could damage a finished film.
    ///
    /// - Parameters:
    ///   - id: The item.
    ///   - text: The title; it becomes one line without control characters.
    /// - Returns: The item with the title and the name.
    /// - Throws: `LibraryError` with `.invalidTitle` for an empty or a too long title.
    package func rename(
        _ id: ItemID,
        to text: String
    ) async throws(LibraryError) -> MediaItem {
        let title = try Self.title(text)
        let result = await withCheckedContinuation { continuation in
            // One after the other, because each needs several steps.
            renaming.async {
                continuation.resume(
                    returning: Result { () throws(LibraryError) in
                        do {
                            return try self.renameNow(id, title)
                        } catch {
                            throw LibraryError(error)
                        }
                    }
                )
            }
        }
        return try result.get()
    }

    private func renameNow(_ id: ItemID, _ title: String) throws -> MediaItem {
        let files = RenamedFiles(directory: directory, registry: journal.registry)
        for file in try journal.registry.renamedFiles() where file.id == id {
            _ = try files.finish(file)
        }
        let item = try item(id)
        guard let former = path(of: item), let formerName = item.fileName,
            let number = SystemFile.number(of: former)
        else { return try keep(id, title) }
        var name = RenamedFiles.name(title, of: id, replacing: formerName)
        guard !name.includes(formerName) else { return try keep(id, title) }
        // Subtitles of another film must not seem to belong to this one.
        if !directory.subtitleFiles(of: formerName).isEmpty {
            name.avoid(directory.usedStems())
        }
        let renamed = try change(
            id,
            [.title(title), .kept, .rename(name, from: formerName, file: number, in: directory)]
        )
        do {
            let file = Registry.RenamedFile(
                id: id,
                title: title,
                formerName: formerName,
                name: renamed.fileName ?? formerName,
                file: number
            )
            guard try files.finish(file) != nil else { throw LibraryError(noItem: id) }
        } catch {
            if SystemFile.number(of: former) == number {
                _ = try change(id, [.title(item.title), .notRenamed(formerName)])
            }
            throw error
        }
        // Posted after the move, so that observers find the file.
        return try keep(id, title)
    }

    /// Records the title: a person who names an item keeps it on purpose.
    private func keep(_ id: ItemID, _ title: String) throws -> MediaItem {
        let item = try change(id, [.title(title), .kept])
        if try !journal.registry.feeds(withItem: id).isEmpty { journal.post(FeedsChanged()) }
        return item
    }

    private func change(_ id: ItemID, _ changes: [ItemChange]) throws -> MediaItem {
        let changed = try space.commit { () throws(SQLiteError) in
            try journal.change(id, changes)
        }
        guard let changed else { throw LibraryError(noItem: id) }
        return changed
    }

    private static func title(_ text: String) throws(LibraryError) -> String {
        // Longer text is cut before it is cleaned.
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

extension LibraryError {
    /// Creates the error for an item that does not exist.
    init(noItem id: ItemID) {
        self.init(.notFound, "There is no item \(id). `offline list` shows all items.")
    }
}
