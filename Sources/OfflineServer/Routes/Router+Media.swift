import Foundation
import OfflineLibrary
// SPDX-License-Identifier: Apache-2.0
import Tidings

extension Router {
    /// The item's file, or the part of it that was asked for.
    func media(_ text: Substring, _ request: ServerRequest) throws -> ServerResponse {
        let item = try library.item(try identifier(text))
        guard let path = library.path(of: item) else {
            throw LibraryError(.notFound, "Item \(item.id) has no file yet; see its state.")
        }
        let place = URL(filePath: path)
        guard
            let file = OpenFile.open(
                place.lastPathComponent,
                in: place.deletingLastPathComponent().path,
                id: item.id.description
            )
        else {
            throw LibraryError(.notFound, "The file of item \(item.id) is gone; run a refresh.")
        }
        let type = Self.safeType(item.mediaType)
        var headers = [
            ("Content-Type", type), ("Content-Security-Policy", Self.fileSecurityPolicy),
        ]
        if type == Self.opaqueType || request.parameter("download") != nil {
            let name = ContentDisposition.attachment(
                title: item.title,
                extension: place.pathExtension
            )
            headers.append(("Content-Disposition", name))
        }
        return answer(with: file, headers: headers, to: request)
    }

    func picture(_ text: Substring, _ request: ServerRequest) throws -> ServerResponse {
        let id = try identifier(text)
        let place = URL(filePath: library.directory.picture(of: id))
        guard
            let file = OpenFile.open(
                place.lastPathComponent,
                in: place.deletingLastPathComponent().path,
                id: id.description
            )
        else {
            throw LibraryError(.notFound, "Item \(id) has no picture.")
        }
        let headers = [
            ("Content-Type", "image/jpeg"), ("Content-Security-Policy", Self.fileSecurityPolicy),
        ]
        return answer(with: file, headers: headers, to: request)
    }

    private func answer(
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
        // A range of another version of the file would be spliced into what the client has.
        let condition = request.headers(named: "if-range")
        let isSame = condition.allSatisfy { $0 == file.entityTag }
        let asked = isSame ? request.header("range") : nil
        switch ByteRangeHeader.parse(asked, size: file.size) {
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

    /// A downloaded file that a browser opens runs nothing and loads nothing.
    private static let fileSecurityPolicy = "default-src 'none'; media-src 'self'; sandbox"
    private static let opaqueType = "application/octet-stream"

    private static let shownTypes: Set<String> = [
        "video/mp4", "video/webm", "video/quicktime", "video/x-matroska", "video/mp2t", "video/ogg",
        "audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg", "audio/flac", "audio/wav",
        "audio/webm", "image/jpeg", "image/png", "image/gif", "image/webp",
    ]

    /// A type from a fixed list, on which no browser runs a script; anything else is only saved.
    private static func safeType(_ type: String?) -> String {
        guard let type, shownTypes.contains(type) else { return opaqueType }
        return type
    }
}
