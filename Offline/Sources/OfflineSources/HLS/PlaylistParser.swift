// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import Tidings
package import TidingsHTTP

/// Parses HLS playlists according to RFC 8216.
///
/// The parser throws a specific error for every feature that would make the copy wrong or
/// incomplete, and ignores unknown tags, as the format requires. Otherwise the parser is as lenient
/// as players are. The limits bound time and memory for any input.
package struct PlaylistParser {
    private let base: WebAddress
    private let limits: PlaylistLimits
    private let acceptsLive: Bool
    private var master: MasterPlaylistBuilder?
    private var media: MediaPlaylistBuilder?
    private var variables: PlaylistVariables
    /// The address of the document with the chapters, or nil if the playlist names none.
    private var chapters: WebAddress?
    /// The title of the stream, or nil if the playlist states none.
    private var title: String?
    /// The name of the title in EXT-X-SESSION-DATA.
    private static let titleName = "com.apple.hls.title"

    private init(
        base: WebAddress,
        importing imported: [String: String]?,
        acceptsLive: Bool,
        limits: PlaylistLimits
    ) {
        self.base = base
        self.limits = limits
        self.acceptsLive = acceptsLive
        variables = PlaylistVariables(base: base, imported: imported, limits: limits)
    }

    /// Parses a playlist.
    ///
    /// - Parameters:
    ///   - bytes: The body of the response.
    ///   - base: The address of the playlist after redirects, which resolves relative addresses.
    ///   - imported: The variables of the master playlist that lists this playlist, or nil without
    ///     one.
    ///   - acceptsLive: Whether a media playlist may be incomplete or empty, because the stream has
    ///     not ended.
    ///   - limits: The largest playlist to accept.
    /// - Returns: The playlist. A media playlist is complete unless `acceptsLive` is true.
    /// - Throws: The first problem that prevents a complete and playable copy.
    package static func parse(
        _ bytes: [UInt8],
        at base: WebAddress,
        importing imported: [String: String]? = nil,
        acceptsLive: Bool = false,
        limits: PlaylistLimits = .init()
    ) throws(PlaylistError) -> Playlist {
        var lines = try PlaylistLineReader(bytes, limits: limits)
        guard let first = try lines.next(), Self.isHeader(first), lines.number == 1 else {
            throw PlaylistError(
                .notPlaylist,
                "This is not an HLS playlist: the first line is not #EXTM3U. Check the address."
            )
        }
        var parser = PlaylistParser(
            base: base,
            importing: imported,
            acceptsLive: acceptsLive,
            limits: limits
        )
        while let line = try lines.next() {
            try parser.process(line, number: lines.number)
        }
        return try parser.finish(isCut: lines.endsInTag)
    }

    private mutating func process(_ line: Substring, number: Int) throws(PlaylistError) {
        guard line.utf8.first == UInt8(ascii: "#") else {
            try processAddress(try variables.expand(line, at: number), number: number)
            return
        }
        guard var tag = PlaylistTag(line, number: number) else { return }
        if tag.name.hasAttributes { tag.value = try variables.expand(tag.value, at: number) }
        if tag.name == .define {
            try variables.define(tag)
        } else if tag.name == .sessionData {
            readSessionData(tag)
        } else if tag.name.isMasterOnly {
            guard media?.hasSegment != true else { throw mixed(number) }
            media = nil
            var builder = master ?? MasterPlaylistBuilder(base: base, limits: limits)
            master = nil
            try builder.add(tag)
            master = builder
        } else {
            if master != nil {
                // Some servers write tags of media playlists into a master playlist.
                guard tag.name == .information else { return }
                throw mixed(number)
            }
            var builder =
                media
                ?? MediaPlaylistBuilder(base: base, limits: limits, acceptsLive: acceptsLive)
            media = nil
            try builder.add(tag)
            media = builder
        }
    }

    /// Reads the title and the address of the chapters.
    ///
    /// A playlist without these values is complete.
    private mutating func readSessionData(_ tag: PlaylistTag) {
        guard let value = try? variables.expand(tag.value, at: tag.number) else { return }
        var tag = tag
        tag.value = value
        guard let attributes = try? tag.attributes() else { return }
        switch attributes["DATA-ID"] {
        case SessionChapters.name:
            guard chapters == nil, let text = attributes["URI"] else { return }
            chapters = try? base.resolving(text[...], at: tag.number)
        case Self.titleName:
            // If there are titles in several languages, the first one counts.
            title = title ?? attributes["VALUE"].flatMap(Title.stated)
        default: break
        }
    }

    private mutating func processAddress(_ line: Substring, number: Int) throws(PlaylistError) {
        if master != nil {
            try master?.addAddress(line, number: number)
        } else if media != nil {
            try media?.addAddress(line, number: number)
        } else {
            throw .invalid("an address has no tag before it", at: number)
        }
    }

    private func finish(isCut: Bool) throws(PlaylistError) -> Playlist {
        if let master {
            var playlist = try master.finish(variables: variables.values)
            playlist.chapters = chapters
            playlist.title = title
            return .master(playlist)
        }
        if let media { return .media(try media.finish(isCut: isCut)) }
        throw PlaylistError(.empty, "The playlist is empty. Check the address or try again later.")
    }

    /// Returns whether a line is the first line of a playlist.
    ///
    /// Lists of channels extend this line.
    private static func isHeader(_ line: Substring) -> Bool {
        line == "#EXTM3U" || line.hasPrefix("#EXTM3U ") || line.hasPrefix("#EXTM3U\t")
    }

    private func mixed(_ number: Int) -> PlaylistError {
        .invalid("the playlist lists both renditions and segments", at: number)
    }
}

extension WebAddress {
    /// Resolves an address in a playlist against the address of the playlist.
    ///
    /// This method throws `.forbiddenAddress` unless the result is an http or https address.
    func resolving(_ text: Substring, at number: Int) throws(PlaylistError) -> WebAddress {
        do throws(HTTPError) {
            return try resolving(String(text))
        } catch {
            throw PlaylistError(
                .forbiddenAddress,
                "The address in line \(number) of the playlist is not a web address: "
                    + "only http and https are supported.",
                cause: error
            )
        }
    }
}
