// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import Tidings

extension Router {
    /// Returns the item's file, perhaps with another sound, or the requested range of the file.
    func media(_ text: String, _ request: ServerRequest) async throws -> ServerResponse {
        let item = try library.item(try ItemID(pathValue: text))
        guard let path = library.path(of: item) else {
            throw LibraryError(
                .notFound,
                "Item \(item.id) has no file yet. Wait for its download or its check, or retry it if "
                    + "it failed."
            )
        }
        let sound = try request.parameter("sound").map { try soundNumber($0, of: item.id) } ?? 1
        let shown = sound == 1 ? path : try await library.sound(sound, of: item.id)
        let location = URL(filePath: shown)
        guard
            let file = OpenFile.open(
                location.lastPathComponent,
                in: location.deletingLastPathComponent().path,
                id: sound == 1 ? item.id.description : "\(item.id)-\(sound)"
            )
        else {
            throw LibraryError(.notFound, "The file of item \(item.id) is missing. Run a refresh.")
        }
        let type = Self.safeType(item.mediaType)
        var headers = [
            ("Content-Type", type), ("Content-Security-Policy", Self.fileSecurityPolicy),
        ]
        if type == Self.opaqueType || request.parameter("download") != nil {
            let name = ContentDisposition.attachment(
                title: item.title,
                extension: URL(filePath: path).pathExtension
            )
            headers.append(("Content-Disposition", name))
        }
        return response(with: file, headers: headers, to: request)
    }

    /// Parses the number of a sound of an item.
    private func soundNumber(_ text: String, of id: ItemID) throws(LibraryError) -> Int {
        guard let number = Int(text), number > 0 else {
            throw LibraryError(
                .notFound,
                "“\(text.prefix(20))” is not the number of a sound of item \(id). Its tracks with "
                    + "sound count from 1."
            )
        }
        return number
    }

    func picture(_ text: String, _ request: ServerRequest) throws -> ServerResponse {
        let id = try ItemID(pathValue: text)
        let location = URL(filePath: library.directory.picture(of: id))
        guard
            let file = OpenFile.open(
                location.lastPathComponent,
                in: location.deletingLastPathComponent().path,
                id: id.description
            )
        else {
            throw LibraryError(.notFound, "Item \(id) has no picture.")
        }
        let headers = [
            ("Content-Type", "image/jpeg"), ("Content-Security-Policy", Self.fileSecurityPolicy),
        ]
        return response(with: file, headers: headers, to: request)
    }

    private func response(
        with file: OpenFile,
        headers: [(String, String)],
        to request: ServerRequest
    ) -> ServerResponse {
        var headers = headers
        headers.append(("ETag", file.entityTag))
        headers.append(("Accept-Ranges", "bytes"))
        headers.append(("Cache-Control", "private, no-cache"))
        if request.header("if-none-match") == file.entityTag {
            return ServerResponse(304, headers: headers)
        }
        // A range of another version of the file would corrupt the client's copy.
        let condition = request.headers(named: "if-range")
        let isSame = condition.allSatisfy { $0 == file.entityTag }
        let range = isSame ? request.header("range") : nil
        switch ByteRangeHeader.parse(range, size: file.size) {
        case .whole:
            return ServerResponse(
                200,
                headers: headers,
                body: .file(file, offset: 0, length: file.size)
            )
        case .part(let offset, let length):
            let last = offset + length - 1
            headers.append(("Content-Range", "bytes \(offset)-\(last)/\(file.size)"))
            return ServerResponse(
                206,
                headers: headers,
                body: .file(file, offset: offset, length: length)
            )
        case .unsatisfiable:
            headers.append(("Content-Range", "bytes */\(file.size)"))
            return ServerResponse(416, headers: headers)
        }
    }

    /// Prevents a downloaded file that a browser opens from running scripts or loading other files.
    private static let fileSecurityPolicy = "default-src 'none'; media-src 'self'; sandbox"
    private static let opaqueType = "application/octet-stream"

    private static let shownTypes: Set<String> = [
        "video/mp4", "video/webm", "video/quicktime", "video/x-matroska", "video/mp2t", "video/ogg",
        "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/flac", "audio/wav",
        "audio/webm", "image/jpeg", "image/png", "image/gif", "image/webp",
    ]

    /// Returns a type in which browsers run no scripts.
    ///
    /// For any other type, a browser can only save the file.
    private static func safeType(_ type: String?) -> String {
        guard let type, shownTypes.contains(type) else { return opaqueType }
        return type
    }
}
