// SPDX-License-Identifier: Apache-2.0
package import TidingsSQLite

extension ItemRepresentation {
    /// Reads an item with its details without the library's lock; nil if there is none.
    ///
    /// - Throws: As `Registry.items(in:)`.
    package static func stored(
        _ id: ItemID,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> ItemRepresentation? {
        guard let registry = try Registry.readOnly(in: directory),
            let item = try registry.item(id)
        else { return nil }
        var result = ItemRepresentation(item)
        try result.addDetails(from: registry, in: directory)
        return result
    }

    /// Adds the chapters of a finished file and the subtitles beside it.
    mutating func addDetails(
        from registry: Registry,
        in directory: LibraryDirectory
    ) throws(SQLiteError) {
        guard state == .ready, let fileName else { return }
        chapters = try registry.chapters(of: id)
        subtitleFiles = directory.subtitleFiles(of: fileName).enumerated().map { index, file in
            SubtitleRepresentation(file, number: index + 1)
        }
    }
}
