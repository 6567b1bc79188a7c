// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles

/// The finished files that the user renames.
///
/// The registry has both names until the file and the subtitles have moved, so that the next
/// opening completes a move after a kill at any moment.
package struct RenamedFiles {
    /// The folder of the library.
    let directory: LibraryDirectory
    /// The items of the library.
    let items: ItemReader
    /// Commits changes of an item, and returns the changed item, or nil if the item was removed.
    let change: (ItemID, [ItemChange]) throws -> MediaItem?

    /// Creates the work for a library.
    package init(
        directory: LibraryDirectory,
        items: ItemReader,
        change: @escaping (ItemID, [ItemChange]) throws -> MediaItem?
    ) {
        self.directory = directory
        self.items = items
        self.change = change
    }

    /// Moves all files whose renames a kill has interrupted.
    ///
    /// A file that cannot be moved stays, and the next opening tries again.
    package func finish() {
        for file in (try? items.renamedFiles()) ?? [] { _ = try? finish(file) }
    }

    /// Moves the file of an item, as `finish` for a file does.
    ///
    /// - Returns: The item with the final name, or nil if the registry has no rename of the item.
    package func finish(_ id: ItemID) throws -> MediaItem? {
        try items.renamedFiles().first { $0.id == id }.flatMap(finish)
    }

    /// Moves a file to the recorded name, or to another name if a program has taken that name.
    ///
    /// - Returns: The item with the final name, or nil if the item was removed.
    private func finish(_ file: RenamedFile) throws -> MediaItem? {
        let former = directory.mediaFile(file.formerName)
        var name = file.name
        while !(try hasMoved(file.file, from: former, to: directory.mediaFile(name))) {
            let rename = ItemChange.rename(
                Self.name(file.title, of: file.id, replacing: file.formerName),
                from: file.formerName,
                file: file.file,
                in: directory
            )
            guard let next = try change(file.id, [rename])?.fileName else {
                return nil
            }
            name = next
        }
        try directory.moveAllSubtitles(
            of: file.formerName,
            beside: name,
            except: try items.fileNames(beside: file.formerName)
        )
        return try change(file.id, [.renamed])
    }

    /// Returns whether a file has moved, now or before a kill, which is false if another file has
    /// the name.
    private func hasMoved(
        _ file: Int?,
        from former: String,
        to target: String
    ) throws(SystemError) -> Bool {
        if SystemFile.areSame(former, target) {
            try SystemFile.remove(former)
            return true
        }
        // After the move, another file may have the former name.
        guard let found = SystemFile.number(of: former), found == file else { return true }
        return try SystemFile.move(former, to: target)
    }

    /// Returns the name of a file with another title and the same extension.
    package static func name(
        _ title: String,
        of id: ItemID,
        replacing former: String
    ) -> MediaFileName {
        let end = (former as NSString).pathExtension
        let isUsual = end.wholeMatch(of: /[A-Za-z0-9]{1,10}/) != nil
        return MediaFileName(title: title, of: id, extension: isUsual ? end : "bin")
    }
}
