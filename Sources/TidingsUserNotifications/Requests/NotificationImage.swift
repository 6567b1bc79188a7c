// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A picture in memory, with eight bits each for red, green, blue and an optional alpha.
package struct NotificationImage: Hashable, Sendable, Codable {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// The number of bytes from the start of one row to the start of the next.
    package let rowBytes: Int
    /// Whether each pixel has a fourth byte for the opacity, not premultiplied.
    package let hasAlpha: Bool
    /// The bytes, the top row first.
    ///
    /// The last row may lack the padding.
    package let pixels: [UInt8]

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, up to 65,536.
    ///   - height: The height in pixels, up to 65,536.
    ///   - rowBytes: The number of bytes from the start of one row to the start of the next, or nil
    ///     for rows without padding.
    ///   - hasAlpha: Whether each pixel has a fourth byte for the opacity.
    ///   - pixels: The bytes, the top row first.
    /// - Throws: ``UserNotificationError`` with `.invalidContent` if the size is out of range or
    ///   needs more bytes.
    package init(
        width: Int,
        height: Int,
        rowBytes: Int? = nil,
        hasAlpha: Bool = false,
        pixels: [UInt8]
    ) throws(UserNotificationError) {
        let wanted = Self.byteCount(width, height, rowBytes: rowBytes, hasAlpha: hasAlpha)
        guard let wanted, pixels.count >= wanted.total else {
            throw UserNotificationError(
                .invalidContent,
                "\(pixels.count) bytes are no picture of \(width) × \(height) pixels. "
                    + "Use up to 65,536 pixels per side and all bytes of each row."
            )
        }
        self.width = width
        self.height = height
        self.rowBytes = wanted.row
        self.hasAlpha = hasAlpha
        self.pixels = pixels
    }

    /// Decodes a picture, and throws if the picture has too few bytes.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            width: try values.decode(Int.self, forKey: .width),
            height: try values.decode(Int.self, forKey: .height),
            rowBytes: try values.decode(Int.self, forKey: .rowBytes),
            hasAlpha: try values.decode(Bool.self, forKey: .hasAlpha),
            pixels: [UInt8](try values.decode(Data.self, forKey: .pixels))
        )
    }

    /// Encodes the picture, with Base64 bytes in text formats.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encode(rowBytes, forKey: .rowBytes)
        try values.encode(hasAlpha, forKey: .hasAlpha)
        try values.encode(Data(pixels), forKey: .pixels)
    }

    private enum CodingKeys: CodingKey {
        case width, height, rowBytes, hasAlpha, pixels
    }

    private static func byteCount(
        _ width: Int,
        _ height: Int,
        rowBytes: Int?,
        hasAlpha: Bool
    ) -> (row: Int, total: Int)? {
        // Larger pictures are of no use in a notification and could overflow below.
        let sizes = 1...65_536
        guard sizes.contains(width), sizes.contains(height) else { return nil }
        let used = width * (hasAlpha ? 4 : 3)
        let row = rowBytes ?? used
        guard row >= used, row <= 1 << 24 else { return nil }
        return (row, row * (height - 1) + used)
    }
}
