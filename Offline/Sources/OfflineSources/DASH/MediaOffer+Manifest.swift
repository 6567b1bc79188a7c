// SPDX-License-Identifier: Apache-2.0
import OfflineModel

extension MediaOffer {
    /// Creates the offer of a period, even if nothing in the period can be kept.
    init(_ period: Manifest.Period, _ choice: MediaChoice) {
        let kept = try? ManifestChoice(period, choice)
        func sets(_ kind: AdaptationSet.Kind) -> [AdaptationSet] {
            period.sets.filter { $0.kind == kind }
        }
        func language(_ set: AdaptationSet, isKept: Bool) -> Language {
            Language(named: set.label, language: set.language, isKept: isKept)
        }
        let sound = Set((kept?.sound ?? []).map(\.key))
        self.init(
            qualities: sets(.video).flatMap(\.representations).map { representation in
                Quality(
                    representation.size,
                    codecs: representation.codecs,
                    isKept: representation == kept?.pictures,
                    problem: representation.problem
                )
            },
            audio: sets(.audio).map { language($0, isKept: sound.contains($0.soundKey)) },
            subtitles: sets(.text).map { set in
                language(set, isKept: kept?.texts.contains(set) == true && set.isPlainText)
            }
        )
    }
}

extension Representation {
    /// The reason for the user why the representation cannot be kept, or nil if there is none.
    fileprivate var problem: String? {
        if !protections.isEmpty { return "protected against copying (DRM)" }
        return isJoinable ? nil : "in a format that this program does not support yet"
    }
}
