// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension MediaOffer {
    /// Creates the offer of a master playlist.
    ///
    /// - Throws: `.noSuchQuality`.
    init(_ master: MasterPlaylist, _ choice: MediaChoice) throws(PlaylistError) {
        let plan = try RenditionPlan(master, choice)
        let kept = Set(plan.entries.map(\.address))
        guard master.textsAlone.isEmpty else {
            self.init(
                subtitles: master.textsAlone.map { media in
                    Language(
                        named: media.name,
                        language: media.language,
                        isKept: media.address.map(kept.contains) ?? false
                    )
                }
            )
            return
        }
        let first = plan.entries.first
        let chosen = try master.rendition(choice.quality)
        func isKept(_ media: AlternativeMedia) -> Bool {
            guard let address = media.address, address != chosen.address else {
                return media.kind == .audio && first?.address == chosen.address
                    && first?.description.content != .pictures
            }
            return kept.contains(address)
        }
        func language(_ media: AlternativeMedia) -> Language {
            Language(named: media.name, language: media.language, isKept: isKept(media))
        }
        self.init(
            qualities: master.renditions.map { rendition in
                Quality(
                    PictureSize(
                        width: rendition.width,
                        height: rendition.height,
                        bandwidth: rendition.bandwidth
                    ),
                    codecs: rendition.codecs,
                    isKept: rendition == chosen && kept.contains(rendition.address)
                )
            },
            audio: master.sound(of: chosen).map(language),
            subtitles: master.subtitles(of: chosen).map(language)
        )
    }
}
