// SPDX-License-Identifier: Apache-2.0

/// The checksum that a user expects of a file.
package struct Checksum: Hashable, Sendable {
    /// The algorithm of a checksum.
    package enum Algorithm: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha512

        /// The number of bytes of a checksum.
        var byteCount: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// The algorithm.
    package let algorithm: Algorithm
    /// The checksum in lowercase hexadecimal digits.
    package let digits: String

    /// Parses a text such as `sha256:…`, with hexadecimal digits.
    ///
    /// - Throws: `LibraryError` with `.invalidOption`.
    package init(_ text: String) throws(LibraryError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].lowercased().filter { $0 != "-" }
        guard parts.count == 2, let algorithm = Algorithm(rawValue: name) else {
            throw LibraryError(
                .invalidOption,
                "The checksum has no known algorithm. Use sha256:…, sha512:…, sha1:… or md5:…"
            )
        }
        guard parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit }),
            parts[1].utf8.count == 2 * algorithm.byteCount
        else {
            throw LibraryError(
                .invalidOption,
                "A checksum of \(algorithm.rawValue) has \(2 * algorithm.byteCount) hexadecimal "
                    + "digits. Copy all of them."
            )
        }
        self.algorithm = algorithm
        digits = parts[1].lowercased()
    }

    /// The checksum as a text that this type parses again.
    package var text: String { "\(algorithm.rawValue):\(digits)" }
}
