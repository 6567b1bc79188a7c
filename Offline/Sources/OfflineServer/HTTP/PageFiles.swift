// SPDX-License-Identifier: Apache-2.0

/// The page's files, at addresses that contain the version.
///
/// A browser keeps such a file forever and does not ask for the file again. On a slow line, asking
/// takes longer than everything else. Another build has another version, and so other addresses.
struct PageFiles: Sendable {
    /// The frame of the page, with the addresses of this version.
    let frame: ResourceFiles.File
    /// The version of all files together.
    let version: String

    private let files: ResourceFiles

    /// Reads the files in the folder.
    ///
    /// - Throws: `ServerError` with `.resourcesMissing`.
    init(folder: String) throws(ServerError) {
        let files = try ResourceFiles(folder: folder)
        guard let source = files["index.html"] else {
            throw ServerError(
                .resourcesMissing,
                "The file index.html is missing in \(folder). Install the program again."
            )
        }
        let tags = files.names.map { "\($0) \(files[$0]?.entityTag ?? "")" }.joined()
        let version = ResourceFiles.File.hash(of: Array(tags.utf8))
        let text = String(decoding: source.bytes, as: UTF8.self)
            .replacing("\"/page/", with: "\"/page/\(version)/")
        self.files = files
        self.version = version
        frame = ResourceFiles.File(bytes: Array(text.utf8), type: source.type)
    }

    /// Returns a file at an address without a version, for which a browser asks each time.
    func response(_ name: String, to request: ServerRequest) -> ServerResponse? {
        name == "index.html" ? nil : files[name]?.response(to: request)
    }

    /// Returns a file of this version, or nil for another version.
    func response(_ version: Substring, _ name: String) -> ServerResponse? {
        guard version == self.version, name != "index.html", let file = files[name] else {
            return nil
        }
        let headers = [
            ("Content-Type", file.type), ("Cache-Control", "private, max-age=31536000, immutable"),
            ("ETag", file.entityTag),
        ]
        return ServerResponse(200, headers: headers, body: .bytes(file.bytes))
    }
}
