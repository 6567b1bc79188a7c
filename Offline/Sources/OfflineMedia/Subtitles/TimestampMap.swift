// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The relation of a subtitle segment's times to the times of the pictures (X-TIMESTAMP-MAP).
package struct TimestampMap: Hashable, Sendable {
    /// The seconds after which the times of a transport stream start again.
    static let wrap = Double(1 << 33) / 90_000

    /// The seconds from a time of the segment to the time of the pictures, modulo `wrap`.
    var offset: Double
    /// The time of the pictures that the map names, in seconds.
    var mediaTime: Double

    /// Parses the text after `X-TIMESTAMP-MAP=`, or returns nil unless the text states both times.
    init?(_ text: Substring) {
        var ticks: UInt64?
        var local: Double?
        for field in text.split(separator: ",") {
            let field = field.trimmingSpaces
            if field.hasPrefix("MPEGTS:") {
                ticks = UInt64(field.dropFirst(7).trimmingSpaces)
            } else if field.hasPrefix("LOCAL:") {
                local = WebVTTTime.seconds(field.dropFirst(6).trimmingSpaces)
            }
        }
        guard let ticks, let local else { return nil }
        mediaTime = Double(ticks % (1 << 33)) / 90_000
        offset = mediaTime - local
    }
}
