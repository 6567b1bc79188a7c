// SPDX-License-Identifier: Apache-2.0

/// Subtitles beside a finished film, for the HTTP API, the page and the command line.
package struct SubtitleRepresentation: Hashable, Sendable, Codable {
    /// The number for `GET /subtitles/ID/NUMBER`, counted from 1.
    package var number: Int
    /// The language, such as `en`, or nil if the name of the file has none.
    package var language: String?
    /// The name for viewers, such as `English`.
    package var name: String
    /// The name of the file in the media folder.
    package var fileName: String

    /// Creates the representation of a file.
    package init(_ file: SubtitleFile, number: Int) {
        self.number = number
        language = file.language
        name = file.title
        fileName = file.name
    }
}
