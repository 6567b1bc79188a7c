// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A list of the renditions of one stream.
package struct MasterPlaylist: Hashable, Sendable {
    /// The renditions in the playlist's order; at least one.
    package var renditions: [Rendition]

    /// Returns the rendition to keep.
    ///
    /// One with its sound in a stream of its own is passed over, so that nobody gets a silent film;
    /// one without a picture is passed over while another has one. Of equals the first is taken.
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
        // Where some renditions do not tell their size, only bandwidth compares all of them.
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
                "The stream has its sound in separate audio renditions (EXT-X-MEDIA), which this "
                    + "program cannot join yet; it would be a silent film."
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
            ? "it does not tell its heights; choose “best”"
            : "choose “best” or one of \(offers.joined(separator: ", "))"
        return PlaylistError(
            .noSuchRendition,
            "The stream has no rendition of height \(height); \(remedy)."
        )
    }
}
