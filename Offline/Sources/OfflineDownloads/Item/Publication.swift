// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsHTTP

/// A complete file in an item's work folder.
struct CompleteFile: Sendable {
    /// The path of the file.
    let path: String
    /// The properties of media, or nil until the file is probed.
    var properties: MediaProperties?
    /// Whether the file holds text that the program has written and that no demuxer needs to check.
    var isText = false
}

/// The last steps of a download: checks, syncs, renames and records the finished file.
struct Publication: Sendable {
    let environment: DownloadEnvironment
    let item: MediaItem

    private var id: ItemID { item.id }

    private var cover: String? {
        let path = directory.cover(of: id)
        return SystemFile.size(of: path) == nil ? nil : path
    }
    private var directory: LibraryDirectory { environment.directory }

    /// Moves a complete file from the work folder into the library.
    ///
    /// - Returns: The ready item, or nil if the item was removed in the meantime.
    func run(_ file: CompleteFile) async throws(DownloadError) -> MediaItem? {
        var path = file.path
        do {
            let journal = environment.journal
            try journal.advance(id, .check)
            try await ChecksumCheck(environment: environment, id: id).run(on: path)
            var kind = try Self.kind(of: path, contentType: item.mediaType)
            var properties = file.properties
            if properties == nil, !file.isText {
                properties = try await check(path, kind)
                // The tags of a joined film have the title of the item.
                if let title = properties?.title {
                    try journal.change(id, .title(title, from: .tags))
                }
                if let part = try await part(of: path, kind, properties) {
                    (path, properties) = (part.file.path, part.file.properties)
                    let note = ItemNote([part.note], after: item.note)
                    try journal.change(id, .set(\.note, note.text))
                }
            }
            if kind == .mp4, let properties, properties.video == nil { kind = .m4a }
            let complete = path
            try await performBlocking { () throws(SystemError) in try SystemFile.sync(complete) }
            let hasPicture = await ItemPicture(path: directory.picture(of: id))
                .make(of: path, properties, cover: cover)
            // A cancellation prevents the picture. The next start creates the picture.
            try Task.checkCancellation()
            guard let size = SystemFile.size(of: path) else {
                throw DownloadError(
                    .disk,
                    "The file disappeared before the download was finished. Try again."
                )
            }
            let changes: [ItemChange] = [
                .set(\.mediaType, kind.mediaType),
                .set(\.duration, properties?.duration),
                .set(\.width, properties?.video?.width),
                .set(\.height, properties?.video?.height),
                .picture(hasPicture),
            ]
            let notes = try recordChapters(properties)
            return try finish(try await place(path, kind, size: size, changes: changes + notes))
        } catch {
            throw DownloadError(error)
        }
    }

    /// Records the chapters of the file, or keeps the chapters that the source states.
    ///
    /// - Returns: A change that adds a note if the file lacks the stated chapters.
    private func recordChapters(_ properties: MediaProperties?) throws -> [ItemChange] {
        let journal = environment.journal
        let stated = try journal.files.chapters(of: id)
        let own = properties?.chapters ?? []
        guard own.isEmpty, !stated.isEmpty else {
            if own != stated { try journal.files.setChapters(own, of: id) }
            return []
        }
        let note = "The chapters are in the library only, not in the file."
        let earlier = try journal.items.item(id)?.note
        return [.set(\.note, ItemNote([note], after: earlier).text)]
    }

    /// Moves the file into the media folder and returns its name there.
    private func place(
        _ path: String,
        _ kind: ContentKind,
        size: Int64,
        changes: [ItemChange]
    ) async throws -> String {
        while true {
            guard let current = try environment.journal.items.item(id) else {
                throw CancellationError()
            }
            var free = MediaFileName(title: current.title, of: id, extension: kind.fileExtension)
            // Subtitles of another film must not seem to belong to this film.
            if !SystemFile.names(in: directory.subtitles(of: id)).isEmpty {
                free.avoid(directory.usedStems())
            }
            // The name is recorded before the move, so that `recover` finds the file after a kill
            // in between.
            let all = changes + [.newFile(free, in: directory, size: size)]
            guard let name = try environment.journal.change(id, all)?.fileName else {
                throw DownloadError(.disk, "The file could not be named. Report the address.")
            }
            environment.reachCheckpoint(.beforeFinalRename)
            let isMoved = try await performCancellable { cancellation in
                try SystemFile.move(path, to: directory.mediaFile(name)) { !cancellation.isSet }
            }
            guard isMoved else { continue }
            environment.reachCheckpoint(.afterFinalRename)
            return name
        }
    }

    /// Records an item as ready if its file got the final name before the last process ended.
    ///
    /// - Returns: The ready item, or nil if the file does not exist.
    func recover() throws(DownloadError) -> MediaItem? {
        guard let name = item.fileName, let size = item.size,
            SystemFile.size(of: directory.mediaFile(name)) == size
        else { return nil }
        do {
            return try finish(name)
        } catch {
            throw DownloadError(error)
        }
    }

    private func finish(_ name: String) throws -> MediaItem? {
        let journal = environment.journal
        for subtitles in try directory.publishSubtitles(of: id, beside: name) {
            guard let stamp = FileStamp(of: directory.mediaFile(subtitles)) else { continue }
            try journal.files.addSubtitleFile(subtitles, stamp, of: id)
            try record(subtitles, beside: name)
        }
        try journal.files.setText(
            directory.text(of: name, try Self.kind(of: directory.mediaFile(name))),
            of: id
        )
        let ready = try environment.journal.move(
            id,
            .finish,
            with: .set(\.error, nil),
            .modified(FileStamp(of: directory.mediaFile(name))?.modified),
            .set(\.readyAt, Date())
        )
        // A kill before these lines leaves only data that no code reads.
        try journal.downloads.setParts([], of: id)
        try journal.downloads.setRecording([], of: id)
        SystemFile.removeFolder(directory.work(of: id))
        return ready
    }

    /// Records the checksum of subtitles.
    ///
    /// If the checksum cannot be computed now, a verification records the checksum later.
    private func record(_ subtitles: String, beside film: String) throws {
        let suffix = String(subtitles.dropFirst(SubtitleFile.stem(of: film).count))
        let checksum = try? SubtitleChecksum(ofFileAt: directory.mediaFile(subtitles))
        guard let checksum else { return }
        try environment.journal.files.setSubtitleChecksum(checksum, suffix, of: id)
    }

    private static func kind(of path: String, contentType: String? = nil) throws -> ContentKind {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw DownloadError(.disk, "The downloaded file cannot be read. Try again.")
        }
        let prefix = try handle.read(upToCount: 4_096) ?? Data()
        return ContentSniffer.kind(of: Array(prefix), contentType: contentType)
    }

    /// Probes media, which a demuxer must be able to read.
    ///
    /// The result is nil for other files.
    private func check(_ path: String, _ kind: ContentKind) async throws -> MediaProperties? {
        let type = item.mediaType ?? ""
        if kind.isMedia || type.hasPrefix("video/") || type.hasPrefix("audio/") {
            return try await MediaProbe().probe(path)
        }
        guard names.contains(where: { Self.promisesMedia($0, kind) }) else { return nil }
        do {
            return try await MediaProbe().probe(path)
        } catch {
            guard error.code == .notMedia else { throw error }
            throw DownloadError(
                .notMedia,
                "The address names a film, a recording or a stream, but the server sent "
                    + "\(kind == .text ? "a text" : "something else"). Open the address in a browser: "
                    + "it may have moved, or require a log-in.",
                cause: error
            )
        }
    }

    /// The last path components of the item's address and of the address that the item's page
    /// names.
    private var names: [String] {
        var addresses = [RecordedReference(environment: environment, id: id).address]
        if case .address(let address) = item.origin { addresses.append(address) }
        return addresses.compactMap { $0?.lastPathComponent }
    }

    /// Whether the name in an address belongs to media or to a description of media.
    private static func promisesMedia(_ name: String, _ kind: ContentKind) -> Bool {
        if ContentKind.isDescription(fileName: name) { return true }
        // A program in TypeScript has the extension of a transport stream.
        return ContentKind(mediaFileName: name).map { $0 != .mpegTS || kind != .text } ?? false
    }
}
