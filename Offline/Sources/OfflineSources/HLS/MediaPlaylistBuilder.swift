// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import Tidings
import TidingsHTTP

/// Collects the segments of a media playlist.
struct MediaPlaylistBuilder {
    private let base: WebAddress
    private let limits: PlaylistLimits
    private let acceptsLive: Bool
    private var segments: [Segment] = []
    private var keys = ActiveKeys()
    private var maps: [MapSection] = []
    private var mapIndexes: [MapSection: Int] = [:]
    private var map: Map?
    private var mediaSequence = 0
    private var discontinuitySequence: Int?
    private var targetDuration: Int?
    private var hasTargetDuration = false
    private var hasEnded = false
    private var hasEndMark = false
    private var addressBytes = 0
    /// The time in seconds at which the next segment plays.
    private var time = 0.0
    private var chapters = DateRangeChapters()
    /// The properties of the next segment, from the tags since the last address.
    private var pending = PendingSegment()

    /// The initialization section of the next segments, and the keys that apply to the section.
    private struct Map {
        var section: MapSection
        var keys: ActiveKeys
        /// The index of the section in the playlist, or nil until a segment needs the section.
        var index: Int?
    }

    private struct PendingSegment {
        var duration: Double?
        var range: (length: Int64, offset: Int64?)?
        var isDiscontinuity = false
        var isGap = false
    }

    init(base: WebAddress, limits: PlaylistLimits, acceptsLive: Bool = false) {
        self.base = base
        self.limits = limits
        self.acceptsLive = acceptsLive
    }

    /// Whether a segment was listed or announced, which a master playlist never does.
    var hasSegment: Bool { !segments.isEmpty || pending.duration != nil }

    /// Processes a tag of a media playlist.
    mutating func add(_ tag: PlaylistTag) throws(PlaylistError) {
        switch tag.name {
        case .information: pending.duration = try duration(tag)
        case .targetDuration: setTargetDuration(tag)
        case .mediaSequence: try setMediaSequence(tag)
        case .discontinuitySequence: discontinuitySequence = DecimalNumber.whole(tag.value)
        case .playlistType: hasEnded = hasEnded || tag.value.uppercased() == "VOD"
        case .endList: (hasEnded, hasEndMark) = (true, true)
        case .key: try keys.update(tag, base: base)
        case .map: try setMap(tag)
        case .byteRange: pending.range = try parsedRange(tag.value, tag)
        case .discontinuity: pending.isDiscontinuity = true
        case .gap: pending.isGap = true
        case .picturesOnly:
            throw .unsupported(
                "an I-frame playlist (EXT-X-I-FRAMES-ONLY)",
                "Use the address of the film's own playlist."
            )
        case .skip: throw .unsupported("partial playlists (EXT-X-SKIP)")
        case .programDate: chapters.addDate(tag, at: time)
        case .dateRange: chapters.addRange(tag)
        case .define, .stream, .media, .sessionKey, .sessionData: break
        }
    }

    /// Processes the address of a segment.
    mutating func addAddress(_ line: Substring, number: Int) throws(PlaylistError) {
        guard let duration = pending.duration else {
            throw .invalid("a segment has no EXTINF", at: number)
        }
        guard segments.count < limits.segments else {
            throw PlaylistError(
                .tooLarge,
                "The playlist lists more than \(limits.segments) segments, the limit."
            )
        }
        // Nothing is fetched from the address of a gap.
        let resolved = Result { () throws(PlaylistError) in
            try base.resolving(line, at: number)
        }
        let address = pending.isGap ? (try? resolved.get()) ?? base : try resolved.get()
        try count(address)
        let sequenceNumber = mediaSequence + segments.count
        segments.append(
            Segment(
                index: segments.count,
                number: sequenceNumber,
                address: address,
                range: try nextRange(of: address, at: number),
                duration: duration,
                encryption: pending.isGap
                    ? nil : try keys.encryption(ofSegmentNumber: sequenceNumber),
                isDiscontinuity: pending.isDiscontinuity,
                isGap: pending.isGap,
                map: pending.isGap ? nil : try mapIndex(forSegmentNumber: sequenceNumber)
            )
        )
        time += duration
        pending = PendingSegment()
    }

    /// Throws `.tooLarge` if the addresses of the playlist are too long in total.
    private mutating func count(_ address: WebAddress) throws(PlaylistError) {
        // A short line can resolve to an address as long as the playlist's own.
        addressBytes += address.text.utf8.count
        guard addressBytes <= limits.addressBytes else {
            throw PlaylistError(
                .tooLarge,
                "The addresses in the playlist exceed the limit of \(limits.addressBytes) bytes."
            )
        }
    }

    /// Returns the playlist.
    ///
    /// - Parameter isCut: Whether the playlist ends within a tag.
    /// - Returns: The playlist.
    /// - Throws: `PlaylistError` if the playlist is incomplete.
    func finish(isCut: Bool) throws(PlaylistError) -> MediaPlaylist {
        guard hasEnded || hasTargetDuration else {
            throw PlaylistError(
                .notPlaylist,
                "This is a list of links, not an HLS stream. Use the address of one of the links."
            )
        }
        if acceptsLive { return playlist }
        guard hasEnded else {
            throw PlaylistError(
                .live,
                "The stream is live and has not ended. Record it with --live, or try again when it "
                    + "is over."
            )
        }
        // A playlist of the type VOD needs no mark at the end.
        guard hasEndMark || !(isCut || pending.duration != nil) else {
            throw PlaylistError(
                .invalid,
                "The server sends only the beginning of the playlist: it ends before the address "
                    + "of a segment. Try again later, or contact its publisher."
            )
        }
        guard !segments.isEmpty else {
            throw PlaylistError(.empty, "The playlist lists no segments. Try again later.")
        }
        guard segments.contains(where: { !$0.isGap }) else {
            throw PlaylistError(
                .empty,
                "The server lacks all segments of the stream (EXT-X-GAP). Choose another "
                    + "rendition, or try again later."
            )
        }
        return playlist
    }

    private var playlist: MediaPlaylist {
        let longest = segments.reduce(0) { max($0, $1.duration) }
        return MediaPlaylist(
            targetDuration: targetDuration ?? Int(longest.rounded(.up)),
            mediaSequence: mediaSequence,
            segments: segments,
            maps: maps,
            hasEnded: hasEnded,
            discontinuitySequence: discontinuitySequence,
            chapters: acceptsLive ? [] : chapters.chapters
        )
    }

    /// Returns the index of the section that a segment requires, or nil if no section is required.
    private mutating func mapIndex(forSegmentNumber number: Int) throws(PlaylistError) -> Int? {
        guard let current = map else { return nil }
        if let index = current.index { return index }
        var section = current.section
        // A section without an explicit IV uses the IV of the segment after it, as in players.
        section.encryption = try current.keys.encryption(ofSegmentNumber: number)
        let index = mapIndexes[section] ?? maps.count
        if index == maps.count {
            try count(section.address)
            maps.append(section)
            mapIndexes[section] = index
        }
        map?.index = index
        return index
    }

    private mutating func setMap(_ tag: PlaylistTag) throws(PlaylistError) {
        let attributes = try tag.attributes()
        guard let text = attributes["URI"], !text.isEmpty else { throw tag.invalid("has no URI") }
        let range = try attributes["BYTERANGE"].map { value throws(PlaylistError) in
            let (length, offset) = try parsedRange(value[...], tag)
            return HTTPByteRange(offset: offset ?? 0, length: length)
        }
        let section = MapSection(
            address: try base.resolving(text[...], at: tag.number),
            range: range,
            encryption: nil
        )
        // Some packagers repeat the tag before every segment.
        if map?.section != section { map = Map(section: section, keys: keys) }
    }

    /// Reads the longest duration, which does not describe the content.
    ///
    /// Some packagers write a fraction although the format requires an integer.
    private mutating func setTargetDuration(_ tag: PlaylistTag) {
        hasTargetDuration = true
        guard let seconds = DecimalNumber.lenient(tag.value), seconds <= Self.longestDuration
        else { return }
        targetDuration = Int(seconds.rounded(.up))
    }

    private mutating func setMediaSequence(_ tag: PlaylistTag) throws(PlaylistError) {
        guard segments.isEmpty else { throw tag.invalid("appears after a segment") }
        guard let number = DecimalNumber.whole(tag.value), number <= Int.max / 2 else {
            throw tag.invalid("is not a number")
        }
        mediaSequence = number
    }

    private func duration(_ tag: PlaylistTag) throws(PlaylistError) -> Double {
        // Some packagers write no comma before the title.
        let text = tag.value.prefix { $0 != "," && $0 != " " && $0 != "\t" }
        guard let seconds = DecimalNumber.lenient(text), seconds <= Self.longestDuration else {
            throw tag.invalid("has no duration")
        }
        return seconds
    }

    /// Parses `length` or `length@offset`.
    private func parsedRange(
        _ text: Substring,
        _ tag: PlaylistTag
    ) throws(PlaylistError) -> (length: Int64, offset: Int64?) {
        let text = text.filter { $0 != "\"" }
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.map { DecimalNumber.integer($0.trimmingSpaces).map(Int64.init) }
        guard
            let length = numbers[0], length > 0, length <= Self.longestRange,
            numbers.count == 1 || numbers[1] != nil,
            (numbers.last ?? nil) ?? 0 <= Self.longestRange
        else { throw tag.invalid("is not a byte range") }
        return (length, numbers.count == 1 ? nil : numbers[1])
    }

    private func nextRange(
        of address: WebAddress,
        at number: Int
    ) throws(PlaylistError) -> HTTPByteRange? {
        guard let (length, offset) = pending.range else { return nil }
        if let offset { return HTTPByteRange(offset: offset, length: length) }
        // As in players, the first range starts at offset 0, unless a header may be there. In the
        // middle of a live stream, the previous segment has left the playlist.
        if segments.isEmpty, map?.section.address != address, !acceptsLive || mediaSequence == 0 {
            return HTTPByteRange(offset: 0, length: length)
        }
        guard
            let last = segments.last, last.address == address,
            let range = last.range, let lastLength = range.length
        else {
            throw .invalid("a byte range has no offset and no range to continue", at: number)
        }
        let start = range.offset + lastLength
        guard start <= Self.longestRange else {
            throw .invalid("a byte range exceeds the largest possible file", at: number)
        }
        return HTTPByteRange(offset: start, length: length)
    }

    /// The longest duration of a segment in seconds: about eleven days.
    ///
    /// The sum over all segments stays finite.
    private static let longestDuration = 1e6
    /// The largest length and offset of a byte range: two exbibytes.
    ///
    /// The sum of an offset and a length fits in 64 bits.
    private static let longestRange = Int64.max / 4
}
