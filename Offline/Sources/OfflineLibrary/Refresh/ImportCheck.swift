// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsSQLite

/// The check of an imported file, after which its item is ready or failed.
///
/// The file belongs to the person: the check reads it and never changes or removes it.
struct ImportCheck: Sendable {
    /// The result of a check.
    enum Result: Hashable, Sendable {
        case ready
        /// The content cannot be played; the text is the reason, for the user.
        case failed(String)
        /// The item is still to be checked; the text is the reason, nil without one of interest.
        case due(String?)
    }

    let journal: ItemJournal
    let directory: LibraryDirectory
    var probe = MediaProbe()

    /// Checks the file of an item, and commits the result.
    ///
    /// - Throws: `SQLiteError` if the result cannot be committed; the item is still to be checked.
    func run(_ item: MediaItem) async throws(SQLiteError) -> Result {
        guard let name = item.fileName, let stamp = FileStamp(of: directory.mediaFile(name)) else {
            // A refresh marks it as missing, and asks before it marks many.
            return .due("\(item.fileName ?? item.title) is missing.")
        }
        let path = directory.mediaFile(name)
        do {
            let (kind, isMedia) = try ImportedFile.content(of: path, name)
            let properties = isMedia ? try await probe.probe(path) : nil
            // Another program may still be writing the file.
            guard FileStamp(of: path) == stamp else { return .due("\(name) is being changed.") }
            return try finish(item, name, stamp.size, kind, properties)
        } catch let error as SQLiteError {
            throw error
        } catch {
            guard FileStamp(of: path) == stamp else { return .due("\(name) is being changed.") }
            return try fail(item, name, stamp.size, error)
        }
    }

    /// Commits that a file is ready, which has these properties.
    func finish(
        _ item: MediaItem,
        _ name: String,
        _ size: Int64,
        _ kind: ContentKind,
        _ properties: MediaProperties?
    ) throws(SQLiteError) -> Result {
        if let chapters = properties?.chapters, !chapters.isEmpty {
            try journal.registry.setChapters(chapters, of: item.id)
        }
        // An item that was removed, or checked by another task, is left as it is.
        try journal.move(
            item.id,
            .finish,
            .file(name: name, size: size),
            .mediaType(kind.mediaType),
            .properties(
                duration: properties?.duration,
                width: properties?.video?.width,
                height: properties?.video?.height
            ),
            .readyAt(Date())
        )
        return .ready
    }

    private func fail(
        _ item: MediaItem,
        _ name: String,
        _ size: Int64,
        _ error: any Error
    ) throws(SQLiteError) -> Result {
        let reason: String
        // A child that was ended because of it may seem to have crashed.
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
            .file(name: name, size: size),
            .failure(failure)
        )
        return .failed(failure.message)
    }
}
