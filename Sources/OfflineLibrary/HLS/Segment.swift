// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

/// One piece of a stream.
package struct Segment: Hashable, Sendable {
    /// The place in the playlist, from 0.
    package var index: Int
    /// The media sequence number.
    package var number: Int
    /// Where the segment, or the file it is a part of, is.
    package var address: WebAddress
    /// The part of the file, its length always known; nil for all of it.
    package var range: HTTPByteRange?
    /// The seconds it plays, as the playlist says.
    package var duration: Double
    /// How it is encrypted, if it is.
    package var encryption: Encryption?
    /// Whether timestamps or format may change before it.
    package var isDiscontinuity: Bool
}

/// The section that fragments of an MP4 stream need before them.
package struct MapSection: Hashable, Sendable {
    /// Where the section, or the file it is a part of, is.
    package var address: WebAddress
    /// The part of the file, its length always known; nil for all of it.
    package var range: HTTPByteRange?
    /// How it is encrypted, if it is.
    package var encryption: Encryption?
}
