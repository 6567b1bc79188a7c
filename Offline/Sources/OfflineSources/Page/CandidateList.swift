// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import TidingsHTTP

/// Merges the statements about one medium into one candidate.
struct CandidateList {
    private struct Entry {
        var media: [PageMedia] = []
        var candidate: PageCandidate
    }

    /// The entries in the order of the page.
    ///
    /// An entry that has joined another entry is nil.
    private var entries: [Entry?] = []
    private var owners: [String: Int] = [:]

    /// Adds a group, or joins the group to the entries with the same medium.
    mutating func add(_ group: PageFindings.Group, _ resolve: (String) -> WebAddress?) {
        let media = group.media.compactMap { finding -> PageMedia? in
            guard let address = resolve(finding.reference) else { return nil }
            return PageMedia(
                address: address,
                format: finding.format,
                type: finding.type,
                height: finding.height ?? PageMedia.height(inPath: address.path)
            )
        }
        guard let first = media.first else { return }
        var candidate = PageCandidate(media: first, place: group.place)
        candidate.title = group.title.map { Title(line: $0, fallback: "").text }
        if candidate.title?.isEmpty == true { candidate.title = nil }
        candidate.picture = group.picture.flatMap(resolve)
        candidate.duration = group.duration
        candidate.adopt(group.texts, resolve)
        candidate.isDecoration = group.isDecoration || media.allSatisfy(\.hasNameOfDecoration)
        var index = entries.count
        entries.append(Entry(candidate: candidate))
        for medium in media { index = add(medium, to: index) }
    }

    /// Adds a medium to an entry, and returns the entry that contains both.
    private mutating func add(_ medium: PageMedia, to index: Int) -> Int {
        var index = index
        for key in [medium.address.text, medium.stem].compactMap({ $0 }) {
            if let owner = owners[key], owner != index { index = join(owner, index) }
            owners[key] = index
        }
        if let known = entries[index]?.media.firstIndex(where: { $0.address == medium.address }) {
            let height = entries[index]?.media[known].height ?? medium.height
            entries[index]?.media[known].height = height
        } else {
            entries[index]?.media.append(medium)
        }
        return index
    }

    /// Joins two entries, and returns the earlier one.
    private mutating func join(_ left: Int, _ right: Int) -> Int {
        let (target, removed) = (min(left, right), max(left, right))
        guard var entry = entries[target], let other = entries[removed] else { return target }
        entries[removed] = nil
        for (key, owner) in owners where owner == removed { owners[key] = target }
        let known = Set(entry.media.map(\.address))
        entry.media += other.media.filter { !known.contains($0.address) }
        entry.candidate.adopt(other.candidate)
        entries[target] = entry
        return target
    }

    /// Joins the descriptions of the page's only medium with the player of this medium.
    ///
    /// Pages describe the film for other sites, with addresses that differ from the player's
    /// addresses.
    mutating func mergeDescriptions() {
        let shown = entries.indices.filter { index in
            entries[index].map { !$0.candidate.isDecoration && $0.candidate.place != .link } == true
        }
        let described = shown.filter { entries[$0]?.candidate.place == .structuredData }
        let shared = shown.filter { entries[$0]?.candidate.place == .metadata }
        let players = shown.filter { !described.contains($0) && !shared.contains($0) }
        guard players.count <= 1, described.count <= 1 || players.isEmpty else { return }
        var target = players.first ?? described.first
        for index in described.prefix(1) + shared {
            guard let first = target, first != index,
                entries[first]?.media.first?.isAudio == entries[index]?.media.first?.isAudio
            else { continue }
            target = join(first, index)
        }
    }

    /// Adds the subtitles and chapters that the page states apart from media to the only medium.
    mutating func add(_ texts: StatedTexts, _ resolve: (String) -> WebAddress?) {
        let shown = entries.indices.filter { entries[$0]?.candidate.isDecoration == false }
        guard shown.count == 1 else { return }
        entries[shown[0]]?.candidate.adopt(texts, resolve)
    }

    /// Returns the candidates with the best form of each.
    ///
    /// The best candidate comes first.
    func ranked() -> [PageCandidate] {
        entries.compactMap { $0 }.enumerated().map { position, entry in
            let media = entry.media.enumerated().sorted { left, right in
                left.element.rank != right.element.rank
                    ? left.element.rank > right.element.rank : left.offset < right.offset
            }.map(\.element)
            var candidate = entry.candidate
            candidate.media = media.first ?? candidate.media
            candidate.alternatives = Array(media.dropFirst().prefix(PageContents.candidateLimit))
            return (position, candidate)
        }
        .sorted { left, right in left.1.order(left.0) < right.1.order(right.0) }
        .map(\.1)
    }
}

extension PageCandidate {
    fileprivate func order(_ position: Int) -> (Int, Int, Int) {
        (isDecoration ? 1 : 0, place == .link ? 1 : 0, position)
    }

    fileprivate mutating func adopt(_ other: PageCandidate) {
        place = min(place, other.place)
        title = title ?? other.title
        picture = picture ?? other.picture
        duration = duration ?? other.duration
        for subtitle in other.subtitles { add(subtitle) }
        chapters = chapters ?? other.chapters
        if marks.isEmpty { marks = other.marks }
        hasTranscript = hasTranscript || other.hasTranscript
        isDecoration = isDecoration && other.isDecoration
    }

    fileprivate mutating func adopt(_ texts: StatedTexts, _ resolve: (String) -> WebAddress?) {
        for subtitle in texts.subtitles {
            guard let address = resolve(subtitle.reference) else { continue }
            let name = subtitle.name
            let language =
                subtitle.language ?? name.flatMap(SubtitleLanguage.code(named:))
                ?? SubtitleLanguage.code(inFileName: address.lastPathComponent)
            add(PageSubtitle(address: address, language: language, name: name))
        }
        chapters = chapters ?? texts.chapters.flatMap(resolve)
        if marks.isEmpty { marks = Chapter.list(texts.marks) }
        hasTranscript = hasTranscript || texts.hasTranscript
    }

    /// Adds a subtitle file.
    ///
    /// A known file gets the language and the name if they are missing.
    private mutating func add(_ subtitle: PageSubtitle) {
        guard let known = subtitles.firstIndex(where: { $0.address == subtitle.address }) else {
            if subtitles.count < StatedTexts.limit { subtitles.append(subtitle) }
            return
        }
        subtitles[known].language = subtitles[known].language ?? subtitle.language
        subtitles[known].name = subtitles[known].name ?? subtitle.name
    }
}
