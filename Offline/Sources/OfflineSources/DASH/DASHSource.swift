// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
package import OfflineModel
import TidingsHTTP

/// A DASH stream, whose manifest lists the segments of all tracks.
struct DASHSource: DescribedSource {
    let kind = ItemKind.dash
    let name = "a DASH stream"
    let descriptionLimit = XMLLimits().bytes

    func inspect(_ response: FirstResponse) throws(DownloadError) -> Inspection? {
        if response.content == .dash { return .description(self) }
        guard response.content.isUnspecific, response.isOfferedAsManifest else { return nil }
        // A comment may be longer than the inspected bytes.
        guard response.content == .text, response.prefix.first(where: { $0 > 0x20 }) == 0x3c else {
            // The response is useless as a file.
            throw DownloadError(
                .invalidPlaylist,
                "\(response.head.address.redacted) is offered as a DASH manifest, but it is "
                    + "no XML document in UTF-8. Check the address or try again later."
            )
        }
        return .description(self)
    }

    /// Returns whether the last tag is the end of a manifest.
    func showsEnd(of description: SourceDocument) -> Bool {
        let end = String(decoding: description.bytes.suffix(256), as: UTF8.self)[...]
        return end.trimmingSpaces.wholeMatch(of: /(?s).*<\/([A-Za-z0-9_.\-]+:)?MPD\s*>\s*/) != nil
    }

    /// Returns the qualities and languages of the first period.
    func offer(_ description: SourceDocument, _ choice: MediaChoice) throws -> MediaOffer {
        MediaOffer(
            try MPDParser.parse(description.bytes, at: description.head.address).periods[0],
            choice
        )
    }

    /// Returns the parts of the item's choice.
    ///
    /// - Throws: `PlaylistError` for an invalid or unsupported manifest.
    func plan(
        _ description: SourceDocument,
        with requests: SourceRequests
    ) async throws -> MediaPlan {
        let manifest = try MPDParser.parse(description.bytes, at: description.head.address)
        let plan = try ManifestPlan(manifest, requests.choice)
        return MediaPlan(tracks: plan.tracks, notes: plan.notes, title: manifest.title)
    }
}

extension FirstResponse {
    /// Whether the media type or the name indicates a manifest.
    fileprivate var isOfferedAsManifest: Bool {
        head.contentType == "application/dash+xml"
            || head.address.lastPathComponent.lowercased().hasSuffix(".mpd")
    }
}

extension ItemKind {
    /// A DASH stream.
    package static let dash = ItemKind(rawValue: "dash")
}
