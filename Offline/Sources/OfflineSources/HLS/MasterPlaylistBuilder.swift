// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings
import TidingsHTTP

/// Collects the renditions of a master playlist.
struct MasterPlaylistBuilder {
    private let base: WebAddress
    private let limits: PlaylistLimits
    private var renditions: [Rendition] = []
    /// The EXT-X-STREAM-INF tag whose address has not been read yet.
    private var pending: (tag: PlaylistTag, attributes: AttributeList)?
    private var alternatives: [AlternativeMedia] = []
    /// The keys that the playlist announces for the media.
    private var keys = ActiveKeys()
    private var entries = 0

    init(base: WebAddress, limits: PlaylistLimits) {
        self.base = base
        self.limits = limits
    }

    /// Processes a tag of a master playlist.
    mutating func add(_ tag: PlaylistTag) throws(PlaylistError) {
        entries += 1
        guard entries <= limits.renditions else {
            throw PlaylistError(
                .tooLarge,
                "The playlist lists more than \(limits.renditions) renditions, the limit."
            )
        }
        let attributes = try tag.attributes()
        if tag.name == .media { return addMedia(attributes, tag) }
        if tag.name == .sessionKey { return try keys.update(tag, base: base) }
        guard pending == nil else { throw tag.invalid("follows one without an address") }
        pending = (tag, attributes)
    }

    /// Processes the address that follows an EXT-X-STREAM-INF tag.
    mutating func addAddress(_ line: Substring, number: Int) throws(PlaylistError) {
        guard let attributes = pending?.attributes else {
            throw .invalid("an address has no EXT-X-STREAM-INF before it", at: number)
        }
        pending = nil
        let (width, height) = Self.resolution(attributes["RESOLUTION"])
        let codecs = (attributes["CODECS"] ?? "").split(separator: ",").map {
            String($0.trimmingSpaces)
        }
        renditions.append(
            Rendition(
                address: try base.resolving(line, at: number),
                bandwidth: attributes["BANDWIDTH"].flatMap(DecimalNumber.whole) ?? 0,
                averageBandwidth: attributes["AVERAGE-BANDWIDTH"].flatMap(DecimalNumber.whole),
                width: width,
                height: height,
                codecs: codecs,
                frameRate: attributes["FRAME-RATE"].flatMap(DecimalNumber.lenient),
                audioGroup: attributes["AUDIO"],
                subtitleGroup: attributes["SUBTITLES"],
                videoGroup: attributes["VIDEO"]
            )
        )
    }

    /// Returns the playlist, or throws an error if the playlist lists no renditions.
    ///
    /// - Throws: `PlaylistError`, also with `.protected` if the playlist announces keys but none of
    ///   the keys is usable.
    func finish(variables: [String: String]) throws(PlaylistError) -> MasterPlaylist {
        if let pending { throw pending.tag.invalid("has no address after it") }
        let hasTexts = alternatives.contains { $0.kind == .subtitles && $0.address != nil }
        guard !renditions.isEmpty || hasTexts else {
            throw PlaylistError(.empty, "The playlist lists no renditions. Try again later.")
        }
        _ = try keys.encryption(ofSegmentNumber: 0)
        return MasterPlaylist(
            renditions: renditions,
            alternatives: alternatives,
            variables: variables
        )
    }

    private mutating func addMedia(
        _ attributes: AttributeList,
        _ tag: PlaylistTag
    ) {
        guard
            let kind = attributes["TYPE"].flatMap({
                AlternativeMedia.Kind(rawValue: $0.uppercased())
            }),
            let group = attributes["GROUP-ID"]
        else { return }
        let text = attributes["URI"].flatMap { $0.isEmpty ? nil : $0 }
        // An address of media that is not kept must not prevent the download.
        let address = text.flatMap { try? base.resolving($0[...], at: tag.number) }
        alternatives.append(
            AlternativeMedia(
                kind: kind,
                group: group,
                language: attributes["LANGUAGE"],
                name: attributes["NAME"] ?? "",
                address: address,
                isForbidden: text != nil && address == nil,
                isDefault: attributes.isYes("DEFAULT"),
                isForced: attributes.isYes("FORCED"),
                purpose: attributes["CHARACTERISTICS"].flatMap(TrackPurpose.init(characteristics:))
            )
        )
    }

    /// Returns the size.
    ///
    /// An unreadable size counts as missing.
    private static func resolution(_ text: String?) -> (Int?, Int?) {
        let parts = (text ?? "").lowercased().split { "x*×".contains($0) }
        let numbers = parts.compactMap { DecimalNumber.whole($0.trimmingSpaces) }
        guard parts.count == 2, numbers.count == 2,
            numbers.allSatisfy((1...100_000).contains)
        else { return (nil, nil) }
        return (numbers[0], numbers[1])
    }
}
