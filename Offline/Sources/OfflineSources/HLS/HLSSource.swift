// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsHTTP

/// An HLS stream: a playlist of segments, or a master playlist that lists renditions.
package struct HLSSource: DescribedSource {
    /// The kind of streams.
    package let kind = ItemKind.stream
    /// The name of the format.
    package let name = "an HLS stream"
    /// The maximum size of a playlist in bytes.
    package let descriptionLimit = PlaylistLimits().bytes

    /// Creates the source.
    package init() {}

    /// Returns the inspection of a playlist, or nil for any other response.
    package func inspect(_ response: FirstResponse) throws(DownloadError) -> Inspection? {
        if response.content == .hlsPlaylist { return .description(self) }
        guard response.content.isUnspecific, response.isOfferedAsPlaylist else { return nil }
        if Self.beginsWithLink(response) { return .elsewhere(FeedSource()) }
        // The response is useless as a file.
        throw DownloadError(
            .invalidPlaylist,
            "\(response.head.address.redacted) is offered as a playlist, but its first line is "
                + "not #EXTM3U. Check the address or try again later."
        )
    }

    /// Returns whether the last line is the end of a media playlist.
    ///
    /// A master playlist has no such line.
    ///
    /// The tag may also stand before the segments, so the tag shows the end only in the last line.
    package func showsEnd(of description: SourceDocument) -> Bool {
        String(decoding: description.bytes.suffix(256), as: UTF8.self)
            .split(whereSeparator: \.isNewline)
            .map(\.trimmingSpaces)
            .last { !$0.isEmpty } == "#EXT-X-ENDLIST"
    }

    /// Returns the renditions, and the languages beside the kept rendition.
    package func offer(_ description: SourceDocument, _ choice: MediaChoice) throws -> MediaOffer {
        let playlist = try PlaylistParser.parse(
            description.bytes,
            at: description.head.address,
            acceptsLive: true
        )
        guard case .master(let master) = playlist else { return MediaOffer() }
        return try MediaOffer(master, choice)
    }

    /// Returns the parts of the item's rendition.
    ///
    /// - Throws: `DownloadError`, or `PlaylistError` for an invalid or unsupported playlist.
    package func plan(
        _ description: SourceDocument,
        with requests: SourceRequests
    ) async throws -> MediaPlan {
        if let list = links(in: description) { throw FeedSource().refusal(of: list, requests) }
        switch try PlaylistParser.parse(description.bytes, at: description.head.address) {
        case .media(let playlist):
            if playlist.isText { return textPlan(playlist, requests.choice) }
            var track = Track(playlist)
            if requests.choice.quality == .audio { track.description.content = .sound }
            return MediaPlan(
                tracks: [track],
                notes: GapNote.text(playlist.gaps, .everything)
                    + requests.choice.notesOnOneQuality,
                chapters: playlist.chapters
            )
        case .master(let master):
            let choice = try RenditionPlan(master, requests.choice)
            var plan = MediaPlan(tracks: [], notes: choice.notes, title: master.title)
            plan.chapters = try await chapters(of: master, with: requests)
            for entry in choice.entries {
                do {
                    let playlist = try await playlist(at: entry.address, of: master, with: requests)
                    if plan.tracks.isEmpty, playlist.isText {
                        plan = textPlan(
                            playlist,
                            requests.choice,
                            description: entry.description,
                            notes: choice.notes
                        )
                        plan.title = master.title
                        return plan
                    }
                    plan.tracks.append(try Track(playlist, entry.description))
                    if plan.chapters.isEmpty { plan.chapters = playlist.chapters }
                    plan.notes += GapNote.text(playlist.gaps, entry.description.content)
                } catch {
                    let cause = DownloadError(error)
                    let isText = entry.description.content == .subtitles
                    guard let name = entry.optionalName,
                        isText ? cause.concernsOneLanguage : cause.isFinal
                    else { throw error }
                    plan.notes.append(
                        "\(isText ? "Subtitles were" : "Sound was") left out: \(name). "
                            + cause.message
                    )
                    // The tracks of a later plan must have the same numbers.
                    if isText {
                        plan.tracks.append(Track(parts: [], description: entry.description))
                    }
                }
            }
            return plan
        }
    }

    /// Returns the chapters in the document that a master playlist names.
    private func chapters(
        of master: MasterPlaylist,
        with requests: SourceRequests
    ) async throws(DownloadError) -> [Chapter] {
        guard let address = master.chapters,
            let document = try await requests.attachment(at: address, limit: SessionChapters.limit)
        else { return [] }
        return SessionChapters(document)?.chapters ?? []
    }

    /// Returns the media playlist that a master playlist lists.
    private func playlist(
        at address: WebAddress,
        of master: MasterPlaylist,
        with requests: SourceRequests
    ) async throws -> MediaPlaylist {
        let response = try await requests.fetch(
            address,
            for: self,
            otherwise: DownloadError(
                .invalidPlaylist,
                "\(address.redacted), which the playlist lists, is not an HLS playlist. Try again "
                    + "later, or choose another quality."
            )
        )
        guard
            case .media(let playlist) = try PlaylistParser.parse(
                response.bytes,
                at: response.head.address,
                importing: master.variables
            )
        else {
            throw DownloadError(
                .invalidPlaylist,
                "\(address.redacted) lists renditions instead of segments."
            )
        }
        return playlist
    }
}

extension DownloadError {
    /// Whether the rest of the stream can be kept without the subtitles in one language.
    package var concernsOneLanguage: Bool {
        ![.cancelled, .offline, .diskFull, .disk, .database, .toolMissing].contains(code)
    }

    /// Whether the server's response is the reason, which is the same for the next request.
    fileprivate var isFinal: Bool {
        [.status, .refused, .invalidPlaylist, .unsupported].contains(code) && !isTransient
    }
}

extension FirstResponse {
    /// Whether the media type, the name or the first line that is not a comment indicates a
    /// playlist.
    fileprivate var isOfferedAsPlaylist: Bool {
        let types = [
            "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/mpegurl",
            "audio/x-mpegurl", "audio/mpegurl",
        ]
        if let type = head.contentType, types.contains(type) { return true }
        let name = head.address.lastPathComponent.lowercased()
        if name.hasSuffix(".m3u8") || name.hasSuffix(".m3u") { return true }
        let tags = ["#EXTM3U", "#EXTINF:", "#EXT-X-"]
        let first = String(decoding: prefix, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map(\.trimmingSpaces)
            .first { line in
                !line.isEmpty && (!line.hasPrefix("#") || tags.contains(where: line.hasPrefix))
            }
        return first?.hasPrefix("#") == true
    }
}

extension ItemKind {
    /// An HLS stream.
    package static let stream = ItemKind(rawValue: "stream")
}

extension Track {
    /// Creates the track of a media playlist that a master playlist describes.
    fileprivate init(
        _ playlist: MediaPlaylist,
        _ description: TrackDescription
    ) throws(PlaylistError) {
        self.init(playlist)
        self.description = description
        guard description.content == .subtitles else { return }
        guard playlist.maps.isEmpty else {
            throw PlaylistError(
                .unsupported,
                "They are in fragments of MP4 instead of WebVTT, which this program does not "
                    + "support yet."
            )
        }
        markTexts()
    }

    /// Marks the parts as subtitles.
    mutating func markTexts() {
        for index in parts.indices { parts[index].isText = true }
    }

    /// Creates the track of a media playlist, with each initialization section before the first
    /// segment that requires it.
    init(_ playlist: MediaPlaylist) {
        var map: Int?
        parts = playlist.segments.flatMap { segment in
            guard let next = segment.map, next != map else {
                if !segment.isGap { map = segment.map }
                return [Part(segment)]
            }
            map = next
            return [Part(playlist.maps[next]), Part(segment)]
        }
    }
}

extension Part {
    /// Creates the part of an initialization section.
    init(_ map: MapSection) {
        self.init(
            address: map.address,
            range: map.range,
            identity: map.identity.description,
            key: map.encryption.map(DecryptionKey.init),
            isInitialization: true
        )
    }

    /// Creates the part of a segment.
    init(_ segment: Segment) {
        self.init(
            address: segment.address,
            range: segment.range,
            identity: segment.identity.description,
            key: segment.encryption.map(DecryptionKey.init),
            duration: segment.duration,
            isDiscontinuity: segment.isDiscontinuity,
            isGap: segment.isGap
        )
    }
}

extension DecryptionKey {
    fileprivate init(_ encryption: Encryption) {
        self.init(address: encryption.keyAddress, iv: encryption.iv)
    }
}
