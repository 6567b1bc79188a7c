// SPDX-License-Identifier: Apache-2.0

/// A text that is shown for some time.
struct SubtitleCue: Hashable, Sendable {
    /// When the text appears, in seconds.
    var start: Double
    /// When the text disappears, in seconds; later than its start.
    var end: Double
    /// The place of the text, as settings of WebVTT that were checked; empty for the usual place.
    var settings = ""
    /// The lines with tags of WebVTT that were checked; neither empty nor with an empty line.
    var text: String
}
