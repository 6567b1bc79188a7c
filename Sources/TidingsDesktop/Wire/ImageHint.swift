// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
internal import TidingsUserNotifications

/// Converts images for the hints of a notification.
enum ImageHint {
    /// The maximum width and height in pixels.
    ///
    /// A bubble shows less, and messages are limited in size.
    static let longestSide = 512

    /// Returns the `file` URL of an absolute path, or nil for any other path.
    static func address(of path: String) -> String? {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        var address = "file://"
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-._~/".unicodeScalars.contains(scalar))
            if isPlain {
                address.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                address += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }

    /// Returns the image as `(iiibiiay)`, scaled down if larger than ``longestSide``.
    static func value(of image: NotificationImage) -> BusValue {
        let factor = (max(image.width, image.height) + longestSide - 1) / longestSide
        let channels = image.hasAlpha ? 4 : 3
        let width = max(image.width / factor, 1)
        let height = max(image.height / factor, 1)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * channels)
        for row in 0..<height {
            for column in 0..<width {
                append(block(of: image, at: column, row, factor), of: image, channels, to: &bytes)
            }
        }
        return .structure([
            .int32(Int32(width)), .int32(Int32(height)), .int32(Int32(width * channels)),
            .bool(image.hasAlpha), .int32(8), .int32(Int32(channels)), .bytes(bytes),
        ])
    }

    private static func block(
        of image: NotificationImage,
        at column: Int,
        _ row: Int,
        _ factor: Int
    ) -> (columns: Range<Int>, rows: Range<Int>) {
        let (left, top) = (column * factor, row * factor)
        return (left..<min(left + factor, image.width), top..<min(top + factor, image.height))
    }

    /// Appends the mean color of a block as one pixel.
    private static func append(
        _ block: (columns: Range<Int>, rows: Range<Int>),
        of image: NotificationImage,
        _ channels: Int,
        to bytes: inout [UInt8]
    ) {
        let count = block.columns.count * block.rows.count
        for channel in 0..<channels {
            var sum = 0
            for row in block.rows {
                for column in block.columns {
                    sum += Int(image.pixels[row * image.rowBytes + column * channels + channel])
                }
            }
            bytes.append(UInt8(sum / count))
        }
    }
}
#endif
