// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import Tidings

extension Router {
    /// Returns one item with the facts that lists omit.
    func item(_ text: Substring) async throws -> ServerResponse {
        .json(try await library.details(of: try identifier(text)))
    }

    /// Returns the tracks of a finished file.
    func tracks(_ text: Substring) async throws -> ServerResponse {
        .json(TracksJSON(tracks: try await library.tracks(of: try identifier(text))))
    }

    /// Returns subtitles of a film as WebVTT.
    func subtitles(_ item: Substring, _ number: Substring) async throws -> ServerResponse? {
        guard let number = Int(number) else { return nil }
        let content = try await library.subtitles(number, of: try identifier(item))
        return .bytes([UInt8](content), type: "text/vtt; charset=utf-8", cache: "private, no-cache")
    }
}

/// The response to `GET /api/items/ID/tracks`.
private struct TracksJSON: Encodable {
    let tracks: [TrackRepresentation]
}
