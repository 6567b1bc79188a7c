// SPDX-License-Identifier: Apache-2.0
import OfflineMedia

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
    /// The contents that the server's segments lack.
    var omissions: SectionOmissions
    /// The seconds before the pictures start, if separate sound starts before the pictures.
    var pictureDelay = 0.0
}
