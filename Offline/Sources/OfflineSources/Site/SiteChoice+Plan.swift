// SPDX-License-Identifier: Apache-2.0
package import OfflineModel
import TidingsHTTP

extension SiteChoice {
    /// Plans separate files of pictures and of the sound in one or several languages.
    ///
    /// - Parameter document: The description that the choice was made from.
    /// - Returns: The plan, or nil for a form that needs no other file.
    func plan(of document: SiteDocument) -> MediaPlan? {
        guard !sounds.isEmpty, let first = Self.part(format, of: document) else { return nil }
        var tracks = [
            Track(
                parts: [first],
                description: format.hasPictures
                    ? TrackDescription(content: .pictures) : Self.description(format)
            )
        ]
        for sound in sounds {
            guard let part = Self.part(sound, of: document) else { return nil }
            tracks.append(Track(parts: [part], description: Self.description(sound)))
        }
        return MediaPlan(tracks: tracks)
    }

    private static func description(_ sound: SiteFormat) -> TrackDescription {
        let language = sound.language.flatMap(TrackDescription.languageCode)
        return TrackDescription(content: .sound, language: language)
    }

    /// Returns the forms of a film as an offer.
    func offer(of document: SiteDocument) -> MediaOffer {
        let pictures = document.formats.filter(\.hasPictures)
        return MediaOffer(
            qualities: pictures.filter { $0.size.height != nil }.map { form in
                MediaOffer.Quality(
                    form.size,
                    codecs: [form.videoCodec].compactMap { $0 },
                    isKept: form == format,
                    problem: form.isUsable ? nil : "not in a form that offline can fetch"
                )
            },
            audio: format.transport == .file
                ? soundLanguages(of: document).map { language in
                    let isKept = keptLanguages.contains(language)
                    return MediaOffer.Language(named: nil, language: language, isKept: isKept)
                } : []
        )
    }

    /// Returns the part that is a whole file.
    ///
    /// The identity is the site's name for the form, because each response has another address.
    private static func part(_ format: SiteFormat, of document: SiteDocument) -> Part? {
        guard let address = format.address else { return nil }
        let names = [document.extractor, document.id, format.id].map { name in
            Title(line: name ?? "", longest: 80, fallback: "-").text
        }
        return Part(address: address, identity: "site " + names.joined(separator: " "))
    }
}

extension ItemKind {
    /// Separate files of pictures and sound, which a site names.
    package static let site = ItemKind(rawValue: "site")
}
