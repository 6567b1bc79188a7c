// SPDX-License-Identifier: Apache-2.0

/// The wish to record a live stream, and whether the recording is over.
package struct LiveRecording: Hashable, Sendable, Codable {
    /// The time to record in seconds of the media, or nil to record to the end of the stream.
    package var seconds: Double?
    /// Whether no further segment is recorded, because the stream or the time is over or a user has
    /// stopped the recording.
    package var isOver: Bool

    /// Creates the wish for a recording.
    package init(seconds: Double? = nil, isOver: Bool = false) {
        self.seconds = seconds
        self.isOver = isOver
    }

    /// The longest time to record in seconds: about eleven days.
    package static let longestTime = 1e6

    /// Returns whether a recording can have this length.
    package static func isValid(seconds: Double) -> Bool {
        seconds > 0 && seconds <= longestTime
    }

    /// Parses a time such as `90s`, `30m`, `2h` or `1h30m`, or returns nil for any other text.
    package static func seconds(_ text: String) -> Double? {
        let form = /(?:([0-9]{1,7})h)?(?:([0-9]{1,7})m)?(?:([0-9]{1,7})s)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        let fields = [(match.1, 3_600.0), (match.2, 60), (match.3, 1)]
        let total = fields.reduce(0) { sum, field in
            sum + (field.0.flatMap { Double($0) } ?? 0) * field.1
        }
        return isValid(seconds: total) ? total : nil
    }
}
