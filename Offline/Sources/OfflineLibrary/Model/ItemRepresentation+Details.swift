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
        try result.addCourse(from: registry, try registry.settings().hours)
        return result
    }

    /// Reads the items that contain all words of a search, without the library's lock.
    ///
    /// - Throws: As `Registry.items(in:)`.
    package static func stored(
        matching words: SearchWords,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemRepresentation] {
        guard let registry = try Registry.readOnly(in: directory) else { return [] }
        let items = try words.isEmpty ? registry.items() : registry.items(matching: words)
        return try listed(items, from: registry)
    }

    /// Reads the items of a collection in its order that contain all words of a search, without the
    /// library's lock; nil if there is no such collection.
    ///
    /// - Throws: As `Registry.items(in:)`.
    package static func stored(
        of name: CollectionName,
        matching words: SearchWords,
        in directory: LibraryDirectory
    ) throws(SQLiteError) -> [ItemRepresentation]? {
        guard let registry = try Registry.readOnly(in: directory),
            let collection = try registry.collection(named: name)
        else { return nil }
        let query = ItemQuery(
            words: words,
            collection: collection.id,
            order: .collection,
            count: Int(Int32.max)
        )
        return try listed(try registry.page(query).items, from: registry)
    }

    private static func listed(
        _ items: [MediaItem],
        from registry: Registry
    ) throws(SQLiteError) -> [ItemRepresentation] {
        let hours = try registry.settings().hours
        return try items.map { item throws(SQLiteError) in
            var result = ItemRepresentation(item)
            try result.addCourse(from: registry, hours)
            return result
        }
    }

    /// Adds the recorded time and the wait for the hours, which another process works with.
    private mutating func addCourse(
        from registry: Registry,
        _ hours: DownloadHours,
        at time: LocalTime = LocalTime()
    ) throws(SQLiteError) {
        if state == .fetching, live?.isOver == false {
            recordedSeconds = try registry.recording(of: id).first?.seconds
        }
        guard state == .queued, !hours.include(time.now(), in: time.zone()) else { return }
        let queue = QueueState(running: [], waitingForNetwork: [], hoursBegin: hours.begin)
        self = waiting(in: queue)
    }

    /// Adds the chapters of a finished file and the subtitles beside it.
    mutating func addDetails(
        from registry: Registry,
        in directory: LibraryDirectory
    ) throws(SQLiteError) {
        guard state == .ready, let fileName else { return }
        path = directory.mediaFile(fileName)
        chapters = try registry.chapters(of: id)
        subtitleFiles = directory.subtitleFiles(of: fileName).enumerated().map { index, file in
            SubtitleRepresentation(file, number: index + 1)
        }
    }
}
