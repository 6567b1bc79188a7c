// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The choice of one of the qualities in which a stream is offered.
package enum QualityChoice: Hashable, Sendable {
    /// The rendition with the most pixels, then the highest bandwidth.
    case best
    /// The rendition of exactly this height in pixels.
    case height(Int)
    /// Only the sound.
    case audio

    /// The words that a shell offers.
    package static let usualWords = [
        "best", "2160p", "1440p", "1080p", "720p", "480p", "360p", "audio",
    ]

    /// Parses `best`, a height such as `720p`, or `audio`.
    ///
    /// The initializer throws `.noSuchQuality` for any other text.
    package init(_ text: String) throws(PlaylistError) {
        if text == "best" || text == "audio" {
            self = text == "best" ? .best : .audio
            return
        }
        let digits = text.utf8.dropLast()
        guard
            text.utf8.last == UInt8(ascii: "p"),
            let height = DecimalNumber.integer(Substring(digits)),
            (1...100_000).contains(height)
        else {
            throw PlaylistError(
                .noSuchQuality,
                "Unknown quality “\(text.prefix(20))”. Use “best”, a height such as “720p”, or “audio”."
            )
        }
        self = .height(height)
    }
}

extension QualityChoice: CustomStringConvertible {
    /// The text that `init(_:)` parses.
    package var description: String {
        switch self {
        case .best: "best"
        case .height(let height): "\(height)p"
        case .audio: "audio"
        }
    }
}

/// The properties of a rendition by which one of several is chosen.
package struct PictureSize: Hashable, Sendable {
    /// The width in pixels.
    package var width: Int?
    /// The height in pixels.
    package var height: Int?
    /// The bandwidth in bits per second.
    package var bandwidth: Int
    /// The rank of the codec among renditions of the same size, of which the highest rank wins.
    package var preference = 0

    /// Creates a size.
    package init(width: Int? = nil, height: Int? = nil, bandwidth: Int, preference: Int = 0) {
        self.width = width
        self.height = height
        self.bandwidth = bandwidth
        self.preference = preference
    }
}

extension QualityChoice {
    /// Chooses one of several renditions.
    ///
    /// If no rendition has the chosen height, the method chooses the next lower height, or else the
    /// lowest height. For sound alone, the method chooses the rendition with the lowest bandwidth.
    /// Of equal renditions, the method chooses the first.
    ///
    /// - Parameter sizes: The renditions, at least one.
    /// - Returns: The index of the rendition to keep.
    /// - Throws: `.noSuchQuality` for a height if the stream states no heights.
    package func index(among sizes: [PictureSize]) throws(PlaylistError) -> Int {
        let height: Int
        switch self {
        case .best: return Self.best(of: Array(sizes.indices), sizes)
        case .audio: return sizes.indices.min { sizes[$0].bandwidth < sizes[$1].bandwidth } ?? 0
        case .height(let wanted): height = wanted
        }
        let heights = sizes.compactMap(\.height)
        guard let nearest = heights.filter({ $0 <= height }).max() ?? heights.min() else {
            throw PlaylistError(
                .noSuchQuality,
                "The stream does not state the heights of its renditions. Choose “best”."
            )
        }
        return Self.best(of: sizes.indices.filter { sizes[$0].height == nearest }, sizes)
    }

    private static func best(of candidates: [Int], _ sizes: [PictureSize]) -> Int {
        // If a rendition does not state the size, only the bandwidths are comparable.
        let bySize = candidates.allSatisfy { sizes[$0].height != nil }
        func rank(_ index: Int) -> (Int, Int, Int) {
            let size = sizes[index]
            let (pixels, overflow) = (size.width ?? 1).multipliedReportingOverflow(
                by: size.height ?? 1
            )
            return (bySize ? overflow ? 0 : pixels : 0, size.preference, size.bandwidth)
        }
        return candidates.dropFirst().reduce(candidates[0]) { rank($0) < rank($1) ? $1 : $0 }
    }
}
