// SPDX-License-Identifier: Apache-2.0
import Tidings
package import TidingsHTTP

/// Reads HLS playlists by the rules of RFC 8216.
///
/// What could make a wrong or incomplete film is refused by name; unknown tags are ignored, as the
/// format demands. Time and memory are bounded by the limits, whatever the text.
package struct PlaylistParser {
    private let base: WebAddress
    private let limits: PlaylistLimits
    private var master: MasterPlaylistBuilder?
    private var media: MediaPlaylistBuilder?

    private init(base: WebAddress, limits: PlaylistLimits) {
        self.base = base
        self.limits = limits
    }

    /// Reads a playlist.
    ///
    /// - Parameters:
    ///   - bytes: The playlist as it came, decrypted and not decoded.
    ///   - base: The address it came from after redirects; addresses in it are relative to it.
    ///   - limits: How long it may be.
    /// - Returns: The playlist, whole: a stream that has ended.
    /// - Throws: The first thing in it that prevents a whole and playable copy.
    package static func parse(
        _ bytes: [UInt8],
        at base: WebAddress,
        limits: PlaylistLimits = .init()
    ) throws(PlaylistError) -> Playlist {
        var lines = try PlaylistLines(bytes, limits: limits)
        guard let first = try lines.next(), first == "#EXTM3U", lines.number == 1 else {
            throw PlaylistError(
                .notPlaylist,
                "This is no HLS playlist: its first line is not #EXTM3U. Check the address."
            )
        }
        var parser = PlaylistParser(base: base, limits: limits)
        while let line = try lines.next() {
            try parser.take(line, number: lines.number)
        }
        return try parser.finish()
    }

    private mutating func take(_ line: Substring, number: Int) throws(PlaylistError) {
        guard line.utf8.first == UInt8(ascii: "#") else {
            try takeAddress(line, number: number)
            return
        }
        guard let tag = PlaylistTag(line, number: number) else { return }
        if tag.name == .define {
            throw .unsupported("variables (EXT-X-DEFINE)")
        }
        if tag.name.isOfMaster {
            guard media == nil else { throw mixed(number) }
            var builder = master ?? MasterPlaylistBuilder(base: base, limits: limits)
            master = nil
            try builder.take(tag)
            master = builder
        } else {
            guard master == nil else { throw mixed(number) }
            var builder = media ?? MediaPlaylistBuilder(base: base, limits: limits)
            media = nil
            try builder.take(tag)
            media = builder
        }
    }

    private mutating func takeAddress(_ line: Substring, number: Int) throws(PlaylistError) {
        if master != nil {
            try master?.takeAddress(line, number: number)
        } else if media != nil {
            try media?.takeAddress(line, number: number)
        } else {
            throw .invalid("an address stands there without a tag before it", at: number)
        }
    }

    private func finish() throws(PlaylistError) -> Playlist {
        if let master { return .master(try master.finish()) }
        if let media { return .media(try media.finish()) }
        throw PlaylistError(.empty, "The playlist is empty; check the address or try again later.")
    }

    private func mixed(_ number: Int) -> PlaylistError {
        .invalid("it lists both renditions and segments", at: number)
    }
}

extension WebAddress {
    /// Resolves an address of a playlist against the playlist's own.
    func resolving(_ text: Substring, at number: Int) throws(PlaylistError) -> WebAddress {
        do throws(HTTPError) {
            return try resolving(String(text))
        } catch {
            throw PlaylistError(
                .forbiddenAddress,
                "The address in line \(number) of the playlist is not one on the web; "
                    + "only http and https are fetched.",
                cause: error
            )
        }
    }
}
