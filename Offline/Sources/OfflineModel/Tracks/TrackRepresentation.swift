// SPDX-License-Identifier: Apache-2.0

/// A track of a finished file, for the HTTP API, the page and `offline show`.
package struct TrackRepresentation: Hashable, Sendable, Codable {
    /// `video` or `audio`.
    package var kind: String
    /// The codec, by ffmpeg's name.
    package var codec: String
    /// The language, such as `eng`, or nil if the file states none.
    package var language: String?
    /// The width of the video in pixels.
    package var width: Int?
    /// The height of the video in pixels.
    package var height: Int?
    /// The name that the file states, or nil without a name.
    package var name: String?
    /// The purpose beside other tracks of the language, or nil for a usual track.
    package var purpose: TrackPurpose?
    /// The text by which a viewer chooses, such as `English (commentary)`.
    package var title: String

    /// Creates the representation of a track, whose number counts the tracks of the kind from 1.
    package init(_ track: MediaTrack, number: Int) {
        kind = track.kind.rawValue
        codec = track.codec
        language = track.language
        width = track.width
        height = track.height
        name = track.name
        purpose = track.purpose
        let language = track.language.map { SubtitleLanguage.title($0) }
        let words = [language, track.name].compactMap { $0 }
        let text = words.isEmpty ? "Track \(number)" : words.joined(separator: ", ")
        title = text + (track.purpose.map { " (\($0.text))" } ?? "")
    }

    /// Creates the representations of the tracks of a file, in order.
    package static func list(_ tracks: [MediaTrack]) -> [TrackRepresentation] {
        var counts: [MediaTrack.Kind: Int] = [:]
        return tracks.map { track in
            counts[track.kind, default: 0] += 1
            return TrackRepresentation(track, number: counts[track.kind, default: 1])
        }
    }

    /// The facts for viewers.
    package var text: String {
        let size = width.flatMap { width in height.map { "\(width) × \($0)" } }
        let facts = [
            kind, codec, size, language, name.map { "“\($0)”" }, purpose.map { "(\($0.text))" },
        ]
        return facts.compactMap { $0 }.joined(separator: " ")
    }
}
