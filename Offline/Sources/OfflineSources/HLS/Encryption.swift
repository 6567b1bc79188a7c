// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// The encryption of a segment: AES-128 in CBC mode with PKCS #7 padding over the whole segment.
package struct Encryption: Hashable, Sendable {
    /// The address of the key, a file of 16 bytes.
    package var keyAddress: WebAddress
    /// The initialization vector of 16 bytes, from the playlist or else from the segment's number
    /// in big-endian byte order.
    package var iv: [UInt8]

    /// Returns the initialization vector of a segment whose key states none.
    package static func iv(ofSegmentNumber number: Int) -> [UInt8] {
        let bytes = withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8]($0) }
        return [UInt8](repeating: 0, count: 8) + bytes
    }
}
