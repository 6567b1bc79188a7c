// SPDX-License-Identifier: Apache-2.0

/// A section of a stream as a file.
struct JoinedSection: Sendable {
    /// The name of the file in the folder of the sections.
    let name: String
    /// The absolute path of the file.
    let path: String
    /// When the section starts, in seconds from the start of the stream.
    let start: Double
    /// The properties of the file.
    let properties: MediaProperties
    /// The times in seconds at which the server's segments hold less than the playlist states.
    let missing: [Range<Double>]
    /// Whether a second track with pictures is left out.
    let leavesOutPictures: Bool
    /// The seconds after which the pictures start, if separate sound starts before them.
    var pictureDelay = 0.0
    /// The times at which the segments with separate sound hold less than the playlist states.
    var missingSound: [Range<Double>] = []
}
