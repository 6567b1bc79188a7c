import Foundation
// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The files of one resource folder, read once at start: a request never names a path.
struct ResourceFiles: Sendable {
    /// One file with what is fixed about its answer.
    struct File: Sendable, Equatable {
        let bytes: [UInt8]
        let type: String
        let entityTag: String
    }

    private let files: [String: File]

    /// The names of all files.
    var names: [String] { files.keys.sorted() }

    /// Reads every file of a known type that lies directly in the folder.
    init(folder: String) throws(ServerError) {
        var files: [String: File] = [:]
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                guard let type = Self.type(of: name) else { continue }
                let data = try Data(contentsOf: URL(filePath: folder).appending(path: name))
                let bytes = [UInt8](data)
                files[name] = File(bytes: bytes, type: type, entityTag: Self.entityTag(of: bytes))
            }
        } catch {
            throw ServerError(
                .resourcesMissing,
                "The files in \(folder) cannot be read; install the program again.",
                cause: error
            )
        }
        self.files = files
    }

    /// Returns a file by its exact name.
    subscript(name: String) -> File? { files[name] }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "m3u8": "application/vnd.apple.mpegurl"
        case "ts": "video/mp2t"
        default: nil
        }
    }

    /// FNV-1a, which tells two builds' files apart; nobody else chooses these bytes.
    private static func entityTag(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))-\(bytes.count)\""
    }
}

extension ResourceFiles.File {
    /// Returns the file, or 304 when the client has it.
    func answer(to request: ServerRequest) -> ServerResponse {
        let headers = [
            ("Content-Type", type), ("Cache-Control", "private, no-cache"), ("ETag", entityTag),
        ]
        let known = request.header("if-none-match")
        guard known != entityTag else { return ServerResponse(304, headers: headers) }
        return ServerResponse(200, headers: headers, body: .bytes(bytes))
    }
}
