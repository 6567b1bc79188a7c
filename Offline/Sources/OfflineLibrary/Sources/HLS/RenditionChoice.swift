// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The choice of a rendition to download.
package enum RenditionChoice: Hashable, Sendable {
    /// The rendition with the most pixels, then the highest bandwidth.
    case best
    /// The rendition of exactly this height in pixels.
    case height(Int)

    /// Parses `best`, or a height such as `720p`; throws `.noSuchRendition` for any other text.
    package init(_ text: String) throws(PlaylistError) {
        if text == "best" {
            self = .best
            return
        }
        let digits = text.utf8.dropLast()
        guard
            text.utf8.last == UInt8(ascii: "p"),
            let height = DecimalNumber.integer(Substring(digits)),
            (1...100_000).contains(height)
        else {
            throw PlaylistError(
                .noSuchRendition,
                "Unknown rendition “\(text.prefix(20))”. Use “best” or a height such as “720p”."
            )
        }
        self = .height(height)
    }
}

extension RenditionChoice: CustomStringConvertible {
    /// The text that `init(_:)` parses.
    package var description: String {
        switch self {
        case .best: "best"
        case .height(let height): "\(height)p"
        }
    }
}

/// The properties of a rendition by which one of several is chosen.
struct PictureSize: Hashable, Sendable {
    /// The width in pixels.
    var width: Int?
    /// The height in pixels.
    var height: Int?
    /// The bandwidth in bits per second.
    var bandwidth: Int
    /// The rank of its codec among renditions of the same size; the highest one wins.
    var preference = 0
}

extension RenditionChoice {
    /// Chooses one of several renditions.
    ///
    /// If none has the chosen height, that is the next lower one, else the lowest. Of equal
    /// renditions, it is the first.
    ///
    /// - Parameter sizes: The renditions, at least one.
    /// - Returns: The index of the rendition to keep.
    /// - Throws: `.noSuchRendition` for a height if the stream states none.
    func index(among sizes: [PictureSize]) throws(PlaylistError) -> Int {
        guard case .height(let height) = self else {
            return Self.best(of: Array(sizes.indices), sizes)
        }
        let heights = sizes.compactMap(\.height)
        guard let nearest = heights.filter({ $0 <= height }).max() ?? heights.min() else {
            throw PlaylistError(
                .noSuchRendition,
                "The stream does not state the heights of its renditions. Choose “best”."
            )
        }
        return Self.best(of: sizes.indices.filter { sizes[$0].height == nearest }, sizes)
    }

    private static func best(of candidates: [Int], _ sizes: [PictureSize]) -> Int {
        // If a rendition does not state its size, only the bandwidths are comparable.
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
