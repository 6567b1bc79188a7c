// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineTestFixtures
import Testing

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineStore

/// A library in a temporary folder, whose items have files without a download.
struct FilledLibrary {
    let folder: TemporaryFolder
    let library: Library

    init() throws {
        folder = try TemporaryFolder()
        let directory = LibraryDirectory(path: folder.path + "/library")
        library = try Library(LibraryConfiguration(directory: directory))
    }

    /// Returns the path of a finished file.
    func path(_ name: String) -> String { library.directory.mediaFile(name) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
    }

    /// Adds an item, with this string as the file of a ready item.
    @discardableResult
    func add(
        _ name: String,
        _ text: String = "content",
        state: ItemState = .ready,
        options: RequestOptions.Texts = .init()
    ) throws -> MediaItem {
        var request = DownloadRequest(try ItemOrigin(text: "https://media.example/\(name)"))
        try request.setOptions(RequestOptions(options))
        return try add(name, request, text, state: state)
    }

    /// Adds the item of a request, with this string as the file of a ready item.
    func add(
        _ name: String,
        _ request: DownloadRequest,
        _ text: String = "content",
        state: ItemState = .ready
    ) throws -> MediaItem {
        let item = try library.journal.insert(request, state: state, title: name, at: Date())
        guard state == .ready else { return item }
        try write(text, to: name)
        return try #require(
            try library.journal.change(
                item.id,
                .set(\.kind, ItemKind(rawValue: "file")),
                .file(name: name, size: Int64(text.utf8.count))
            )
        )
    }
}
