// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The playlists of a stream to keep: a rendition, and the sound and the subtitles beside it, in
/// all languages.
struct RenditionPlan: Hashable {
    /// A media playlist, and what the file keeps of it.
    struct Entry: Hashable {
        var address: WebAddress
        var description: TrackDescription
        /// The name of sound or subtitles that the file may lack; nil for what it must have.
        var optionalName: String?
    }

    /// The playlists; the first one is the rendition.
    let entries: [Entry]
    /// The omissions and replacements, in sentences for the user.
    let notes: [String]

    /// The number of languages to keep, of sound and of subtitles.
    private static let languageLimit = 16

    /// Chooses the playlists.
    ///
    /// - Throws: `.noSuchRendition`.
    init(_ master: MasterPlaylist, _ choice: RenditionChoice) throws(PlaylistError) {
        let rendition = try master.rendition(choice)
        let sound = master.sound(of: rendition)
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
        if own == nil, !separate.isEmpty { picture.description.content = .pictures }
        var entries = [picture] + separate.prefix(Self.languageLimit).compactMap(Self.entry)
        // Without sound of its own, the rendition needs the first one.
        if own == nil, entries.count > 1 { entries[1].optionalName = nil }
        let subtitles = Self.distinct(master.subtitles(of: rendition))
        entries += subtitles.prefix(Self.languageLimit).compactMap(Self.entry)
        self.entries = entries
        var notes: [String] = []
        if case .height(let height) = choice, let kept = rendition.height, kept != height {
            notes.append("The stream has no rendition of \(height)p; \(kept)p was kept.")
        }
        let leftOut = separate.dropFirst(Self.languageLimit) + forbidden
        if !leftOut.isEmpty { notes.append("Sound was left out: \(Self.names(leftOut[...])).") }
        let texts = master.subtitles(of: rendition).filter { $0.address == nil }
        let omitted = subtitles.dropFirst(Self.languageLimit) + texts
        if !omitted.isEmpty {
            notes.append("Subtitles were left out: \(Self.names(omitted[...])).")
        }
        self.notes = notes
    }

    private static func entry(_ media: AlternativeMedia) -> Entry? {
        media.address.map { address in
            Entry(
                address: address,
                description: TrackDescription(
                    content: media.kind == .audio ? .sound : .subtitles,
                    language: media.language.flatMap(TrackDescription.languageCode),
                    isDefault: media.kind == .subtitles && media.isDefault,
                    isForced: media.kind == .subtitles && media.isForced
                ),
                optionalName: name(media)
            )
        }
    }

    /// Returns the separate media, each address once.
    private static func distinct(_ media: [AlternativeMedia]) -> [AlternativeMedia] {
        var known: Set<WebAddress> = []
        return media.filter { $0.address.map { known.insert($0).inserted } ?? false }
    }

    private static func name(_ media: AlternativeMedia) -> String {
        String((media.name.isEmpty ? media.language ?? "unnamed" : media.name).prefix(40))
    }

    private static func names(_ media: ArraySlice<AlternativeMedia>) -> String {
        let names = media.map(name)
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        return names.prefix(8).joined(separator: ", ") + more
    }
}
