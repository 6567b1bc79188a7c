// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// A media segment of a stream.
package struct Segment: Hashable, Sendable {
    /// The index in the playlist, from 0.
    package var index: Int
    /// The media sequence number.
    package var number: Int
    /// The address of the segment, or of the file that contains it.
    package var address: WebAddress
    /// The range of the file with a known length, or nil for the whole file.
    package var range: HTTPByteRange?
    /// The duration in seconds, as stated by the playlist.
    package var duration: Double
    /// The encryption, or nil if the segment is not encrypted.
    package var encryption: Encryption?
    /// Whether timestamps or format may change before the segment.
    package var isDiscontinuity: Bool
    /// Whether the server lacks the segment (EXT-X-GAP).
    ///
    /// Such a segment must not be fetched.
    package var isGap = false
    /// The index of the initialization section in the playlist, or nil if the segment needs none.
    package var map: Int?
}

/// The initialization section that the fragments of an MP4 stream require.
package struct MapSection: Hashable, Sendable {
    /// The address of the section, or of the file that contains it.
    package var address: WebAddress
    /// The range of the file with a known length, or nil for the whole file.
    package var range: HTTPByteRange?
    /// The encryption, or nil if the section is not encrypted.
    package var encryption: Encryption?
}
