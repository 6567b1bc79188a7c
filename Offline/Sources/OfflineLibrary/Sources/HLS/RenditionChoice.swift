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
