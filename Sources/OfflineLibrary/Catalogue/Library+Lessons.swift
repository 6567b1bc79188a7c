// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsSQLite

extension Library {
    /// What the registry knows of a lesson's parts, now.
    package func downloads(of lesson: Lesson) throws(LibraryError) -> LessonDownloads {
        var downloads = LessonDownloads(lesson: lesson, parts: [:])
        do {
            for part in LessonPart.allCases {
                guard let address = lesson[part] else { continue }
                let item = try journal.registry.bestItem(of: .address(address))
                downloads.parts[part] = LessonDownloads.Part(address: address, item: item)
            }
        } catch {
            throw LibraryError(error)
        }
        return downloads
    }

    /// Asks the library to keep a lesson's audio or video with its text, or its text alone.
    ///
    /// Each part becomes an item as every download does, through the one queue; what the library
    /// has or fetches already is left alone, and what failed is tried again.
    ///
    /// - Parameters:
    ///   - id: The lesson's identifier in the catalogue.
    ///   - group: What the group is for.
    /// - Returns: What the registry knows of the lesson then.
    /// - Throws: `CatalogueError` for a lesson or a part that there is not; `LibraryError`.
    package func download(
        lesson id: String,
        _ group: LessonPart
    ) async throws -> LessonDownloads {
        let lesson = try catalogue.lesson(id)
        let parts = lesson.parts(of: group)
        guard !parts.isEmpty else { throw CatalogueError(missing: group, of: lesson) }
        let isOpen = catalogue.address?.allowsPrivateAddresses ?? false
        for part in parts {
            guard let address = lesson[part] else { continue }
            let source = MediaSource.address(address)
            if let item = try bestItem(of: source) {
                guard item.state == .failed || item.state == .missing else { continue }
                if isOpen { try allowPrivateAddresses(item) }
                _ = try await retry(item.id)
            } else {
                var request = DownloadRequest(source, allowsPrivateAddresses: isOpen)
                request.title = lesson.title(of: part)
                _ = try await enqueue(request)
            }
        }
        return try downloads(of: lesson)
    }

    private func bestItem(of source: MediaSource) throws(LibraryError) -> MediaItem? {
        do {
            return try journal.registry.bestItem(of: source)
        } catch {
            throw LibraryError(error)
        }
    }

    private func allowPrivateAddresses(_ item: MediaItem) throws(LibraryError) {
        guard !item.allowsPrivateAddresses else { return }
        do {
            try journal.change(item.id, .allowsPrivateAddresses(true))
        } catch {
            throw LibraryError(error)
        }
    }
}

extension Lesson {
    /// A part's name in the library, where it stands among the other parts.
    fileprivate func title(of part: LessonPart) -> String {
        part == .text && (audio != nil || video != nil) ? "\(title) (text)" : title
    }
}

extension CatalogueError {
    /// A group that a lesson does not have.
    fileprivate init(missing group: LessonPart, of lesson: Lesson) {
        let others = LessonPart.allCases.filter { lesson[$0] != nil }.map(\.rawValue)
        let remedy =
            others.isEmpty
            ? "It has nothing to download; tell whoever offers the catalogue."
            : "Ask for its \(others.joined(separator: " or "))."
        self.init(
            .noSuchPart,
            "The lesson “\(lesson.title)” has no \(group.rawValue). \(remedy)"
        )
    }
}
