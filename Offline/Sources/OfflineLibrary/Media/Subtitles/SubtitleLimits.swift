// SPDX-License-Identifier: Apache-2.0

/// The largest subtitles to keep; they bound the memory for any input.
struct SubtitleLimits: Hashable, Sendable {
    /// The size of a segment in bytes.
    static let segmentBytes: Int64 = 16 << 20

    /// The size of all texts of a language in bytes.
    var textBytes = 8 << 20
    /// The number of texts of a language, also of texts that are joined later.
    var cues = 100_000
    /// The size of one text in bytes.
    var cueBytes = 4_096
    /// The number of texts to show at the same time.
    var simultaneous = 8
}
