// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel

/// The size and the checksum of a file of subtitles.
package struct SubtitleChecksum: Hashable, Sendable, Codable {
    /// The size in bytes.
    package let size: Int64
    /// The SHA-256 in hexadecimal digits.
    package let sha256: String
}

extension SubtitleChecksum {
    /// Reads a file, or returns nil if the path does not lead to a regular file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - check: A closure that is called after each piece, and ends the reading with an error.
    /// - Throws: The errors of `FileDigest.digests`.
    package init?(ofFileAt path: String, _ check: () throws -> Void = {}) throws {
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
