// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

extension PageCandidate {
    /// Returns the form that an item of a quality keeps, and the note about another one.
    ///
    /// A stream has its own qualities, so that it is kept whatever the quality.
    func form(for quality: QualityChoice) -> (media: PageMedia, notes: [String]) {
        if quality == .audio, let sound = ([media] + alternatives).first(where: \.isAudio) {
            return (sound, [])
        }
        let files = ([media] + alternatives).filter { $0.format == .video && $0.height != nil }
        guard media.format == .video, quality != .best, !files.isEmpty else { return (media, []) }
        let sizes = files.map { PictureSize(height: $0.height, bandwidth: $0.height ?? 0) }
        guard let index = try? quality.index(among: sizes) else { return (media, []) }
        let file = files[index]
        guard case .height(let height) = quality, let kept = file.height, kept != height else {
            return (file, [])
        }
        return (file, ["The page does not have \(height)p; \(kept)p was kept."])
    }
}

extension MediaCandidate {
    /// Creates the candidate of a page.
    init(
        _ candidate: PageCandidate,
        _ media: PageMedia,
        titled title: String?,
        picture: WebAddress?,
        page: WebAddress
    ) {
        self.init(
            address: media.address.text,
            title: title ?? Title(origin: .address(media.address)).text,
            format: media.format.name,
            referrer: page.text,
            picture: picture?.text,
            height: media.height,
            duration: candidate.duration.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        )
    }
}
