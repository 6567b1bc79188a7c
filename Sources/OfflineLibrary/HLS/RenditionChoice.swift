// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Which rendition of a stream to keep.
package enum RenditionChoice: Hashable, Sendable {
    /// The one with the most pixels, then the highest bandwidth.
    case best
    /// The one of exactly this height in pixels.
    case height(Int)

    /// Creates the choice that a person wrote: `best`, or a height such as `720p`.
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
                "“\(text.prefix(20))” names no rendition; write “best”, or a height such as “720p”."
            )
        }
        self = .height(height)
    }
}

extension RenditionChoice: CustomStringConvertible {
    /// The text that `init(_:)` reads back.
    package var description: String {
        switch self {
        case .best: "best"
        case .height(let height): "\(height)p"
        }
    }
}
