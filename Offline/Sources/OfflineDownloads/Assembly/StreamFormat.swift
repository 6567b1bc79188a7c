// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import Tidings

/// The formats of a section's tracks that one file must keep from start to end.
///
/// The size of an H.264 picture may change, because the joined pictures contain the parameters for
/// decoding.
struct StreamFormat: Hashable {
    private struct Track: Hashable {
        var kind: MediaTrack.Kind
        var codec: String
        var sampleRate: Int?
        var channels: Int?
        var configuration: String?

        var description: String {
            let rate = sampleRate.map { " with \($0) Hz and \(channels ?? 0) channels" } ?? ""
            return codec.uppercased() + rate
        }
    }

    private let tracks: [Track]

    init(_ properties: MediaProperties) {
        tracks = properties.tracks.map { track in
            Track(
                kind: track.kind,
                codec: track.codec,
                sampleRate: track.sampleRate,
                channels: track.channels,
                configuration: track.codec == "h264" ? nil : track.configuration
            )
        }
    }

    /// Throws `.formatChanges` unless all sections have the format of the first section.
    static func requireEqual(_ sections: [JoinedSection]) throws(MediaError) {
        guard let first = sections.first.map({ StreamFormat($0.properties) }) else { return }
        for section in sections {
            let other = StreamFormat(section.properties)
            guard other != first else { continue }
            let change =
                other.description == first.description
                ? "the parameters of its \(first.description)"
                : "its format, from \(first.description) to \(other.description)"
            throw MediaError(
                .formatChanges,
                "At \(PlayTime.text(section.start)) the stream changes \(change), which one file "
                    + "cannot hold. "
                    + "Choose another quality, or use another address of the content."
            )
        }
    }

    private var description: String {
        let parts = [(MediaTrack.Kind.video, "picture"), (.audio, "sound")].compactMap {
            kind,
            name in
            let found = tracks.filter { $0.kind == kind }.map(\.description)
            return found.isEmpty ? nil : "\(name) in \(found.joined(separator: " and "))"
        }
        return parts.joined(separator: ", ")
    }
}
