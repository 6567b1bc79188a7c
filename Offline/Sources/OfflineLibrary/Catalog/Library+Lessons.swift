// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
import OfflineStore
import Tidings
import TidingsSQLite

extension Library {
    /// Returns the current items of a lesson's parts.
    package func downloads(of lesson: Lesson) throws(LibraryError) -> LessonDownloads {
        var downloads = LessonDownloads(lesson: lesson, parts: [:])
        try LibraryError.rethrowing {
            for part in LessonPart.allCases {
                guard let address = lesson[part] else { continue }
                let item = try journal.items.bestItem(of: .address(address))
                downloads.parts[part] = LessonDownloads.Part(address: address, item: item)
            }
        }
        return downloads
    }

    /// Downloads a lesson's audio or video together with the text, or only the text.
    ///
    /// Each part becomes an item in the download queue. Parts that are ready, queued or in progress
    /// stay as they are. Failed and missing parts are retried.
    ///
    /// - Parameters:
    ///   - id: The lesson's identifier in the catalog.
    ///   - group: The main part of the group.
    /// - Returns: The items of the lesson's parts after the call.
    /// - Throws: `CatalogError` if the lesson or the part does not exist, and `LibraryError`.
    package func download(lesson id: String, _ group: LessonPart) async throws -> LessonDownloads {
        let lesson = try catalog.lesson(id)
        let parts = lesson.parts(of: group)
        guard !parts.isEmpty else { throw CatalogError(missing: group, of: lesson) }
        let allowsPrivate = catalog.address?.allowsPrivateAddresses ?? false
        for part in parts {
            guard let address = lesson[part] else { continue }
            let origin = ItemOrigin.address(address)
            if let item = try journal.bestItem(of: origin) {
                guard item.state == .failed || item.state == .missing else { continue }
                if allowsPrivate { try journal.allowPrivateAddresses(item) }
                _ = try await retry(item.id)
            } else {
                var request = DownloadRequest(origin, allowsPrivateAddresses: allowsPrivate)
                request.title = lesson.title(of: part)
                _ = try await enqueue(request)
            }
        }
        return try downloads(of: lesson)
    }
}

extension ItemJournal {
    fileprivate func bestItem(of origin: ItemOrigin) throws(LibraryError) -> MediaItem? {
        try LibraryError.rethrowing { try items.bestItem(of: origin) }
    }

    fileprivate func allowPrivateAddresses(_ item: MediaItem) throws(LibraryError) {
        guard !item.allowsPrivateAddresses else { return }
        try LibraryError.rethrowing { try change(item.id, .allowsPrivateAddresses(true)) }
    }
}

extension Lesson {
    /// Returns the title of a part's item, which differs between the text and the other parts.
    fileprivate func title(of part: LessonPart) -> String {
        part == .text && (audio != nil || video != nil) ? "\(title) (text)" : title
    }
}

extension CatalogError {
    /// Creates the error for a part that a lesson does not have.
    fileprivate init(missing group: LessonPart, of lesson: Lesson) {
        let others = LessonPart.allCases.filter { lesson[$0] != nil }.map(\.rawValue)
        let remedy =
            others.isEmpty
            ? "It has nothing to download; contact the publisher of the catalog."
            : "Choose its \(others.joined(separator: " or ")) instead."
        self.init(
            .noSuchPart,
            "The lesson “\(lesson.title)” has no \(group.rawValue). \(remedy)"
        )
    }
}
