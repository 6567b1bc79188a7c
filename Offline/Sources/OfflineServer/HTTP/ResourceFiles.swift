// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// The files of one resource folder and its subfolders, read once at startup.
///
/// A request finds a file by the exact name, and never opens a path.
struct ResourceFiles: Sendable {
    /// One file with the media type and the validator.
    struct File: Sendable, Equatable {
        let bytes: [UInt8]
        let type: String
        let entityTag: String

        init(bytes: [UInt8], type: String) {
            self.bytes = bytes
            self.type = type
            entityTag = "\"\(Self.hash(of: bytes))-\(bytes.count)\""
        }

        /// Returns the FNV-1a hash, which only has to distinguish the files of two builds.
        static func hash(of bytes: [UInt8]) -> String {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            return String(hash, radix: 16)
        }
    }

    private let files: [String: File]

    /// The sorted names of all files, each with the path inside the folder.
    var names: [String] { files.keys.sorted() }

    /// Reads the files of known types in the folder and in the subfolders.
    ///
    /// - Throws: `ServerError` with `.resourcesMissing`.
    init(folder: String) throws(ServerError) {
        var files: [String: File] = [:]
        do {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                guard let type = Self.type(of: name) else { continue }
                let data = try Data(contentsOf: URL(filePath: folder).appending(path: name))
                files[name] = File(bytes: [UInt8](data), type: type)
            }
        } catch {
            throw ServerError(
                .resourcesMissing,
                "The files in \(folder) are not readable. Install the program again.",
                cause: error
            )
        }
        self.files = files
    }

    /// Returns a file by the exact name, such as `player/controls.js`.
    subscript(name: String) -> File? { files[name] }

    private static func type(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "json": "application/manifest+json"
        case "m3u8": "application/vnd.apple.mpegurl"
        case "ts": "video/mp2t"
        default: nil
        }
    }
}

extension ResourceFiles.File {
    /// Returns the file, or 304 if the client's copy is current.
    func response(to request: ServerRequest) -> ServerResponse {
        let headers = [
            ("Content-Type", type), ("Cache-Control", "private, no-cache"), ("ETag", entityTag),
        ]
        let known = request.header("if-none-match")
        guard known != entityTag else { return ServerResponse(304, headers: headers) }
        return ServerResponse(200, headers: headers, body: .bytes(bytes))
    }
}
