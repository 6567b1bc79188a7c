// SPDX-License-Identifier: Apache-2.0

/// A text that is shown for some time.
package struct SubtitleCue: Hashable, Sendable {
    /// The time in seconds at which the text appears.
    var start: Double
    /// The time in seconds at which the text disappears, later than the start.
    var end: Double
    /// The place of the text, as checked settings of WebVTT, or an empty string for the usual
    /// place.
    var settings = ""
    /// The lines with checked tags of WebVTT.
    ///
    /// The text is not empty and has no empty line.
    package var text: String
}
