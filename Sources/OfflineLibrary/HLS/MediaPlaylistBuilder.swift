// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// Collects the segments of a media playlist.
struct MediaPlaylistBuilder {
    private let base: WebAddress
    private let limits: PlaylistLimits
    private var segments: [Segment] = []
    private var keys = PlaylistKeys()
    private var map: Map?
    private var mediaSequence = 0
    private var targetDuration: Int?
    private var hasEnded = false
    private var addressBytes = 0
    /// What the tags since the last address say about the next segment.
    private var next = Upcoming()

    /// A section with the keys in force at its tag; its number is known only at the end.
    private struct Map {
        var section: MapSection
        var keys: PlaylistKeys
        var segmentsBefore: Int
    }

    private struct Upcoming {
        var duration: Double?
        var range: (length: Int64, offset: Int64?)?
        var isDiscontinuity = false
    }

    init(base: WebAddress, limits: PlaylistLimits) {
        self.base = base
        self.limits = limits
    }

    /// Takes a tag of a media playlist.
    mutating func take(_ tag: PlaylistTag) throws(PlaylistError) {
        switch tag.name {
        case .information: next.duration = try duration(tag)
        case .targetDuration: try takeTargetDuration(tag)
        case .mediaSequence: try takeMediaSequence(tag)
        case .playlistType: hasEnded = hasEnded || tag.value == "VOD"
        case .endList: hasEnded = true
        case .key: try keys.take(tag, base: base)
        case .map: try takeMap(tag)
        case .byteRange: next.range = try parsedRange(tag.value, tag)
        case .discontinuity: next.isDiscontinuity = true
        case .gap: throw .unsupported("missing parts (EXT-X-GAP)")
        case .picturesOnly: throw .unsupported("pictures without motion (EXT-X-I-FRAMES-ONLY)")
        case .skip: throw .unsupported("partial playlists (EXT-X-SKIP)")
        case .define, .stream, .media: break
        }
    }

    /// Takes the address of a segment.
    mutating func takeAddress(_ line: Substring, number: Int) throws(PlaylistError) {
        guard let duration = next.duration else {
            throw .invalid("a segment has no EXTINF", at: number)
        }
        guard segments.count < limits.segments else {
            throw PlaylistError(
                .tooLarge,
                "The playlist lists more than \(limits.segments) segments; no real one does."
            )
        }
        let address = try base.resolving(line, at: number)
        // Each short line can become as long as the playlist's own address.
        addressBytes += address.text.utf8.count
        guard addressBytes <= limits.addressBytes else {
            throw PlaylistError(.tooLarge, "The playlist's addresses are too long altogether.")
        }
        let sequenceNumber = mediaSequence + segments.count
        segments.append(
            Segment(
                index: segments.count,
                number: sequenceNumber,
                address: address,
                range: try nextRange(of: address, at: number),
                duration: duration,
                encryption: try keys.encryption(ofSegmentNumber: sequenceNumber),
                isDiscontinuity: next.isDiscontinuity
            )
        )
        next = Upcoming()
    }

    /// Returns the playlist, if it is whole.
    func finish() throws(PlaylistError) -> MediaPlaylist {
        guard hasEnded || targetDuration != nil else {
            throw PlaylistError(
                .notPlaylist,
                "This is a list of links and no HLS stream; give the address of one of them."
            )
        }
        guard hasEnded else {
            throw PlaylistError(
                .live,
                "The stream is live and has not ended; try again when it is over."
            )
        }
        guard !segments.isEmpty else {
            throw PlaylistError(.empty, "The playlist lists no segment; try again later.")
        }
        let longest = segments.reduce(0) { max($0, $1.duration) }
        return MediaPlaylist(
            targetDuration: targetDuration ?? Int(longest.rounded(.up)),
            mediaSequence: mediaSequence,
            segments: segments,
            map: try finishedMap()
        )
    }

    private func finishedMap() throws(PlaylistError) -> MapSection? {
        guard let map else { return nil }
        var section = map.section
        // Without an IV of its own it has that of the segment after it, as players take it.
        let number = mediaSequence + map.segmentsBefore
        section.encryption = try map.keys.encryption(ofSegmentNumber: number)
        return section
    }

    private mutating func takeMap(_ tag: PlaylistTag) throws(PlaylistError) {
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
        if let map {
            guard map.section == section else {
                throw .unsupported("several initialisation sections (EXT-X-MAP)")
            }
        } else {
            guard segments.isEmpty else {
                throw .unsupported("a change of format within it (EXT-X-MAP after segments)")
            }
            map = Map(section: section, keys: keys, segmentsBefore: segments.count)
        }
    }

    private mutating func takeTargetDuration(_ tag: PlaylistTag) throws(PlaylistError) {
        // Some packagers write a fraction where the format has whole seconds.
        guard let seconds = DecimalNumber.fraction(tag.value), seconds <= Self.longestDuration
        else {
            throw tag.invalid("is no number of seconds")
        }
        targetDuration = Int(seconds.rounded(.up))
    }

    private mutating func takeMediaSequence(_ tag: PlaylistTag) throws(PlaylistError) {
        guard segments.isEmpty else { throw tag.invalid("stands after a segment") }
        guard let number = DecimalNumber.integer(tag.value), number <= Int.max / 2 else {
            throw tag.invalid("is no number")
        }
        mediaSequence = number
    }

    private func duration(_ tag: PlaylistTag) throws(PlaylistError) -> Double {
        let text = tag.value.prefix { $0 != "," }.trimmingSpaces
        guard let seconds = DecimalNumber.fraction(text), seconds <= Self.longestDuration else {
            throw tag.invalid("has no duration")
        }
        return seconds
    }

    /// Reads `length` or `length@offset`.
    private func parsedRange(
        _ text: Substring,
        _ tag: PlaylistTag
    ) throws(PlaylistError) -> (length: Int64, offset: Int64?) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.map { DecimalNumber.integer($0.trimmingSpaces).map(Int64.init) }
        guard
            let length = numbers[0], length > 0, length <= Self.longestRange,
            numbers.count == 1 || numbers[1] != nil,
            (numbers.last ?? nil) ?? 0 <= Self.longestRange
        else { throw tag.invalid("is no range of bytes") }
        return (length, numbers.count == 1 ? nil : numbers[1])
    }

    private func nextRange(
        of address: WebAddress,
        at number: Int
    ) throws(PlaylistError) -> HTTPByteRange? {
        guard let (length, offset) = next.range else { return nil }
        if let offset { return HTTPByteRange(offset: offset, length: length) }
        guard
            let last = segments.last, last.address == address,
            let range = last.range, let lastLength = range.length
        else {
            throw .invalid("a byte range has no offset and continues none", at: number)
        }
        let start = range.offset + lastLength
        guard start <= Self.longestRange else {
            throw .invalid("a byte range lies beyond the end of any file", at: number)
        }
        return HTTPByteRange(offset: start, length: length)
    }

    /// About eleven days; longer than any segment, and safe to add up.
    private static let longestDuration = 1e6
    /// Four exabytes: two of them still fit in 64 bits.
    private static let longestRange = Int64.max / 4
}
