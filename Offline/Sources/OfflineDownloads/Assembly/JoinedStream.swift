// SPDX-License-Identifier: Apache-2.0

/// The joined sections of a stream.
struct JoinedStream: Sendable {
    /// The files in order.
    var sections: [JoinedSection] = []
    /// When each section of the playlist starts in the file of the stream, in seconds.
    ///
    /// A section can be several files, and a file several sections.
    var starts: [Double] = []
    /// The sentences for the user about tracks that are shorter than others.
    var notes: [String] = []
}
