// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import OfflineLibrary

extension FilledLibrary {
    /// Returns the content of an export.
    func export() throws -> String {
        var text = Data()
        _ = try LibraryExport(library.directory).run { text.append($0) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Imports the content of an export.
    func load(_ text: String, allowsPrivate: Bool = false) async throws -> ImportReport {
        try await library.importItems(
            DocumentLines([UInt8](text.utf8)),
            allowsPrivate: allowsPrivate
        )
    }
}
