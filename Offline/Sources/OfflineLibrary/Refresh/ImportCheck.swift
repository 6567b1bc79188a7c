// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import TidingsSQLite

/// The check of an imported file.
///
/// After the check, the item is ready or failed.
///
/// The file belongs to the user. The check reads the file and never changes or removes it.
struct ImportCheck: Sendable {
    /// The result of a check.
    enum Result: Hashable, Sendable {
        case ready
        /// The content cannot be played. The value is the reason, for the user.
        case failed(String)
        /// The item is still to be checked. The value is the reason, or nil if no reason is of
        /// interest.
        case due(String?)
    }

    let journal: ItemJournal
    let directory: LibraryDirectory
    var probe = MediaProbe()

    /// Checks the file of an item, and commits the result.
    ///
    /// - Throws: `SQLiteError` if the result cannot be committed. The item is then still to be
    ///   checked.
    func run(_ item: MediaItem) async throws(SQLiteError) -> Result {
        guard let name = item.fileName, let stamp = FileStamp(of: directory.mediaFile(name)) else {
            // A refresh marks the item as missing, and asks for confirmation before marking many
            // items.
            return .due("\(item.fileName ?? item.title) is missing.")
        }
        let path = directory.mediaFile(name)
        do {
            let (kind, isMedia) = try ImportedFile.content(of: path, name)
            let properties = isMedia ? try await probe.probe(path) : nil
            // Another program may still be writing the file.
            guard FileStamp(of: path) == stamp else { return .due("\(name) is being changed.") }
            return try finish(
                item,
                name: name,
                size: stamp.size,
                kind: kind,
                properties: properties
            )
        } catch let error as SQLiteError {
            throw error
        } catch {
            guard FileStamp(of: path) == stamp else { return .due("\(name) is being changed.") }
            return try fail(item, name: name, size: stamp.size, error)
        }
    }

    /// Commits that a file with these properties is ready.
    func finish(
        _ item: MediaItem,
        name: String,
        size: Int64,
        kind: ContentKind,
        properties: MediaProperties?
    ) throws(SQLiteError) -> Result {
        if let chapters = properties?.chapters, !chapters.isEmpty {
            try journal.files.setChapters(chapters, of: item.id)
        }
        // An item that was removed, or that another task has checked, stays unchanged.
        try journal.move(
            item.id,
            .finish,
            with: .file(name: name, size: size),
            .set(\.mediaType, kind.mediaType),
            .set(\.duration, properties?.duration),
            .set(\.width, properties?.video?.width),
            .set(\.height, properties?.video?.height),
            .set(\.readyAt, Date())
        )
        return .ready
    }

    private func fail(
        _ item: MediaItem,
        name: String,
        size: Int64,
        _ error: any Error
    ) throws(SQLiteError) -> Result {
        let reason: String
        // A child process that the cancellation has ended may seem to have crashed.
        if Task.isCancelled { return .due(nil) }
        switch error {
        case let error as MediaError where error.code == .cancelled: return .due(nil)
        case let error as MediaError where error.code.isIndependentOfMedia:
            return .due(error.message)
        case let error as MediaError:
            reason = error.message(
                remedy: "Copy the file again, then run: offline retry \(item.id)"
            )
        default: reason = DownloadError(error).message
        }
        let failure = ItemFailure(
            code: DownloadError(error).code.description,
            message: "\(name) cannot be played: \(reason)"
        )
        try journal.move(
            item.id,
            .fail,
            with: .file(name: name, size: size),
            .set(\.error, failure)
        )
        return .failed(failure.message)
    }
}
