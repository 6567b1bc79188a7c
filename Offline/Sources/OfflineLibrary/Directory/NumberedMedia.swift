// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The files of an earlier version, which had the numbers of their items as names.
///
/// Each gets the title of its item as its name in the media folder. A kill at any moment is made
/// good at the next opening: the registry has both names until the file has moved.
struct NumberedMedia {
    private let directory: LibraryDirectory
    private let registry: Registry

    init(_ directory: LibraryDirectory, _ registry: Registry) {
        self.directory = directory
        self.registry = registry
    }

    private var folder: String { directory.numberedMedia }

    /// Moves all files, and returns the number of those that belong to items.
    ///
    /// A file that cannot be moved stays, and the next opening tries again.
    func move() -> Int {
        guard let files = try? registry.numberedFiles() else { return 0 }
        let names = files.isEmpty ? [] : SystemFile.names(in: folder)
        let moved = files.filter { (try? move($0, names)) == true }.count
        if folder != directory.media { moveOthers() }
        return moved
    }

    private func move(_ file: Registry.NumberedFile, _ names: [String]) throws -> Bool {
        let path = "\(folder)/\(file.name)"
        guard LibraryDirectory.isMediaName(file.name), let size = SystemFile.size(of: path) else {
            // Moved before a kill, or missing.
            if LibraryDirectory.isMediaName(file.name), file.newName != file.name,
                SystemFile.size(of: self.path(of: file.newName)) != nil
            {
                let newName = file.newName
                try directory.moveSubtitles(of: file.name, in: folder, names, beside: newName)
            }
            try registry.endMove(of: file)
            return false
        }
        // A kill may leave both the old and the new name.
        let isMoved =
            file.newName != file.name && SystemFile.size(of: self.path(of: file.newName)) == size
        let name = isMoved ? file.newName : try place(path, of: file)
        if isMoved { try SystemFile.remove(path) }
        try directory.moveSubtitles(of: file.name, in: folder, names, beside: name)
        try registry.endMove(of: file)
        return true
    }

    private func path(of name: String) -> String { directory.mediaFile(name) }

    private func place(_ path: String, of file: Registry.NumberedFile) throws -> String {
        let parts = file.name.split(separator: ".")
        let fileExtension = parts.count > 1 ? String(parts[parts.count - 1]) : "bin"
        let free = MediaFileName(title: file.title, of: file.id, extension: fileExtension)
        while true {
            let change = ItemChange.newFile(free, in: directory, size: file.size ?? 0)
            guard let name = try registry.update(file.id, nil, [change])?.fileName else {
                throw CocoaError(.fileWriteInvalidFileName)
            }
            if try SystemFile.move(path, to: self.path(of: name)) { return name }
        }
    }

    /// Moves the files of no item, which an import may list, and removes the empty folder.
    private func moveOthers() {
        for name in SystemFile.names(in: folder) where LibraryDirectory.isMediaName(name) {
            _ = try? SystemFile.move("\(folder)/\(name)", to: path(of: name))
        }
        _ = SystemFile.removeEmptyFolder(folder)
    }
}
