// SPDX-License-Identifier: Apache-2.0
import TidingsHTTP

/// The form of a film or recording that an item keeps, chosen from the site's offers.
struct SiteChoice: Hashable {
    /// The form to fetch.
    let format: SiteFormat
    /// The file with the sound of a form without; nil if the form is whole.
    let sound: SiteFormat?
    /// The omissions and replacements, in sentences for the user.
    private(set) var notes: [String] = []

    /// Chooses a form.
    ///
    /// Pictures of the requested size come first; of several, the form that plays in most places,
    /// then one with sound of its own. Pictures without sound are chosen only if the site has no
    /// sound at all.
    ///
    /// - Parameters:
    ///   - document: The description of one film or recording.
    ///   - quality: The requested quality.
    ///   - site: The host, for messages.
    /// - Throws: `DownloadError` if no form can be kept.
    init(
        _ document: SiteDocument,
        _ quality: QualityChoice,
        site: String
    ) throws(DownloadError) {
        let offered = document.formats.filter { $0.hasPictures || $0.hasSound }
        let usable = offered.filter(\.isUsable)
        guard !usable.isEmpty else { throw Self.refusal(of: offered, site) }
        // The sound alone is what was asked for, if the site offers it.
        let sounds = quality == .audio ? usable.filter { !$0.hasPictures } : []
        let pictures = sounds.isEmpty ? usable.filter(\.hasPictures) : []
        let isSilent = !offered.contains(where: \.hasSound)
        // The site lists the best form last.
        let sound = usable.last { !$0.hasPictures && $0.isJoinable }
        let candidates =
            pictures.isEmpty
            ? sounds.isEmpty ? usable : sounds
            : pictures.filter { picture in
                picture.isWhole || isSilent || picture.isJoinable && sound != nil
            }
        guard !candidates.isEmpty else {
            throw DownloadError(
                .unsupported,
                "\(site) offers pictures and sound only as separate files that offline cannot join. "
                    + "Look for a download link on the page."
            )
        }
        let own = sounds.isEmpty ? quality : .best
        let chosen = candidates[try Self.index(own, candidates.map(\.rankedSize))]
        guard !document.isLive || chosen.transport != .file else {
            throw DownloadError(
                .refused,
                "\(site) is still sending this broadcast. Try again when it has ended."
            )
        }
        format = chosen
        self.sound = chosen.isWhole || isSilent || pictures.isEmpty ? nil : sound
        if chosen.transport == .file {
            let wanted =
                pictures.isEmpty
                ? chosen
                : pictures[
                    try Self.index(quality, pictures.map(\.rankedSize))
                ]
            addNotes(document, quality, wanted: wanted.size.height, usable)
        }
    }

    private mutating func addNotes(
        _ document: SiteDocument,
        _ quality: QualityChoice,
        wanted: Int?,
        _ usable: [SiteFormat]
    ) {
        if let kept = format.size.height {
            if let wanted, wanted != kept {
                notes.append(
                    "The site has \(wanted)p only in files that offline cannot join; \(kept)p was "
                        + "kept."
                )
            } else if quality == .audio {
                notes.append("The site has no separate sound; its smallest picture was kept, too.")
            } else if case .height(let height) = quality, height != kept {
                notes.append("The site does not have \(height)p; \(kept)p was kept.")
            }
        }
        let own = (sound ?? format).language
        let languages = Set(usable.compactMap(\.language)).subtracting([own ?? ""])
        if own != nil, !languages.isEmpty {
            notes.append("Sound was left out: \(Self.names(languages.sorted())).")
        }
        if !document.subtitleLanguages.isEmpty {
            notes.append("Subtitles were left out: \(Self.names(document.subtitleLanguages)).")
        }
    }

    private static func index(
        _ quality: QualityChoice,
        _ sizes: [PictureSize]
    ) throws(DownloadError) -> Int {
        // A site with one form often does not state its size.
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
    /// Whether its address leads to both pictures and sound; the sound of a stream may be separate.
    fileprivate var isWhole: Bool { hasSound || transport != .file }

    /// Whether it is a file whose only track can be joined with that of another one.
    fileprivate var isJoinable: Bool {
        transport == .file && hasPictures != hasSound && ["mp4", "m4a"].contains(container)
    }

    /// The size with which it competes: of equal heights, a form that needs no other file wins.
    fileprivate var rankedSize: PictureSize {
        var size = size
        // Only some forms of a site state their width.
        size.width = nil
        if isWhole { size.preference += 1 }
        return size
    }
}
