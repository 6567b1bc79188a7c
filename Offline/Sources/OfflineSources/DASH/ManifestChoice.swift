// SPDX-License-Identifier: Apache-2.0
import OfflineModel

/// The representations of one period to keep.
struct ManifestChoice: Hashable {
    /// Sound in one language and role.
    struct Sound: Hashable {
        /// The properties that identify the same sound in another period.
        struct Key: Hashable {
            var language: String?
            var label: String?
            var roles: Set<String>
        }

        var key: Key
        var representation: Representation
    }

    /// The pictures, or nil for a stream with sound only.
    private(set) var pictures: Representation?
    /// The sound.
    ///
    /// The first entry plays unless the user chooses otherwise.
    private(set) var sound: [Sound] = []
    /// The sets with subtitles.
    let texts: [AdaptationSet]
    /// The omissions and replacements, in sentences for the user.
    private(set) var notes: [String] = []

    private static let spareRoles: Set<String> = [
        "alternate", "supplementary", "commentary", "sign",
    ]

    /// Chooses the representations.
    ///
    /// - Throws: `.protected`, `.unsupported` or `.noSuchQuality`.
    init(_ period: Manifest.Period, _ choice: MediaChoice) throws(PlaylistError) {
        let isSoundOnly = choice.quality == .audio
        let allTexts = period.sets.filter { $0.kind == .text }
        // A user who wants the sound alone does not miss subtitles.
        let languages = isSoundOnly && choice.subtitles == .all ? .none : choice.subtitles
        let chosenTexts = languages.selection(of: allTexts, language: \.language)
        texts = chosenTexts.kept
        let sets = period.sets.filter { $0.kind == .audio }
        let video = isSoundOnly && !sets.isEmpty ? [] : period.sets.filter { $0.kind == .video }
        let principal = video.filter { $0.roles.isDisjoint(with: Self.spareRoles) }
        let all = (principal.isEmpty ? video : principal).flatMap(\.representations)
        if !all.isEmpty { try choosePictures(all, choice.quality) }
        try chooseSound(sets, choice.audio)
        notes += [
            LanguageChoice.note(
                chosenTexts.missing,
                of: "subtitles",
                offering: allTexts.map(\.language)
            )
        ].compactMap { $0 }
        if !principal.isEmpty, principal.count < video.count {
            notes.append("The stream has another picture, which was left out.")
        }
        guard pictures != nil || !sound.isEmpty else {
            throw PlaylistError(
                .empty,
                "The manifest lists neither pictures nor sound. Check the address."
            )
        }
    }

    private mutating func choosePictures(
        _ all: [Representation],
        _ choice: QualityChoice
    ) throws(PlaylistError) {
        let usable = try Self.usable(all)
        let chosen = usable[try choice.index(among: usable.map(\.size))]
        pictures = chosen
        if case .height(let height) = choice, let kept = chosen.height, kept != height {
            notes.append("The stream does not have \(height)p; \(kept)p was kept.")
        }
        let others = all.filter { ($0.height ?? 0) > (usable.compactMap(\.height).max() ?? 0) }
        if let best = others.compactMap(\.height).max(), choice == .best {
            let reason =
                others.contains { $0.isJoinable }
                ? "is protected (DRM)" : "is in a format that this program does not support yet"
            notes.append("\(best)p was left out: it \(reason).")
        }
    }

    private mutating func chooseSound(
        _ all: [AdaptationSet],
        _ choice: LanguageChoice
    ) throws(PlaylistError) {
        let sets = chosenSound(all.filter(\.isMain) + all.filter { !$0.isMain }, choice)
        var keys: [Sound.Key] = []
        for set in sets where !keys.contains(set.soundKey) { keys.append(set.soundKey) }
        var refusal: PlaylistError?
        for key in keys {
            let own = sets.filter { $0.soundKey == key }
            let all = own.flatMap(\.representations)
            do throws(PlaylistError) {
                let usable = try Self.usable(all)
                var best = usable[0]
                for other in usable.dropFirst() where best.soundRank < other.soundRank {
                    best = other
                }
                sound.append(Sound(key: key, representation: best))
                notes += Self.otherSound(than: best, own)
            } catch {
                refusal = refusal ?? error
                notes.append("Sound was left out: \(own[0].name). \(error.message)")
            }
        }
        if let refusal, sound.isEmpty { throw refusal }
    }

    /// Returns the sound in the chosen languages.
    ///
    /// If there is none, this method returns the first sound, because a film without sound is of no
    /// use.
    private mutating func chosenSound(
        _ sets: [AdaptationSet],
        _ choice: LanguageChoice
    ) -> [AdaptationSet] {
        let selection = choice.selection(of: sets, language: \.language)
        let note = LanguageChoice.note(
            selection.missing,
            of: "sound",
            offering: sets.map(\.language)
        )
        notes += [note].compactMap { $0 }
        guard selection.kept.isEmpty, let first = sets.first else { return selection.kept }
        return sets.filter { $0.soundKey == first.soundKey }
    }

    /// Returns the notes about sound in the same language but in another format.
    private static func otherSound(
        than best: Representation,
        _ sets: [AdaptationSet]
    ) -> [String] {
        var known = [best.soundFormat]
        return sets.flatMap { set in
            set.representations.compactMap { other in
                guard !known.contains(other.soundFormat) else { return nil }
                known.append(other.soundFormat)
                return "Sound was left out: \(set.name) (\(other.soundFormat))."
            }
        }
    }

    /// Returns the representations that can be kept.
    ///
    /// - Throws: `.protected` or `.unsupported` if there are none.
    private static func usable(_ all: [Representation]) throws(PlaylistError) -> [Representation] {
        let joinable = all.filter(\.isJoinable)
        guard !joinable.isEmpty else {
            throw .unsupported("segments in \(all.first?.container ?? "an unknown format")")
        }
        let usable = joinable.filter(\.protections.isEmpty)
        guard !usable.isEmpty else {
            throw ContentProtection.refusal(joinable.flatMap(\.protections))
        }
        return usable
    }
}
