// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The finished files that a person renames.
///
/// The registry has both names until the file and its subtitles have moved, so that a kill at any
/// moment is made good at the next opening.
struct RenamedFiles {
    let directory: LibraryDirectory
    let registry: Registry

    /// Moves all files whose renaming a kill has interrupted.
    ///
    /// A file that cannot be moved stays, and the next opening tries again.
    func finish() {
        for file in (try? registry.renamedFiles()) ?? [] { _ = try? finish(file) }
    }

    /// Moves a file to its recorded name, or to another one if a program has taken that.
    ///
    /// - Returns: The item with its final name; nil if it was removed.
    func finish(_ file: Registry.RenamedFile) throws -> MediaItem? {
        let former = directory.mediaFile(file.formerName)
        var name = file.name
        while !(try hasMoved(file.file, from: former, to: directory.mediaFile(name))) {
            let change = ItemChange.rename(
                Self.name(file.title, of: file.id, replacing: file.formerName),
                from: file.formerName,
                file: file.file,
                in: directory
            )
            guard let next = try registry.update(file.id, nil, [change])?.fileName else {
                return nil
            }
            name = next
        }
        try directory.moveAllSubtitles(
            of: file.formerName,
            beside: name,
            except: try registry.fileNames(beside: file.formerName)
        )
        return try registry.update(file.id, nil, [.renamed])
    }

    /// Returns whether a file has moved, now or before a kill; false if the name is another file's.
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

    /// Returns the name of a file with another title, which keeps its extension.
    static func name(_ title: String, of id: ItemID, replacing former: String) -> MediaFileName {
        let end = (former as NSString).pathExtension
        let isUsual = end.wholeMatch(of: /[A-Za-z0-9]{1,10}/) != nil
        return MediaFileName(title: title, of: id, extension: isUsual ? end : "bin")
    }
}
