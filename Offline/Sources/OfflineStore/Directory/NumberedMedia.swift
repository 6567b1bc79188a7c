// SPDX-License-Identifier: Apache-2.0
import Foundation
package import OfflineModel
import TidingsFiles
import TidingsSQLite

/// The files of an earlier version, which were named after the numbers of their items.
///
/// Each file receives a name from the item's title in the media folder. The registry has both names
/// until the file has moved, so that the next opening completes a move after a kill at any moment.
package struct NumberedMedia {
    private let directory: LibraryDirectory
    private let registry: Registry

    /// Creates the work for a library.
    package init(_ directory: LibraryDirectory, _ registry: Registry) {
        self.directory = directory
        self.registry = registry
    }

    private var folder: String { directory.numberedMedia }

    /// Moves all files, and returns the number of items with a moved file.
    ///
    /// A file that cannot be moved stays, and the next opening tries again.
    package func move() -> Int {
        guard let files = try? registry.items.numberedFiles(), let names = try? claim(files) else {
            return 0
        }
        let subtitles = files.isEmpty ? [] : SystemFile.names(in: folder).filter(Self.isText)
        var ended: [ItemID] = []
        var moved = 0
        for file in files {
            guard let isMoved = try? move(file, to: names[file.id], subtitles) else { continue }
            ended.append(file.id)
            if isMoved { moved += 1 }
        }
        // The moves end in one commit, because a library may have many files.
        try? registry.endMoves(of: ended)
        if folder != directory.media { moveOthers() }
        return moved
    }

    private static func isText(_ name: String) -> Bool { name.hasSuffix(".vtt") }

    /// Records the new names of the files that have not moved, and returns these names.
    private func claim(_ files: [NumberedFile]) throws -> [ItemID: String] {
        let waiting = files.filter { size(of: $0) != nil && !hasMoved($0) }
        let wanted = waiting.map { ($0.id, Self.name(of: $0)) }
        return try registry.claimNames(of: wanted, in: directory)
    }

    /// Returns the size of a file with a numbered name, or nil without one.
    private func size(of file: NumberedFile) -> Int64? {
        guard LibraryDirectory.isMediaName(file.name) else { return nil }
        return SystemFile.size(of: "\(folder)/\(file.name)")
    }

    /// Returns whether a file with the new name exists, which a kill may leave beside the old file.
    private func hasMoved(_ file: NumberedFile) -> Bool {
        guard file.newName != file.name else { return false }
        let found = SystemFile.size(of: directory.mediaFile(file.newName))
        return found != nil && (found == size(of: file) || size(of: file) == nil)
    }

    private static func name(of file: NumberedFile) -> MediaFileName {
        let parts = file.name.split(separator: ".")
        let fileExtension = parts.count > 1 ? String(parts[parts.count - 1]) : "bin"
        return MediaFileName(title: file.title, of: file.id, extension: fileExtension)
    }

    /// Moves a file, and returns false if the file is missing or has moved before a kill.
    private func move(
        _ file: NumberedFile,
        to claimed: String?,
        _ subtitles: [String]
    ) throws -> Bool {
        guard LibraryDirectory.isMediaName(file.name) else { return false }
        let path = "\(folder)/\(file.name)"
        let name = claimed ?? file.newName
        let hasFile = SystemFile.exists(path)
        if claimed != nil {
            // Another program may have taken the name in the meantime. The next opening then tries
            // again.
            guard try SystemFile.move(path, to: directory.mediaFile(name)) else {
                throw CocoaError(.fileWriteFileExists)
            }
        } else if hasMoved(file) {
            try SystemFile.remove(path)
        } else {
            return false
        }
        try directory.moveSubtitles(of: file.name, in: folder, subtitles, beside: name)
        return hasFile
    }

    /// Moves the files that belong to no item, which an import may list, and removes the empty
    /// folder.
    private func moveOthers() {
        for name in SystemFile.names(in: folder) where LibraryDirectory.isMediaName(name) {
            _ = try? SystemFile.move("\(folder)/\(name)", to: directory.mediaFile(name))
        }
        _ = SystemFile.removeEmptyFolder(folder)
    }
}
