// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// How a segment is encrypted: AES-128 in CBC mode with PKCS #7 padding over the whole segment.
package struct Encryption: Hashable, Sendable {
    /// Where the 16 bytes of the key are.
    package var keyAddress: WebAddress
    /// The 16 bytes to begin with: the playlist's, or else the segment's number, big-endian.
    package var iv: [UInt8]

    /// Returns the initialisation vector of a segment whose key names none.
    package static func iv(ofSegmentNumber number: Int) -> [UInt8] {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8]($0) }
        return [UInt8](repeating: 0, count: 8) + bytes
    }
}
