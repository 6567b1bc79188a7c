// SPDX-License-Identifier: Apache-2.0
import OfflineTestFixtures
import Tidings
import TidingsHTTP

@testable import OfflineModel
@testable import OfflineSources

/// Functions that parse playlists.
extension PlaylistFixtures {
    static func parse(
        _ text: String,
        limits: PlaylistLimits = .init()
    ) throws -> Playlist {
        try PlaylistParser.parse([UInt8](text.utf8), at: WebAddress(base), limits: limits)
    }

    static func media(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try parse(text) else {
            throw PlaylistError(.invalid, "A media playlist was expected.")
        }
        return playlist
    }

    static func master(_ text: String) throws -> MasterPlaylist {
        guard case .master(let playlist) = try parse(text) else {
            throw PlaylistError(.invalid, "A master playlist was expected.")
        }
        return playlist
    }

    static func parseError(_ text: String, limits: PlaylistLimits = .init()) -> PlaylistError? {
        parseError([UInt8](text.utf8), limits: limits)
    }

    static func parseError(_ bytes: [UInt8], limits: PlaylistLimits = .init()) -> PlaylistError? {
        do {
            _ = try PlaylistParser.parse(bytes, at: WebAddress(base), limits: limits)
            return nil
        } catch {
            return error as? PlaylistError
        }
    }
}
