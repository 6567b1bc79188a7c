// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import Tidings
import TidingsFiles
import TidingsHTTP

extension Router {
    func followEvents() async -> ServerResponse {
        .events(of: await hub.connect { try? await notifications.preference() })
    }

    /// Returns a picture that an inspection has named, because the page loads nothing from other
    /// servers.
    func inspectedPicture(_ request: ServerRequest) async throws -> ServerResponse {
        let picture = try await library.picture(
            at: try WebAddress(request.parameter("address") ?? ""),
            of: try request.parameter("page").map { try WebAddress($0) },
            allowingPrivate: request.parameter("allowPrivate") == "true"
        )
        return .bytes(picture.bytes, type: picture.mediaType)
    }

    /// Returns subtitles of a film as WebVTT.
    func subtitles(_ item: String, _ number: String) async throws -> ServerResponse {
        guard let number = Int(number) else { throw APIError.nothingHere }
        let content = try await library.subtitles(number, of: try ItemID(pathValue: item))
        return .bytes([UInt8](content), type: "text/vtt; charset=utf-8", cache: "private, no-cache")
    }

    /// Returns the list of the library as lines of JSON.
    ///
    /// The export goes to a file without a name first, because the list can be large.
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
}
