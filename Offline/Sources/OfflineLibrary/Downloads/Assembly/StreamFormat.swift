// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The formats of a section's tracks that one file must keep from start to end.
///
/// The size of the picture may change: players decode it from the parameters within the pictures.
struct StreamFormat: Hashable {
    private struct Track: Hashable {
        var kind: MediaTrack.Kind
        var codec: String
        var sampleRate: Int?
        var channels: Int?

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
                channels: track.channels
            )
        }
    }

    /// Throws `.formatChanges` unless all sections have the format of the first one.
    static func requireEqual(_ sections: [JoinedSection]) throws(MediaError) {
        guard let first = sections.first.map({ StreamFormat($0.properties) }) else { return }
        for section in sections {
            let other = StreamFormat(section.properties)
            guard other != first else { continue }
            throw MediaError(
                .formatChanges,
                "The stream changes its format at \(PlayTime.text(section.start)), from "
                    + "\(first.description) to \(other.description), which one file cannot hold. "
                    + "Choose another rendition, or use another address of the content."
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
