// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineMedia
package import OfflineModel
import OfflineSources
package import OfflineStore
package import TidingsSQLite

extension ItemRepresentation {
    /// Reads an item with all details without the library's lock, or returns nil without such an
    /// item.
    ///
    /// - Throws: The errors of `Registry.readOnly(in:)`.
    package static func stored(
        _ id: ItemID,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> ItemRepresentation? {
        guard let registry = try Registry.readOnly(in: directory),
            let item = try registry.items.item(id)
        else { return nil }
        var result = ItemRepresentation(item)
        try result.addDetails(from: registry.files, in: directory)
        try result.addCourse(from: registry, try registry.preferences.settings().hours)
        return result
    }

    /// Reads the items that contain all words of a search, without the library's lock.
    ///
    /// - Throws: The errors of `Registry.readOnly(in:)`.
    package static func stored(
        matching words: SearchWords,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemRepresentation] {
        guard let registry = try Registry.readOnly(in: directory) else { return [] }
        let items =
            try words.isEmpty ? registry.items.items() : registry.items.items(matching: words)
        return try listed(items, from: registry)
    }

    /// Reads the items of a collection that contain all words of a search, in the order of the
    /// collection.
    ///
    /// The method needs no lock of the library, and returns nil without such a collection.
    ///
    /// - Throws: The errors of `Registry.readOnly(in:)`.
    package static func stored(
        of name: CollectionName,
        matching words: SearchWords,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemRepresentation]? {
        guard let registry = try Registry.readOnly(in: directory),
            let collection = try registry.collections.collection(named: name)
        else { return nil }
        let query = ItemQuery(
            words: words,
            collection: collection.id,
            order: .collection,
            count: Int(Int32.max)
        )
        return try listed(try registry.items.page(query).items, from: registry)
    }

    private static func listed(
        _ items: [MediaItem],
        from registry: Registry
    ) throws(SQLiteError) -> [ItemRepresentation] {
        let hours = try registry.preferences.settings().hours
        return try items.map { item throws(SQLiteError) in
            var result = ItemRepresentation(item)
            try result.addCourse(from: registry, hours)
            return result
        }
    }

    /// Adds two values of the process that downloads: the recorded time and the wait for the hours.
    private mutating func addCourse(
        from registry: Registry,
        _ hours: DownloadHours,
        at time: LocalTime = LocalTime()
    ) throws(SQLiteError) {
        if state == .fetching, fields.live?.isOver == false {
            members.recordedSeconds = try registry.downloads.recording(of: id).first?.seconds
        }
        guard state == .queued, !hours.include(time.now(), in: time.zone()) else { return }
        let queue = QueueState(running: [], waitingForNetwork: [], hoursBegin: hours.begin)
        self = waiting(in: queue)
    }

    /// Adds the chapters of a finished file and the subtitles beside the file.
    mutating func addDetails(
        from records: FileRecords,
        in directory: LibraryDirectory
    ) throws(SQLiteError) {
        guard state == .ready, let fileName = fields.fileName else { return }
        members.path = directory.mediaFile(fileName)
        members.chapters = try records.chapters(of: id)
        members.subtitleFiles = directory.subtitleFiles(of: fileName).enumerated().map {
            index,
            file in
            SubtitleRepresentation(file, number: index + 1)
        }
    }
}
