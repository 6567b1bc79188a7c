// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// The playlists of a stream to keep: a rendition, and the separate sound and subtitles in the
/// chosen languages.
struct RenditionPlan: Hashable {
    /// A media playlist, and the content that the file keeps of the playlist.
    struct Entry: Hashable {
        var address: WebAddress
        var description: TrackDescription
        /// The name of sound or subtitles that the file may lack, or nil for a required playlist.
        var optionalName: String?
    }

    /// The playlists.
    ///
    /// The first one is the rendition.
    let entries: [Entry]
    /// The omissions and replacements, in sentences for the user.
    let notes: [String]

    /// The largest number of languages to keep, for sound and for subtitles.
    private static let languageLimit = 16

    /// Chooses the playlists.
    ///
    /// - Throws: `.noSuchQuality`.
    init(_ master: MasterPlaylist, _ choice: MediaChoice) throws(PlaylistError) {
        self =
            master.textsAlone.isEmpty
            ? try RenditionPlan(filmOf: master, choice)
            : RenditionPlan(textsAlone: master.textsAlone, choice.subtitles)
    }

    private init(filmOf master: MasterPlaylist, _ choice: MediaChoice) throws(PlaylistError) {
        let rendition = try master.rendition(choice.quality)
        let isSoundOnly = choice.quality == .audio
        let (sound, soundNote) = Self.chosenSound(master.sound(of: rendition), choice.audio)
        let own = sound.first {
            !$0.isForbidden && ($0.address == nil || $0.address == rendition.address)
        }
        let separate = Self.distinct(sound).filter { $0.address != rendition.address }
        let forbidden = sound.filter(\.isForbidden)
        guard own != nil || !separate.isEmpty || forbidden.isEmpty else {
            throw PlaylistError(
                .forbiddenAddress,
                "The address of the sound in the playlist is not a web address: only http and "
                    + "https are supported."
            )
        }
        var picture = Entry(address: rendition.address, description: TrackDescription())
        picture.description.language = own?.language.flatMap(TrackDescription.languageCode)
        let isSeparate = own == nil && !separate.isEmpty
        if isSeparate { picture.description.content = .pictures }
        if isSoundOnly, !rendition.isAudioOnly { picture.description.content = .sound }
        let kept = separate.prefix(Self.languageLimit).compactMap(Self.entry)
        var entries = isSoundOnly && isSeparate ? kept : [picture] + kept
        // A rendition without sound needs the first separate sound.
        if isSeparate { entries[isSoundOnly ? 0 : 1].optionalName = nil }
        // A user who wants the sound alone does not miss subtitles.
        let languages = isSoundOnly && choice.subtitles == .all ? .none : choice.subtitles
        let texts = languages.selection(of: master.subtitles(of: rendition), language: \.language)
        let subtitles = Self.distinct(texts.kept)
        entries += subtitles.prefix(Self.languageLimit).compactMap(Self.entry)
        self.entries = entries
        var notes = Self.qualityNotes(choice.quality, rendition, isSeparate: isSeparate)
        let pictures = isSoundOnly ? [] : Self.distinctNames(master.otherPictures(of: rendition))
        if !pictures.isEmpty {
            notes.append("Other pictures were left out: \(Self.text(pictures)).")
        }
        if let soundNote { notes.append(soundNote) }
        let leftOut = separate.dropFirst(Self.languageLimit) + forbidden
        if !leftOut.isEmpty { notes.append("Sound was left out: \(Self.names(leftOut[...])).") }
        let omitted =
            subtitles.dropFirst(Self.languageLimit) + texts.kept.filter { $0.address == nil }
        if !omitted.isEmpty {
            notes.append("Subtitles were left out: \(Self.names(omitted[...])).")
        }
        let all = master.subtitles(of: rendition).map(\.language)
        let note = LanguageChoice.note(texts.missing, of: "subtitles", offering: all)
        self.notes = notes + [note].compactMap { $0 }
    }

    /// Chooses one language of subtitles without a film, because an item is one file.
    private init(textsAlone all: [AlternativeMedia], _ choice: LanguageChoice) {
        let selection = choice.selection(of: all, language: \.language)
        let texts = Self.distinct(selection.kept.isEmpty ? all : selection.kept)
        entries = texts.prefix(1).compactMap(Self.entry).map { entry in
            var entry = entry
            entry.optionalName = nil
            return entry
        }
        let missing = LanguageChoice.note(
            selection.missing,
            of: "subtitles",
            offering: all.map(\.language)
        )
        let omitted =
            texts.count > 1
            ? "Subtitles were left out: \(Self.names(texts.dropFirst())). Without a film, an item "
                + "has those of one language, which --subtitles chooses."
            : nil
        notes = [missing, omitted].compactMap(\.self)
    }

    /// Returns the sound in the chosen languages, and the note about missing languages.
    ///
    /// If none of the languages is available, the sound that plays by default is returned, because
    /// a film without sound is of no use.
    private static func chosenSound(
        _ all: [AlternativeMedia],
        _ choice: LanguageChoice
    ) -> ([AlternativeMedia], note: String?) {
        let selection = choice.selection(of: all, language: \.language)
        let note = LanguageChoice.note(
            selection.missing,
            of: "sound",
            offering: all.map(\.language)
        )
        guard selection.kept.allSatisfy(\.isForbidden) else { return (selection.kept, note) }
        let usable = choice == .all ? [] : all.filter { !$0.isForbidden }.prefix(1)
        return (usable.isEmpty ? all : Array(usable), note)
    }

    private static func qualityNotes(
        _ choice: QualityChoice,
        _ rendition: Rendition,
        isSeparate: Bool
    ) -> [String] {
        switch choice {
        case .height(let height):
            guard let kept = rendition.height, kept != height else { return [] }
            return ["The stream does not have \(height)p; \(kept)p was kept."]
        case .audio:
            guard !isSeparate, !rendition.isAudioOnly else { return [] }
            return ["The stream has no separate sound; that of its smallest picture was kept."]
        case .best:
            return []
        }
    }

    private static func entry(_ media: AlternativeMedia) -> Entry? {
        media.address.map { address in
            Entry(
                address: address,
                description: TrackDescription(
                    content: media.kind == .audio ? .sound : .subtitles,
                    language: media.language.flatMap(TrackDescription.languageCode),
                    isDefault: media.kind == .subtitles && media.isDefault,
                    isForced: media.kind == .subtitles && media.isForced,
                    name: TrackDescription.name(media.name),
                    purpose: media.purpose
                ),
                optionalName: name(media)
            )
        }
    }

    /// Returns the separate media without duplicate addresses.
    private static func distinct(_ media: [AlternativeMedia]) -> [AlternativeMedia] {
        var known: Set<WebAddress> = []
        return media.filter { $0.address.map { known.insert($0).inserted } ?? false }
    }

    private static func name(_ media: AlternativeMedia) -> String {
        String((media.name.isEmpty ? media.language ?? "unnamed" : media.name).prefix(40))
    }

    private static func names(_ media: ArraySlice<AlternativeMedia>) -> String {
        text(media.map(name))
    }

    private static func text(_ names: [String]) -> String {
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        return names.prefix(8).joined(separator: ", ") + more
    }

    /// Returns the names of media without duplicates, because the groups of several qualities
    /// repeat names.
    private static func distinctNames(_ media: [AlternativeMedia]) -> [String] {
        var known: Set<String> = []
        return media.map(name).filter { known.insert($0).inserted }
    }
}
