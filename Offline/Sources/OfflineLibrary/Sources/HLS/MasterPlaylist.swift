// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A list of the renditions of one stream.
package struct MasterPlaylist: Hashable, Sendable {
    /// The renditions in the playlist's order; at least one.
    package var renditions: [Rendition]

    /// Returns the rendition to keep.
    ///
    /// The method ignores renditions with separate audio, because the video would be silent, and
    /// audio-only renditions unless there are no others. Of equal renditions, it returns the first.
    ///
    /// - Throws: `.noSuchRendition` or `.separateAudio`.
    package func rendition(_ choice: RenditionChoice) throws(PlaylistError) -> Rendition {
        let withPicture = renditions.filter { !$0.isAudioOnly }
        let candidates = withPicture.isEmpty ? renditions : withPicture
        switch choice {
        case .best:
            return try best(of: candidates)
        case .height(let height):
            let matching = candidates.filter { $0.height == height }
            guard !matching.isEmpty else { throw noRendition(ofHeight: height, among: candidates) }
            return try best(of: matching)
        }
    }

    private func best(of candidates: [Rendition]) throws(PlaylistError) -> Rendition {
        let playable = candidates.filter { !$0.hasSeparateAudio }
        // If a rendition does not state its size, only the bandwidths are comparable.
        let bySize = playable.allSatisfy { $0.height != nil }
        var best: Rendition?
        for candidate in playable {
            guard let current = best else {
                best = candidate
                continue
            }
            if rank(current, bySize) < rank(candidate, bySize) { best = candidate }
        }
        guard let best else {
            throw PlaylistError(
                .separateAudio,
                "The stream has its audio in separate renditions (EXT-X-MEDIA), which this program "
                    + "cannot join yet. The video would be silent."
            )
        }
        return best
    }

    private func rank(_ rendition: Rendition, _ bySize: Bool) -> (Int, Int) {
        let pixels = (rendition.width ?? 1) * (rendition.height ?? 1)
        return (bySize ? pixels : 0, rendition.bandwidth)
    }

    private func noRendition(
        ofHeight height: Int,
        among candidates: [Rendition]
    ) -> PlaylistError {
        let heights = Set(candidates.filter { !$0.hasSeparateAudio }.compactMap(\.height))
        let offers = heights.sorted(by: >).prefix(20).map { "\($0)p" }
        let remedy =
            offers.isEmpty
            ? "It does not state its heights; choose “best”."
            : "Choose “best” or one of \(offers.joined(separator: ", "))."
        return PlaylistError(
            .noSuchRendition,
            "The stream has no rendition with a height of \(height) pixels. \(remedy)"
        )
    }
}
