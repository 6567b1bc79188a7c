// SPDX-License-Identifier: Apache-2.0

/// The size and the checksum of a file of subtitles.
struct SubtitleChecksum: Hashable, Sendable, Codable {
    /// In bytes.
    let size: Int64
    /// The SHA-256 in hexadecimal digits.
    let sha256: String
}

extension SubtitleChecksum {
    /// Reads a file; nil if there is no regular file of that name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - check: Called after each piece; ends the reading by an error.
    /// - Throws: As `FileDigest.digests`.
    init?(ofFileAt path: String, _ check: () throws -> Void = {}) throws {
        guard FileStamp(of: path) != nil else { return nil }
        var size: Int64 = 0
        let digests = try FileDigest.digests(ofFileAt: path, [.sha256]) { count in
            size += Int64(count)
            try check()
        }
        guard let sha256 = digests[.sha256] else { return nil }
        self.init(size: size, sha256: sha256)
    }
}
