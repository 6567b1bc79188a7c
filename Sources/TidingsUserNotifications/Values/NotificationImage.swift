// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A picture in memory: eight bits for each of red, green, blue and, if it has one, alpha.
///
/// ```swift
/// let dot = try NotificationImage(width: 1, height: 1, pixels: [255, 0, 0])
/// ```
public struct NotificationImage: Hashable, Sendable, Codable {
    /// How many pixels a row has.
    public let width: Int
    /// How many rows there are.
    public let height: Int
    /// How many bytes lie between the beginnings of two rows.
    public let rowBytes: Int
    /// Whether each pixel has a fourth byte that says how opaque it is, not premultiplied.
    public let hasAlpha: Bool
    /// The bytes, the top row first; the last row may end with its last pixel.
    public let pixels: [UInt8]

    /// Creates a picture.
    ///
    /// - Parameters:
    ///   - width: How many pixels a row has.
    ///   - height: How many rows there are.
    ///   - rowBytes: How many bytes lie between the beginnings of two rows; nil for rows that
    ///     follow one another without a gap.
    ///   - hasAlpha: Whether each pixel has a fourth byte that says how opaque it is.
    ///   - pixels: The bytes, the top row first.
    /// - Throws: ``UserNotificationError`` with `.invalidContent` when there are fewer bytes than
    ///   the size needs.
    public init(
        width: Int,
        height: Int,
        rowBytes: Int? = nil,
        hasAlpha: Bool = false,
        pixels: [UInt8]
    ) throws(UserNotificationError) {
        let wanted = Self.byteCount(width, height, rowBytes, hasAlpha)
        guard let wanted, pixels.count >= wanted.total else {
            throw UserNotificationError(
                .invalidContent,
                "A picture of \(width) × \(height) pixels needs more than \(pixels.count) bytes. "
                    + "Give every row its bytes."
            )
        }
        self.width = width
        self.height = height
        self.rowBytes = wanted.row
        self.hasAlpha = hasAlpha
        self.pixels = pixels
    }

    /// Reads a picture back, and refuses one that has lost bytes.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            width: try values.decode(Int.self, forKey: .width),
            height: try values.decode(Int.self, forKey: .height),
            rowBytes: try values.decode(Int.self, forKey: .rowBytes),
            hasAlpha: try values.decode(Bool.self, forKey: .hasAlpha),
            pixels: [UInt8](try values.decode(Data.self, forKey: .pixels))
        )
    }

    /// Writes the picture, with its bytes in base 64 where the form is text.
    public func encode(to encoder: any Encoder) throws {
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
        _ rowBytes: Int?,
        _ hasAlpha: Bool
    ) -> (row: Int, total: Int)? {
        // What is larger is no picture for a notification, and could overflow below.
        let sizes = 1...65_536
        guard sizes.contains(width), sizes.contains(height) else { return nil }
        let used = width * (hasAlpha ? 4 : 3)
        let row = rowBytes ?? used
        guard row >= used, row <= 1 << 24 else { return nil }
        return (row, row * (height - 1) + used)
    }
}
