// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

/// A source for tests whose document has one address on each line after `PARTS`.
///
/// An empty line starts a new track. If there are several tracks, the file has the pictures of the
/// first track and the sound of the rest.
struct ListSource: DescribedSource {
    let kind = ItemKind.list
    let name = "a list of parts"
    let descriptionLimit = 1 << 20

    func inspect(_ response: FirstResponse) -> Inspection? {
        response.prefix.starts(with: "PARTS\n".utf8) ? .description(self) : nil
    }

    func showsEnd(of description: SourceDocument) -> Bool { false }

    func offer(_ description: SourceDocument, _ choice: MediaChoice) -> MediaOffer { MediaOffer() }

    func plan(
        _ description: SourceDocument,
        with requests: SourceRequests
    ) async throws -> MediaPlan {
        let lines = String(decoding: description.bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first == "PARTS" else {
            throw DownloadError(.invalidPlaylist, "The list does not begin with PARTS.")
        }
        let tracks = try lines.dropFirst().split(separator: "").map { lines in
            Track(
                parts: try lines.map { line in
                    Part(
                        address: try description.head.address.resolving(String(line)),
                        identity: String(line)
                    )
                }
            )
        }
        guard tracks.count > 1 else { return MediaPlan(tracks: tracks) }
        return MediaPlan(
            tracks: tracks.enumerated().map { number, track in
                var track = track
                track.description.content = number == 0 ? .pictures : .sound
                return track
            }
        )
    }
}

extension ItemKind {
    static let list = ItemKind(rawValue: "list")
}
