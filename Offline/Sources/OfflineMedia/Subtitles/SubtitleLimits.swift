// SPDX-License-Identifier: Apache-2.0

/// The largest subtitles to keep.
///
/// These limits bound the memory for any input.
package struct SubtitleLimits: Hashable, Sendable {
    /// The size of a segment in bytes.
    package static let segmentBytes: Int64 = 16 << 20

    /// The size of all cues of a language in bytes.
    package var textBytes = 8 << 20
    /// The number of cues of a language, including cues that are joined later.
    var cues = 100_000
    /// The size of one cue in bytes.
    var cueBytes = 4_096
    /// The number of cues to show at the same time.
    package var simultaneous = 8

    /// Creates limits.
    package init(
        textBytes: Int = 8 << 20,
        cues: Int = 100_000,
        cueBytes: Int = 4_096,
        simultaneous: Int = 8
    ) {
        self.textBytes = textBytes
        self.cues = cues
        self.cueBytes = cueBytes
        self.simultaneous = simultaneous
    }
}
