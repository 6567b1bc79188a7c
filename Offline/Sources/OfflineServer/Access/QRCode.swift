// SPDX-License-Identifier: Apache-2.0
import COfflineQR

/// A string as a QR code.
package struct QRCode: Hashable, Sendable {
    /// The rows of dark (`1`) and light (`0`) modules.
    ///
    /// The light border of four modules that a reader needs around the code is not included.
    package let rows: [String]

    /// Creates the code of a string.
    ///
    /// Returns nil if the string is too long.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else {
            return nil
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let modules = code.pointee.data else { return nil }
        let bytes = UnsafeBufferPointer(start: modules, count: width * width)
        rows = (0..<width).map { row in
            String(bytes[row * width..<(row + 1) * width].map { $0 & 1 == 1 ? "1" : "0" })
        }
    }
}
