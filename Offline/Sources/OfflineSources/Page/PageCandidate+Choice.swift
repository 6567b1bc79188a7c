// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

extension PageCandidate {
    /// A form of the media, the notes about this form, and whether the page states the quality.
    typealias Form = (media: PageMedia, notes: [String], isChosen: Bool)

    /// Returns the form that an item keeps for a quality choice.
    ///
    /// A stream offers its own qualities, so an item keeps the stream for every choice.
    func form(for quality: QualityChoice) -> Form {
        if quality == .audio, let sound = ([media] + alternatives).first(where: \.isAudio) {
            return (sound, [], true)
        }
        let files = ([media] + alternatives).filter { $0.format == .video && $0.height != nil }
        guard media.format == .video, quality != .best, !files.isEmpty else {
            return (media, [], false)
        }
        let sizes = files.map { PictureSize(height: $0.height, bandwidth: $0.height ?? 0) }
        guard let index = try? quality.index(among: sizes) else { return (media, [], false) }
        let file = files[index]
        guard case .height(let height) = quality, let kept = file.height, kept != height else {
            return (file, [], true)
        }
        return (file, ["The page does not have \(height)p; \(kept)p was kept."], true)
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
