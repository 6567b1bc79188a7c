// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding of all characters except the unreserved ones (RFC 3986), so that the result is
/// safe in an address, a header and an attribute.
package enum PercentEncoding {
    /// Returns the string with every UTF-8 byte except letters, digits and `-._~` encoded as `%XX`.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result.append("%")
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
