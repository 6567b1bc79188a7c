// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import Tidings
import TidingsFiles

extension Router {
    /// Returns the list of the library as lines of JSON.
    ///
    /// It is written to a file without a name first, because it can be large.
    @concurrent
    func exportLibrary() async throws -> ServerResponse {
        let folder = library.directory.data
        let name = "export-\(UUID().uuidString).part"
        let path = "\(folder)/\(name)"
        let file = try FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        defer { _ = try? SystemFile.remove(path) }
        _ = try LibraryExport(library.directory).run { try file.write($0) }
        guard let content = OpenFile.open(name, in: folder, id: name) else {
            throw LibraryError(.cannotOpen, "The export cannot be read. Try again.")
        }
        return ServerResponse(
            200,
            headers: [
                ("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store"),
                ("Content-Disposition", "attachment; filename=\"library.jsonl\""),
            ],
            body: .file(content, offset: 0, length: content.size)
        )
    }

    func importLibrary(_ request: ServerRequest) async throws -> ServerResponse {
        let allowsPrivate = request.parameter("allowPrivate") == "true"
        return .json(
            try await library.importItems(
                DocumentLines(request.body),
                allowsPrivate: allowsPrivate
            )
        )
    }
}
