// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// The form of a film or recording that an item keeps, chosen from the site's offers.
struct SiteChoice: Hashable {
    /// The form to fetch.
    let format: SiteFormat
    /// The files with the sound of a silent form, or with sound in further languages.
    ///
    /// The list is empty if the item keeps only the form.
    let sounds: [SiteFormat]
    /// The subtitles beside the form, including subtitles that are not kept.
    private(set) var subtitles: [SubtitleReference] = []
    /// The omissions and replacements, in sentences for the user.
    private(set) var notes: [String] = []

    /// The largest number of sound languages to keep.
    private static let languageLimit = 16

    /// Chooses a form.
    ///
    /// Pictures of the requested size with sound in a chosen language come first. Among several
    /// such forms, the form that plays in most places wins, and then the form with more of the
    /// chosen languages. Pictures without sound are chosen only if the site has no sound at all.
    ///
    /// - Parameters:
    ///   - document: The description of one film or recording.
    ///   - choice: The requested quality and languages.
    ///   - site: The host, for messages.
    /// - Throws: `DownloadError` if no form can be kept.
    init(
        _ document: SiteDocument,
        _ choice: MediaChoice,
        site: String
    ) throws(DownloadError) {
        let quality = choice.quality
        let offered = document.formats.filter { $0.hasPictures || $0.hasSound }
        let usable = offered.filter(\.isUsable)
        guard !usable.isEmpty else { throw Self.refusal(of: offered, site) }
        // The user asked for the sound alone, which the site may offer.
        let alone = quality == .audio ? usable.filter { !$0.hasPictures } : []
        let pictures = alone.isEmpty ? usable.filter(\.hasPictures) : []
        let isSilent = !offered.contains(where: \.hasSound)
        let sound = Self.sound(usable, choice.audio)
        let candidates =
            pictures.isEmpty
            ? Self.preferred(alone.isEmpty ? usable : alone, choice.audio)
            : Self.inLanguage(
                pictures.filter { picture in
                    picture.isWhole || isSilent || picture.isJoinable && !sound.kept.isEmpty
                },
                choice.audio,
                hasSound: sound.isChosen
            )
        guard !candidates.isEmpty else {
            throw DownloadError(
                .unsupported,
                "\(site) offers pictures and sound only as separate files that offline cannot join. "
                    + "Look for a download link on the page."
            )
        }
        let own = alone.isEmpty ? quality : .best
        let isSeparate = sound.kept.count > 1
        let sizes = candidates.map { $0.rankedSize(prefersSeparate: isSeparate) }
        let chosen = candidates[try Self.index(own, sizes)]
        guard !document.isLive || chosen.transport != .file else {
            throw DownloadError(
                .refused,
                "\(site) is still sending this broadcast. Try again when it has ended."
            )
        }
        format = chosen
        if pictures.isEmpty {
            // Further languages can be joined only to a file of the same kind.
            sounds =
                chosen.isJoinable
                ? sound.kept.filter { $0.language != chosen.language } : []
        } else {
            sounds = chosen.isWhole || isSilent ? [] : sound.kept
        }
        if chosen.transport == .file {
            let all = pictures.map { $0.rankedSize(prefersSeparate: isSeparate) }
            let wanted = pictures.isEmpty ? chosen : pictures[try Self.index(quality, all)]
            addQualityNotes(quality, wanted: wanted.size.height)
            addSoundNotes(document, choice.audio)
        }
        addSubtitles(of: document, choice)
    }

    /// The languages of the sound that the item keeps, as the site names the languages.
    var keptLanguages: Set<String> {
        let own = format.hasPictures && !sounds.isEmpty ? [] : [format]
        return Set((own + sounds).compactMap(\.language))
    }

    /// Returns the languages of all sound that can be fetched, as the site names the languages.
    func soundLanguages(of document: SiteDocument) -> [String] {
        var known: Set<String> = []
        return document.formats.filter { $0.isUsable && $0.hasSound }.compactMap(\.language)
            .filter { known.insert($0).inserted }
    }

    /// Returns the best file of each chosen language, and whether the site has a chosen language.
    ///
    /// The file that the site prefers comes first. If the site has no chosen language, the only
    /// file is the file that the site prefers.
    private static func sound(
        _ usable: [SiteFormat],
        _ choice: LanguageChoice
    ) -> (kept: [SiteFormat], isChosen: Bool) {
        var known: Set<String?> = []
        // The site lists the best form last.
        let best = usable.reversed().filter { !$0.hasPictures && $0.isJoinable }
            .filter { known.insert($0.language).inserted }
        // A file without a language most likely has the language of another file.
        let named = best.enumerated().filter { $0.offset == 0 || $0.element.language != nil }
        let chosen = choice.selection(of: named.map(\.element), language: \.language).kept
        let kept = chosen.isEmpty ? best.prefix(1) : chosen.prefix(languageLimit)
        return (Array(kept), !chosen.isEmpty)
    }

    /// Returns the sound in the first chosen language that the site has, or else in the language of
    /// the last form, which the site prefers.
    private static func preferred(
        _ sounds: [SiteFormat],
        _ choice: LanguageChoice
    ) -> [SiteFormat] {
        let chosen = choice.selection(of: sounds, language: \.language).kept
        let language = choice == .all || chosen.isEmpty ? sounds.last?.language : chosen[0].language
        return sounds.filter { $0.language == language }
    }

    /// Returns the pictures that have, or can get, sound in a chosen language, or all pictures if
    /// there are none.
    private static func inLanguage(
        _ pictures: [SiteFormat],
        _ choice: LanguageChoice,
        hasSound: Bool
    ) -> [SiteFormat] {
        guard case .only = choice else { return pictures }
        let suitable = pictures.filter { picture in
            if picture.transport != .file { return true }
            guard picture.hasSound else { return hasSound }
            return !choice.selection(of: [picture], language: \.language).kept.isEmpty
        }
        return suitable.isEmpty ? pictures : suitable
    }

    private mutating func addQualityNotes(_ quality: QualityChoice, wanted: Int?) {
        guard let kept = format.size.height else { return }
        if let wanted, wanted != kept {
            notes.append(
                "The site has \(wanted)p only in files that offline cannot join; \(kept)p was kept."
            )
        } else if quality == .audio {
            notes.append("The site has no separate sound; its smallest picture was kept, too.")
        } else if case .height(let height) = quality, height != kept {
            notes.append("The site does not have \(height)p; \(kept)p was kept.")
        }
    }

    private mutating func addSoundNotes(_ document: SiteDocument, _ choice: LanguageChoice) {
        let languages = soundLanguages(of: document)
        let selection = choice.selection(of: languages, language: \.self)
        let kept = keptLanguages
        let lost = selection.kept.filter { !kept.contains($0) }
        // Kept sound without a stated language may be in a language that seems to be lost.
        if !lost.isEmpty, !kept.isEmpty || choice != .all {
            notes.append("Sound was left out: \(Self.names(lost.sorted())).")
        }
        let note = LanguageChoice.note(selection.missing, of: "sound", offering: languages)
        if let note { notes.append(note) }
    }

    private mutating func addSubtitles(of document: SiteDocument, _ choice: MediaChoice) {
        let isStream = format.transport != .file
        let offered = document.subtitles.filter { !isStream || !$0.isInStream || $0.address != nil }
            .map { SubtitleReference(address: $0.address, language: $0.language, name: $0.name) }
        let (files, left) = SubtitleReference.chosen(offered, choice, isStream: isStream)
        subtitles = files
        notes += left
    }

    private static func index(
        _ quality: QualityChoice,
        _ sizes: [PictureSize]
    ) throws(DownloadError) -> Int {
        // A site with one form often does not state the size of the form.
        let isStated = sizes.contains { $0.height != nil }
        do throws(PlaylistError) {
            return try (isStated ? quality : .best).index(among: sizes)
        } catch {
            throw DownloadError(error)
        }
    }

    private static func refusal(of formats: [SiteFormat], _ site: String) -> DownloadError {
        if formats.contains(where: \.isProtected) { return DownloadError(protectedAt: site) }
        return DownloadError(
            .unsupported,
            "\(site) offers its media only in a form that offline cannot fetch. Look for a "
                + "download link on the page."
        )
    }

    private static func names(_ languages: [String]) -> String {
        let names = languages.prefix(8).map { Title(line: $0, longest: 20, fallback: "?").text }
        let more = languages.count > 8 ? " and \(languages.count - 8) more" : ""
        return names.joined(separator: ", ") + more
    }
}

extension SiteFormat {
    /// Whether the address leads to both pictures and sound.
    ///
    /// The sound of a stream may be separate.
    fileprivate var isWhole: Bool { hasSound || transport != .file }

    /// Whether the form is a file with one track that can be joined with the track of another file.
    fileprivate var isJoinable: Bool {
        transport == .file && hasPictures != hasSound && ["mp4", "m4a"].contains(container)
    }

    /// Returns the size for comparisons with other forms.
    ///
    /// Among equal heights, the form that needs no other file wins, or the form that takes several
    /// languages if `prefersSeparate` is true.
    fileprivate func rankedSize(prefersSeparate: Bool) -> PictureSize {
        var size = size
        // Only some forms of a site state the width.
        size.width = nil
        if transport != .file || hasSound != prefersSeparate { size.preference += 1 }
        return size
    }
}
