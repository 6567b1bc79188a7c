// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The position of a recording in one playlist of a live stream.
///
/// The window is a value without side effects, and each fetched playlist adds parts. The window is
/// stored with the parts, so that a later run continues after the newest segment. The media
/// sequence number identifies a recorded segment. If the server numbers anew, the address
/// identifies the segment.
package struct LiveWindow: Hashable, Sendable, Codable {
    /// The result of a playlist.
    package struct Addition: Hashable, Sendable {
        /// The new parts in order, with the gaps before them.
        package var parts: [Part] = []
        /// The reason why no further part follows, or nil while the stream goes on.
        package var end: LiveEnd?
    }

    /// A recorded segment.
    private struct Known: Hashable, Codable {
        var number: Int
        var identity: String
        /// The identity without the folder, which may contain a token of a session.
        var name: String

        init(_ segment: Segment) {
            number = segment.number
            identity = segment.identity.description
            let words = identity.split(separator: " ", maxSplits: 3).prefix(2)
            // Some servers have the session in the name: `media_w81_55.ts`.
            let file = segment.address.lastPathComponent.replacing(/_w[0-9]+(?=[_.])/, with: "")
            name = "\(words.joined(separator: " ")) \(file)"
        }
    }

    /// The new segments of a playlist, and the loss before these segments.
    private struct News {
        var start: Int
        var loss: Loss?
    }

    private enum Loss {
        case segments(Int)
        /// The server numbers anew, so the number of lost segments is unknown.
        case restart
    }

    /// The number of recorded segments that identify a playlist.
    private static let knownLimit = 8
    /// The number of segments by which one server of a network may be behind another.
    private static let longestLag = 3
    /// The most seconds by which a jump of the numbers counts as a loss.
    private static let longestLoss = 86_400.0

    /// The recorded time in seconds, with the gaps.
    package private(set) var seconds = 0.0
    /// The number of parts in the track.
    package private(set) var partCount = 0
    /// The newest segments, the last one at the end.
    private var known: [Known] = []
    /// The initialization section of the newest segment, without the key.
    private var map: String?
    /// The number of discontinuities up to the newest segment, or nil if the playlist states none.
    private var discontinuity: Int?
    /// The newest number of a playlist that was far behind, or nil after a current playlist.
    private var behind: Int?

    /// Creates a window without a playlist yet.
    package init() {}

    /// Whether no segment was recorded.
    var isEmpty: Bool { known.isEmpty }

    /// Adds the segments of a playlist that are not recorded.
    ///
    /// - Parameters:
    ///   - playlist: The playlist as the server sent it.
    ///   - limit: The time in seconds at which the recording ends, or nil without a limit.
    ///   - partLimit: The largest number of parts of the track.
    /// - Returns: The new parts.
    package mutating func accept(
        _ playlist: MediaPlaylist,
        until limit: Double? = nil,
        parts partLimit: Int = PlaylistLimits().segments
    ) -> Addition {
        let news = news(in: playlist)
        var addition = Addition()
        let before = partCount
        var loss = news.loss
        for index in news.start..<playlist.segments.count {
            if let end = reachedEnd(limit, partLimit) {
                addition.end = end
                return addition
            }
            addition.parts += add(index, of: playlist, after: loss)
            loss = nil
            partCount = before + addition.parts.count
        }
        addition.end = reachedEnd(limit, partLimit) ?? (playlist.hasEnded ? .list : nil)
        return addition
    }

    private func reachedEnd(_ limit: Double?, _ partLimit: Int) -> LiveEnd? {
        if let limit, seconds >= limit { return .time }
        return partCount >= partLimit ? .tooLong : nil
    }

    /// Returns the parts of one segment: the preceding gap, the initialization section and the
    /// segment.
    private mutating func add(
        _ index: Int,
        of playlist: MediaPlaylist,
        after loss: Loss?
    ) -> [Part] {
        let segment = playlist.segments[index]
        var parts: [Part] = []
        var part = Part(segment)
        let number = Self.discontinuity(at: index, of: playlist)
        switch loss {
        case .segments(let count):
            parts.append(Self.gap(of: Double(count) * playlist.meanDuration, before: segment))
            // The tag may have left the playlist with a lost segment.
            if let number, let discontinuity, number != discontinuity {
                part.isDiscontinuity = true
            }
        case .restart:
            parts.append(Self.gap(of: 0, before: segment))
            part.isDiscontinuity = true
        case nil: break
        }
        if let header = segment.map.map({ playlist.maps[$0] }), header.name != map {
            parts.append(Part(header))
            map = header.name
        }
        parts.append(part)
        seconds += parts.reduce(0) { $0 + ($1.duration ?? 0) }
        discontinuity = number
        known = known.suffix(Self.knownLimit - 1) + [Known(segment)]
        return parts
    }

    /// Returns the part in place of lost segments.
    ///
    /// The identity of this part is never compared.
    private static func gap(of seconds: Double, before segment: Segment) -> Part {
        Part(
            address: segment.address,
            identity: "gap",
            duration: seconds,
            isGap: true
        )
    }

    private mutating func news(in playlist: MediaPlaylist) -> News {
        let segments = playlist.segments
        guard let first = segments.first, let last = segments.last, let newest = known.last else {
            return News(start: 0)
        }
        let names = Dictionary(known.map { ($0.number, $0.name) }) { _, new in new }
        let common = segments.last { names[$0.number] != nil }
        if let common {
            guard names[common.number] == Known(common).name else { return renumbered(playlist) }
            guard last.number >= newest.number - Self.longestLag else {
                defer { behind = last.number }
                // A server that is behind repeats the playlist, but a server that has restarted
                // adds segments.
                guard let behind, last.number > behind else { return News(start: segments.count) }
                return News(start: 0, loss: .restart)
            }
            behind = nil
            return News(start: min(segments.count, max(0, newest.number + 1 - first.number)))
        }
        let lost = first.number - newest.number - 1
        guard lost >= 0, Double(lost) * playlist.meanDuration <= Self.longestLoss else {
            return renumbered(playlist)
        }
        if lost == 0 { return News(start: 0) }
        let isRenumbered = segments.contains { $0.identity.description == newest.identity }
        return isRenumbered ? renumbered(playlist) : News(start: 0, loss: .segments(lost))
    }

    /// Returns the segments after the newest known address, or all segments after an unknown loss.
    private func renumbered(_ playlist: MediaPlaylist) -> News {
        let identities = playlist.segments.map(\.identity.description)
        for known in known.reversed() {
            guard let index = identities.lastIndex(of: known.identity) else { continue }
            // The known segments after this one have left the playlist or were replaced.
            let isNewest = known == self.known.last
            return News(start: index + 1, loss: isNewest ? nil : .restart)
        }
        return News(start: 0, loss: .restart)
    }

    /// Returns the number of discontinuities up to a segment, or nil if the playlist states none.
    private static func discontinuity(at index: Int, of playlist: MediaPlaylist) -> Int? {
        guard let first = playlist.discontinuitySequence else { return nil }
        return first &+ playlist.segments[...index].count(where: \.isDiscontinuity)
    }
}

extension MediaPlaylist {
    /// The mean duration of a segment in seconds, or 0 without segments.
    fileprivate var meanDuration: Double {
        segments.isEmpty ? 0 : duration / Double(segments.count)
    }
}

extension MapSection {
    /// The identity without the key, which may differ each time the playlist is fetched.
    fileprivate var name: String {
        SegmentIdentity(address: address, range: range, duration: nil, iv: nil).description
    }
}
